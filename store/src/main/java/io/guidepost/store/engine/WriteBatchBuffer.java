package io.guidepost.store.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The writes of one commit group in RocksDB's own batch format, so that they cross JNI in one call. Not thread-safe;
 * reused for each group.
 *
 * <pre>
 *  offset size
 *     0     8  sequence, little-endian; the engine fills it in
 *     8     4  number of writes, little-endian
 *    12     .  writes: 01 key value, or 00 key; key and value each with their length before them (varint 32);
 *              before them 03 01 'r', if the group is relaxed: not synced before it is acknowledged
 * </pre>
 *
 * Source: RocksDB, db/write_batch.cc. The write-ahead log has the same format, so {@link #each} also reads the change
 * feed.
 */
public final class WriteBatchBuffer {
    private static final int HEADER_BYTES = 12;
    private static final byte DELETION = 0;
    private static final byte VALUE = 1;

    /** RocksDB's log data records; they count as no write. */
    private static final byte REMARK = 3;

    private static final byte[] RELAXED = {REMARK, 1, 'r'};

    /** The bytes that tell whether a group is relaxed. */
    static final int BEGINNING_BYTES = HEADER_BYTES + RELAXED.length;

    private static final ValueLayout.OfInt COUNT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes = new byte[64 << 10];
    private int length = HEADER_BYTES;
    private int count;

    interface Visitor {
        /**
         * Visits one write; returns false to stop.
         *
         * @param index its number in the batch, from 0
         * @param value the value, or null if the key was removed
         */
        boolean write(int index, byte[] key, byte @org.jspecify.annotations.Nullable [] value);
    }

    public void clear() {
        length = HEADER_BYTES;
        count = 0;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** Returns the number of writes. */
    public int count() {
        return count;
    }

    public int length() {
        return length;
    }

    public void put(byte[] key, byte[] value) {
        room(key.length + value.length + 11);
        bytes[length++] = VALUE;
        append(key);
        append(value);
        count++;
    }

    public void delete(byte[] key) {
        room(key.length + 6);
        bytes[length++] = DELETION;
        append(key);
        count++;
    }

    /**
     * Returns the finished batch, in an array of its own as the engine wants it.
     *
     * @param sync whether it is synced before it is acknowledged
     */
    byte[] toBytes(boolean sync) {
        int remark = sync ? 0 : RELAXED.length;
        byte[] copy = new byte[length + remark];
        MemorySegment.ofArray(copy).set(COUNT, 8, count);
        System.arraycopy(RELAXED, 0, copy, HEADER_BYTES, remark);
        System.arraycopy(bytes, HEADER_BYTES, copy, HEADER_BYTES + remark, length - HEADER_BYTES);
        return copy;
    }

    /** Returns whether a batch of which the beginning is given, up to its position, was written without sync. */
    static boolean isRelaxed(ByteBuffer beginning) {
        return beginning.position() == BEGINNING_BYTES
                && beginning.slice(HEADER_BYTES, RELAXED.length).equals(ByteBuffer.wrap(RELAXED));
    }

    private void append(byte[] part) {
        int left = part.length;
        while (left > 0x7f) {
            bytes[length++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        bytes[length++] = (byte) left;
        System.arraycopy(part, 0, bytes, length, part.length);
        length += part.length;
    }

    private void room(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }

    /**
     * Visits the writes of a finished batch.
     *
     * @return whether the visitor took all
     * @throws IllegalArgumentException if the bytes are not a batch of puts and deletions
     */
    static boolean each(byte[] batch, Visitor visitor) {
        Cursor in = new Cursor(batch);
        int index = 0;
        while (in.at < batch.length) {
            byte kind = batch[in.at++];
            if (kind == REMARK) {
                in.part();
                continue;
            }
            if (kind != VALUE && kind != DELETION) {
                throw new IllegalArgumentException(
                        "a batch holds a write of kind " + kind + ", which this store never wrote");
            }
            byte[] key = in.part();
            byte[] value = kind == VALUE ? in.part() : null;
            if (!visitor.write(index++, key, value)) {
                return false;
            }
        }
        return true;
    }

    private static final class Cursor {
        private final byte[] batch;
        private int at = HEADER_BYTES;

        Cursor(byte[] batch) {
            this.batch = batch;
        }

        byte[] part() {
            int size = 0;
            int shift = 0;
            byte next;
            do {
                check(at < batch.length && shift < 32);
                next = batch[at++];
                size |= (next & 0x7f) << shift;
                shift += 7;
            } while (next < 0);
            check(size >= 0 && size <= batch.length - at);
            at += size;
            return Arrays.copyOfRange(batch, at - size, at);
        }

        private static void check(boolean holds) {
            if (!holds) {
                throw new IllegalArgumentException("a batch is cut off");
            }
        }
    }
}
