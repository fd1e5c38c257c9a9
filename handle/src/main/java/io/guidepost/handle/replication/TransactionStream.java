package io.guidepost.handle.replication;

import io.guidepost.base.Malformed;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.value.HandleValue;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The stream after the response to GET_TRANSACTIONS: the changes since a position, with the values of the time of
 * sending.
 *
 * <pre>
 *  response   message with the body 00
 *             "TLS" 00, then TLS with the server's key; inside it:
 *  begin      4  format, 1
 *             4  status: 1 the log does not reach back to the position, a dump is needed; 2 transactions follow
 *  record     1  1
 *             .  see Transaction
 *             .  CREATE and UPDATE alone: count 32, then values each behind its length 32, see HandleValue
 *  end        1  0
 *             8  the server's time up to which no change is missing, milliseconds since 1970; 0 if a dump is needed
 * </pre>
 *
 * Seen at a server of version 9.2, which sends handles in the spelling of the request that changed them. A handle that
 * was deleted since has its DELETE alone.
 */
final class TransactionStream {
    /** The format, at the beginning of the stream. */
    static final int FORMAT = 1;

    private static final int NEEDS_DUMP = 1;
    private static final int FOLLOWS = 2;

    private static final int END = 0;
    private static final int RECORD = 1;

    /** Takes the contents of a stream, in order. */
    public interface Visitor {
        /**
         * Takes a change.
         *
         * @param values current values of the handle; empty except for CREATE and UPDATE
         */
        void transaction(Transaction transaction, List<HandleValue> values) throws IOException;

        /** Learns of a change that cannot be made here, and why. */
        default void skipped(Transaction transaction, String why) {}
    }

    /** The end of a stream. */
    public sealed interface End {
        /**
         * All transactions were sent.
         *
         * @param dateMillis the source's time up to which no change is missing
         */
        record Complete(long dateMillis) implements End {}

        /** Nothing was sent: the mirror must fetch a dump. */
        record NeedsDump() implements End {}
    }

    private TransactionStream() {}

    /** Writes the beginning of a stream with transactions. */
    static void begin(WireWriter out) {
        out.u32(FORMAT).u32(FOLLOWS);
    }

    /** Writes a stream that tells the mirror to fetch a dump. */
    static void needsDump(WireWriter out) {
        out.u32(FORMAT).u32(NEEDS_DUMP).u8(END).u64(0);
    }

    static void transaction(Transaction transaction, List<HandleValue> values, WireWriter out) {
        out.u8(RECORD);
        transaction.write(out);
        if (transaction.action().hasValues()) {
            ReplicationStreamReader.writeValues(values, out);
        }
    }

    static void end(long dateMillis, WireWriter out) {
        out.u8(END).u64(dateMillis);
    }

    /**
     * Reads a whole stream.
     *
     * @throws IOException if it is truncated, or the visitor fails
     * @throws Malformed if it is malformed; everything visited before was complete
     */
    public static End read(InputStream input, Visitor visitor) throws IOException, Malformed {
        ReplicationStreamReader in = new ReplicationStreamReader(input);
        int format = in.u32();
        if (format != FORMAT) {
            throw new Malformed("the format of a stream of transactions is " + FORMAT + ", not " + format, 0);
        }
        int status = in.u32();
        if (status != NEEDS_DUMP && status != FOLLOWS) {
            throw new Malformed("the status of a stream of transactions is 1 or 2, not " + status, 4);
        }
        while (true) {
            long at = in.position();
            in.begin();
            switch (in.u8()) {
                case END -> {
                    long date = in.u64();
                    return status == NEEDS_DUMP ? new End.NeedsDump() : new End.Complete(date);
                }
                case RECORD -> {
                    Transaction transaction = Transaction.readPrefix(in);
                    List<HandleValue> values = transaction.action().hasValues() ? in.values() : List.of();
                    if (in.fault().isEmpty()) {
                        visitor.transaction(transaction, values);
                    } else {
                        visitor.skipped(transaction, in.fault());
                    }
                }
                default -> throw new Malformed("a stream of transactions has records 0 and 1", at);
            }
        }
    }
}
