package io.guidepost.packet;

/**
 * The state of a frame's transport checksum (UDP, TCP) in a row of a {@link Burst}: one number, 0 if unknown, that
 * moves with the frame from port to port.
 *
 * <p>A partial checksum (checksum offload) is completed by the sending port: the field has the sum of the pseudo header
 * (not its complement), and lacks everything from the start of the transport to the end of the frame. Kernel and
 * network cards use the same convention, so a capable device completes it while sending; other ports complete it in
 * software before. Applications need not distinguish.
 *
 * <pre>
 *  31 partial | 30..26 0 | 25 wrong | 24 right | 23..16 field, bytes behind the start | 15..0 start, bytes into the frame
 * </pre>
 */
public final class TransportChecksum {
    /** Not verified: it may be right or wrong. */
    public static final int UNKNOWN = 0;

    /** Verified by the device or the kernel, or never exposed to damage. */
    public static final int RIGHT = 1 << 24;

    /** Found wrong by the device. */
    public static final int WRONG = 1 << 25;

    private static final int PARTIAL = 1 << 31;
    private static final int FIELD_SHIFT = 16;
    private static final int START_MAX = 0xffff;
    private static final int FIELD_MAX = 0xff;

    private TransportChecksum() {}

    /**
     * Returns the state of a partial checksum.
     *
     * @param start offset of the transport in the frame, 0 to 65,535
     * @param field offset of the checksum in the transport, 0 to 255: 6 for UDP, 16 for TCP
     */
    public static int partial(int start, int field) {
        if ((start & ~START_MAX | field & ~FIELD_MAX) != 0) {
            throw new IllegalArgumentException("a checksum from " + start + ", " + field + " behind it; the bounds are "
                    + START_MAX + " and " + FIELD_MAX);
        }
        return PARTIAL | field << FIELD_SHIFT | start;
    }

    /** Returns whether the checksum is partial. */
    public static boolean isPartial(int state) {
        return state < 0;
    }

    /** Returns the start of the bytes to sum in the frame, for a partial checksum. */
    public static int start(int state) {
        return state & START_MAX;
    }

    /** Returns the distance of the field from the start, for a partial checksum. */
    public static int field(int state) {
        return state >>> FIELD_SHIFT & FIELD_MAX;
    }

    /** Returns whether both are inside of a frame of a length; true if it is not partial. */
    static boolean fits(int state, int length) {
        return state >= 0 || start(state) + field(state) + Short.BYTES <= length;
    }

    /** Returns the state after the frame's first byte has moved; unknown if the field is no longer in the frame. */
    static int moved(int state, long bytesBefore, int length) {
        if (state >= 0) {
            return state;
        }
        long start = start(state) + bytesBefore;
        if (start < 0 || start > START_MAX) {
            return UNKNOWN;
        }
        int moved = state & ~START_MAX | (int) start;
        return fits(moved, length) ? moved : UNKNOWN;
    }
}
