package io.guidepost.handle.replication;

/**
 * Status of a mirror; counts are since its start.
 *
 * @param dumping whether a dump is in progress
 * @param position up to which it has the source's changes
 * @param askedMillis time of the last complete poll by the local clock, milliseconds since 1970; 0 if never. The time
 *     since then is the lag
 * @param transactions applied
 * @param records of dumps applied
 * @param dumps begun
 * @param refused records that do not fit this store, and were skipped
 * @param lastRefused the last of these, and why; empty if there was none
 * @param failures in a row, 0 if the last poll succeeded
 * @param trouble why the last poll failed, for people; empty if it did not
 */
public record MirrorStatus(
        boolean dumping,
        TransactionPosition position,
        long askedMillis,
        long transactions,
        long records,
        long dumps,
        long refused,
        String lastRefused,
        int failures,
        String trouble) {}
