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
import java.util.List;

/**
 * Reads the primitive encodings from a stream of unknown length; {@link WireReader} reads them from memory. Checks
 * lengths before it allocates. Not thread-safe; blocks on the input.
 */
final class ReplicationStreamReader {
    private final InputStream in;
    private long position;

    ReplicationStreamReader(InputStream in) {
        this.in = in;
    }

    long position() {
        return position;
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

    Handle handle(int bytesMax) throws IOException, Malformed {
        byte[] bytes = bytes(bytesMax);
        return bytes.length == 0 ? Handle.NONE : Handle.of(bytes);
    }

    byte[] bytes(int bytesMax) throws IOException, Malformed {
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
     * Reads values behind their count, each behind its length; together at most {@link HandleLimits#ARRAY_BYTES_MAX} bytes.
     */
    List<HandleValue> values() throws IOException, Malformed {
        long at = position;
        int count = u32();
        if (count < 0 || count > HandleLimits.VALUES_MAX) {
            throw new Malformed(
                    "a record has " + Integer.toUnsignedString(count) + " values; at most " + HandleLimits.VALUES_MAX
                            + " are taken",
                    at);
        }
        List<HandleValue> values = new ArrayList<>();
        int left = HandleLimits.ARRAY_BYTES_MAX;
        for (int i = 0; i < count; i++) {
            byte[] value = bytes(left);
            left -= value.length;
            values.add(HandleValue.read(value));
        }
        return values;
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
