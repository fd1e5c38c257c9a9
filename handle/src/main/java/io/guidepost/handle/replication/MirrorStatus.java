package io.guidepost.handle.replication;

/**
 * How a mirror is doing, in plain numbers since its start.
 *
 * @param dumping whether a dump is under way
 * @param position up to where the source's changes are here
 * @param askedMillis when the source last sent all it had, by the clock here, milliseconds since 1970; 0 if never: what
 *     lies between that and now is the lag
 * @param transactions applied
 * @param records of dumps applied
 * @param dumps begun
 * @param refused records that do not fit this store, and were left out
 * @param failures in a row, 0 if the last question was answered
 * @param trouble why the last question failed, for people; empty if it did not
 */
public record MirrorStatus(
        boolean dumping,
        TransactionPosition position,
        long askedMillis,
        long transactions,
        long records,
        long dumps,
        long refused,
        int failures,
        String trouble) {}
