package io.guidepost.handle.replication;

/**
 * Up to where the changes of a server are known.
 *
 * @param transactionId number of the last one; 0 if none is
 * @param dateMillis the server's time up to which that is all, milliseconds since 1970; 0 if none is known
 */
public record TransactionPosition(long transactionId, long dateMillis) {
    /** Nothing is known. */
    public static final TransactionPosition NONE = new TransactionPosition(0, 0);
}
