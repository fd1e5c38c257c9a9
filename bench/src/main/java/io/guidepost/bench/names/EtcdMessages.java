package io.guidepost.bench.names;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The messages of etcd's API (version 3) that the scene needs, in the encoding of Protocol Buffers: each field is a key, number * 8 +
 * kind, and a number (kind 0) or a length and bytes (kind 2).
 */
final class EtcdMessages {
    static final String RANGE = "/etcdserverpb.KV/Range";
    static final String PUT = "/etcdserverpb.KV/Put";
    static final String TXN = "/etcdserverpb.KV/Txn";
    static final String WATCH = "/etcdserverpb.Watch/Watch";

    private static final int NUMBER = 0;
    private static final int BYTES = 2;
    private static final int EVENTS = 11;
    private static final int CREATED = 3;
    private static final int SERIALIZABLE = 7;

    private EtcdMessages() {}

    private static void number(ByteArrayOutputStream out, long value) {
        long left = value;
        for (; left > 0x7f; left >>>= 7) {
            out.write((int) (left & 0x7f | 0x80));
        }
        out.write((int) left);
    }

    private static void field(ByteArrayOutputStream out, int field, byte[] bytes) {
        number(out, field << 3 | BYTES);
        number(out, bytes.length);
        out.writeBytes(bytes);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** A read of one key that the server answers by itself, which is the fastest that it has. */
    static byte[] range(String key) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        field(out, 1, ascii(key));
        number(out, SERIALIZABLE << 3 | NUMBER);
        out.write(1);
        return out.toByteArray();
    }

    static byte[] put(String key, String value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        field(out, 1, ascii(key));
        field(out, 2, ascii(value));
        return out.toByteArray();
    }

    /** Several puts as one transaction. */
    static byte[] transaction(List<byte[]> puts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] each : puts) {
            ByteArrayOutputStream operation = new ByteArrayOutputStream();
            field(operation, 2, each);
            field(out, 2, operation.toByteArray());
        }
        return out.toByteArray();
    }

    /** A watch of all keys with a prefix. */
    static byte[] watch(String prefix) {
        byte[] end = ascii(prefix);
        end[end.length - 1]++;
        ByteArrayOutputStream create = new ByteArrayOutputStream();
        field(create, 1, ascii(prefix));
        field(create, 2, end);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        field(out, 1, create.toByteArray());
        return out.toByteArray();
    }

    /** Returns how many events a response to a watch has; -1 if it says that the watch is there. */
    static int events(ByteBuffer response) {
        int events = 0;
        while (response.hasRemaining()) {
            int key = (int) number(response);
            long value = number(response);
            if ((key & 7) == BYTES) {
                response.position(response.position() + (int) value);
                events += key >>> 3 == EVENTS ? 1 : 0;
            } else if (key >>> 3 == CREATED && value == 1) {
                return -1;
            }
        }
        return events;
    }

    private static long number(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte each = in.get();
            value |= (long) (each & 0x7f) << shift;
            if (each >= 0) {
                return value;
            }
        }
    }
}
