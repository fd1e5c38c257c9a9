package io.guidepost.handle.replication;

/**
 * The position up to which the changes of a server are known.
 *
 * @param transactionId number of the last transaction; 0 if there is none
 * @param dateMillis the server's time up to which no change is missing, milliseconds since 1970; 0 if unknown
 */
public record TransactionPosition(long transactionId, long dateMillis) {
    /** No change is known. */
    public static final TransactionPosition NONE = new TransactionPosition(0, 0);
}
