package io.guidepost.handle.replication;

import io.guidepost.base.Malformed;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.value.HandleValue;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * What follows the answer to GET_TRANSACTIONS: the changes since a position, with the values as they are at the time of
 * sending.
 *
 * <pre>
 *  answer     message with the body 00
 *             "TLS" 00, then TLS with the server's key; inside of it:
 *  begin      4  format, 1
 *             4  status: 1 the history does not reach back so far, a dump is needed; 2 transactions follow
 *  record     1  1
 *             .  see Transaction
 *             .  CREATE and UPDATE alone: count 32, then values each behind its length 32, see HandleValue
 *  end        1  0
 *             8  the server's time up to which this is all, milliseconds since 1970; 0 if a dump is needed
 * </pre>
 *
 * Seen at a server of version 9.2, of which handles come as they were spelled in the request that changed them. A
 * handle that has been deleted since has its DELETE alone.
 */
public final class TransactionStream {
    /** Where the stream begins: the format that is written and read. */
    static final int FORMAT = 1;

    private static final int NEEDS_DUMP = 1;
    private static final int FOLLOWS = 2;

    private static final int END = 0;
    private static final int RECORD = 1;

    /** Takes what a stream holds, in order. */
    public interface Visitor {
        /**
         * Takes a change.
         *
         * @param values what the handle has now; empty but for CREATE and UPDATE
         */
        void transaction(Transaction transaction, List<HandleValue> values) throws IOException;
    }

    /** How a stream ended. */
    public sealed interface End {
        /**
         * All was sent.
         *
         * @param dateMillis the source's time up to which that is all
         */
        record Complete(long dateMillis) implements End {}

        /** Nothing was sent: everything must be fetched. */
        record NeedsDump() implements End {}
    }

    private TransactionStream() {}

    /** Writes the beginning of one that brings transactions. */
    static void begin(WireWriter out) {
        out.u32(FORMAT).u32(FOLLOWS);
    }

    /** Writes one that says that a dump is needed. */
    static void needsDump(WireWriter out) {
        out.u32(FORMAT).u32(NEEDS_DUMP).u8(END).u64(0);
    }

    /** Writes one change. */
    static void transaction(Transaction transaction, List<HandleValue> values, WireWriter out) {
        out.u8(RECORD);
        transaction.write(out);
        if (transaction.action().hasValues()) {
            ReplicationStreamReader.writeValues(values, out);
        }
    }

    /** Writes the end. */
    static void end(long dateMillis, WireWriter out) {
        out.u8(END).u64(dateMillis);
    }

    /**
     * Reads a whole stream.
     *
     * @throws IOException if it ends before its end, or the visitor says so
     * @throws Malformed if it is not such a stream; what was visited before was whole
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
            switch (in.u8()) {
                case END -> {
                    long date = in.u64();
                    return status == NEEDS_DUMP ? new End.NeedsDump() : new End.Complete(date);
                }
                case RECORD -> {
                    Transaction transaction = Transaction.readPrefix(in);
                    visitor.transaction(transaction, transaction.action().hasValues() ? in.values() : List.of());
                }
                default -> throw new Malformed("a stream of transactions has records 0 and 1", at);
            }
        }
    }
}
