package io.guidepost.handle.replication;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.value.HandleValue;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * The stream after the response to DUMP_HANDLES: all records, all prefixes, and the position at which transactions
 * continue.
 *
 * <pre>
 *  response   message with an empty body
 *             "TLS" 00, then TLS with the server's key; inside it:
 *  begin      4  format, 2
 *  position   1  0; comes first, but not in a resumed dump
 *             8  the server's time, milliseconds since 1970
 *             8  number of its last transaction
 *  record     1  1
 *           4+n  handle
 *             .  count 32, then values each behind its length 32, see HandleValue
 *  prefix     1  2
 *           4+n  prefix handle that the server is responsible for
 *  end        1  255
 * </pre>
 *
 * Seen at a server of version 9.2, which sends folded handles in the order of their bytes. A request with a folded
 * handle and the number 2 resumes the dump with the records after that handle; with 3, with the prefixes after that
 * one, and with 1, from the first record.
 */
final class DumpStream {
    /** The number in a request that resumes the dump after a record. */
    static final int BEHIND_RECORD = 2;

    /** The number in a request that resumes the dump after a prefix: all records were sent. */
    static final int BEHIND_PREFIX = 3;

    private static final int POSITION = 0;
    private static final int RECORD = 1;
    private static final int PREFIX = 2;
    private static final int FORMAT = 2;
    private static final int END = 0xff;

    /** Takes the contents of a stream, in order. */
    public interface Visitor {
        /** Takes the position, the first item of a complete dump. */
        void position(TransactionPosition position) throws IOException;

        void record(Handle handle, List<HandleValue> values) throws IOException;

        /** Takes a prefix that the source is responsible for. */
        void prefix(Handle prefixHandle) throws IOException;

        /** Learns of a record or prefix that cannot be kept here, and why. */
        void skipped(Handle handle, String why);
    }

    private DumpStream() {}

    static void begin(WireWriter out) {
        out.u32(FORMAT);
    }

    static void position(TransactionPosition position, WireWriter out) {
        out.u8(POSITION).u64(position.dateMillis()).u64(position.transactionId());
    }

    static void record(Handle handle, List<HandleValue> values, WireWriter out) {
        out.u8(RECORD).handle(handle);
        ReplicationStreamReader.writeValues(values, out);
    }

    static void prefix(Handle prefixHandle, WireWriter out) {
        out.u8(PREFIX).handle(prefixHandle);
    }

    static void end(WireWriter out) {
        out.u8(END);
    }

    /**
     * Reads a stream to its end.
     *
     * @throws IOException if it is truncated, or the visitor fails
     * @throws Malformed if it is malformed; everything visited before was complete
     */
    public static void read(InputStream input, Visitor visitor) throws IOException, Malformed {
        ReplicationStreamReader in = new ReplicationStreamReader(input);
        int format = in.u32();
        if (format != FORMAT) {
            throw new Malformed("the format of a dump is " + FORMAT + ", not " + format, 0);
        }
        while (true) {
            long at = in.position();
            in.begin();
            switch (in.u8()) {
                case POSITION -> {
                    long date = in.u64();
                    visitor.position(new TransactionPosition(in.u64(), date));
                }
                case RECORD -> {
                    Handle handle = in.handle();
                    List<HandleValue> values = in.values();
                    if (in.fault().isEmpty()) {
                        visitor.record(handle, values);
                    } else {
                        visitor.skipped(handle, in.fault());
                    }
                }
                case PREFIX -> {
                    Handle handle = in.handle();
                    if (in.fault().isEmpty()) {
                        visitor.prefix(handle);
                    } else {
                        visitor.skipped(handle, in.fault());
                    }
                }
                case END -> {
                    return;
                }
                default -> throw new Malformed("a dump has records 0, 1 and 2, and ends with 255", at);
            }
        }
    }
}
