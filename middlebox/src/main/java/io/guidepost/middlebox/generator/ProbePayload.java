package io.guidepost.middlebox.generator;

import io.guidepost.base.Memory;

/**
 * The header of generated payloads.
 *
 * <pre>
 *  0            2         4                 8                              16
 *  | mark 6770  | stream  | sequence number | nanoseconds of System.nanoTime |
 * </pre>
 *
 * <p>All programs of a machine share that clock, so that a receiver in another program measures latency too.
 */
final class ProbePayload {
    static final int BYTES = 16;

    private static final int MARK = 0x6770;

    private ProbePayload() {}

    /** Returns the first eight bytes. */
    static long head(int stream, int sequence) {
        return (long) MARK << 48 | (long) stream << 32 | Integer.toUnsignedLong(sequence);
    }

    static boolean isHead(long head) {
        return head >>> 48 == MARK;
    }

    static int stream(long head) {
        return (int) (head >>> 32) & 0xffff;
    }

    static int sequence(long head) {
        return (int) head;
    }

    static void put(long address, long head, long nanos) {
        Memory.put64(address, head);
        Memory.put64(address + 8, nanos);
    }
}
