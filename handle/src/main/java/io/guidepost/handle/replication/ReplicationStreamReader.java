package io.guidepost.handle.replication;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireWriter;
import io.guidepost.handle.value.HandleValue;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the primitive encodings from a stream of unknown length; {@link WireReader} reads them from memory. Checks
 * lengths before it allocates. Not thread-safe; blocks on the input.
 *
 * <p>A record that passes the bounds of this server, or has a value that is none, is read to its end and named by {@link
 * #fault}: the source has it, and the stream goes on behind it.
 */
final class ReplicationStreamReader {
    /** Bytes of a record that is skipped: the longest of genuine servers fits many times; with more the stream is damaged. */
    private static final int SKIPPED_BYTES_MAX = 16 * HandleLimits.ARRAY_BYTES_MAX;

    /** Bytes that are kept of a name that is too long, to say which it was. */
    private static final int SHOWN_BYTES = 64;

    private final InputStream in;
    private long position;
    private String fault = "";

    ReplicationStreamReader(InputStream in) {
        this.in = in;
    }

    long position() {
        return position;
    }

    /** Begins an item. */
    void begin() {
        fault = "";
    }

    /** Returns why the item that was read cannot be kept; empty if it can. */
    String fault() {
        return fault;
    }

    private void fault(String why) {
        fault = fault.isEmpty() ? why : fault;
    }

    int u8() throws IOException {
        return raw(1)[0] & 0xff;
    }

    int u32() throws IOException, Malformed {
        return new WireReader(raw(4)).u32();
    }

    long u64() throws IOException, Malformed {
        return new WireReader(raw(8)).u64();
    }

    /** Reads a handle; of one that is too long, the beginning. */
    Handle handle() throws IOException, Malformed {
        byte[] bytes = bytes(HandleLimits.ARRAY_BYTES_MAX);
        if (bytes.length > HandleLimits.HANDLE_BYTES_MAX) {
            fault("its name has " + bytes.length + " bytes; at most " + HandleLimits.HANDLE_BYTES_MAX + " are kept");
            return Handle.of(Arrays.copyOf(bytes, SHOWN_BYTES));
        }
        return bytes.length == 0 ? Handle.NONE : Handle.of(bytes);
    }

    private byte[] bytes(int bytesMax) throws IOException, Malformed {
        long at = position;
        int length = u32();
        if (length < 0 || length > bytesMax) {
            throw new Malformed(
                    "a field has " + Integer.toUnsignedString(length) + " bytes; at most " + bytesMax + " are taken",
                    at);
        }
        return raw(length);
    }

    /**
     * Reads values behind their count, each behind its length; together at most {@link HandleLimits#ARRAY_BYTES_MAX} bytes. None if
     * the record has a {@link #fault}.
     */
    List<HandleValue> values() throws IOException, Malformed {
        long count = u32() & 0xffffffffL;
        if (count > HandleLimits.VALUES_MAX) {
            fault("it has " + count + " values; at most " + HandleLimits.VALUES_MAX + " are kept");
        }
        List<HandleValue> values = new ArrayList<>();
        int left = SKIPPED_BYTES_MAX;
        for (long i = 0; i < count; i++) {
            byte[] value = bytes(left);
            left -= value.length + Integer.BYTES;
            if (left < SKIPPED_BYTES_MAX - HandleLimits.ARRAY_BYTES_MAX) {
                fault("its values have more than " + HandleLimits.ARRAY_BYTES_MAX + " bytes");
            }
            if (fault.isEmpty()) {
                try {
                    values.add(HandleValue.read(value));
                } catch (Malformed e) {
                    fault("its value " + (i + 1) + " is none: " + e.getMessage());
                }
            }
        }
        return fault.isEmpty() ? values : List.of();
    }

    /** Writes values in the form that {@link #values} reads. */
    static void writeValues(List<HandleValue> values, WireWriter out) {
        out.list(values, (each, to) -> to.part(each));
    }

    private byte[] raw(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        position += bytes.length;
        if (bytes.length < length) {
            throw new EOFException("the stream ended at byte " + position + ", inside of a field");
        }
        return bytes;
    }
}
