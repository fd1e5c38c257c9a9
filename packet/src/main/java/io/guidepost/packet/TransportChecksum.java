package io.guidepost.packet;

/**
 * What a row of a {@link Burst} says of the checksum of a frame's transport (UDP, TCP): one number, 0 if nothing is known,
 * that goes with the frame from port to port.
 *
 * <p>A partial one is left to whoever lets the frame out: the field has the sum of the pseudo header (not its complement),
 * and lacks all from the start of the transport to the end of the frame. That is the way of the kernel and of cards, so a
 * device that can completes it as it sends, and a port whose device cannot does it before that. Every port does, so an
 * application need not ask which.
 *
 * <pre>
 *  31 partial | 30..26 0 | 25 wrong | 24 right | 23..16 field, bytes behind the start | 15..0 start, bytes into the frame
 * </pre>
 */
public final class TransportChecksum {
    /** Nobody looked at it: it is in the frame, and may be right or wrong. */
    public static final int UNKNOWN = 0;

    /** The device or the kernel found that it is right, or knows that nothing can have damaged it. */
    public static final int RIGHT = 1 << 24;

    /** The device found that it is wrong. */
    public static final int WRONG = 1 << 25;

    private static final int PARTIAL = 1 << 31;
    private static final int FIELD_SHIFT = 16;
    private static final int START_MAX = 0xffff;
    private static final int FIELD_MAX = 0xff;

    private TransportChecksum() {}

    /**
     * Returns one that is to be completed.
     *
     * @param start where the transport begins in the frame, 0 to 65,535
     * @param field where the checksum stands in the transport, 0 to 255: 6 of UDP, 16 of TCP
     */
    public static int partial(int start, int field) {
        if ((start & ~START_MAX | field & ~FIELD_MAX) != 0) {
            throw new IllegalArgumentException("a checksum from " + start + ", " + field + " behind it; the bounds are "
                    + START_MAX + " and " + FIELD_MAX);
        }
        return PARTIAL | field << FIELD_SHIFT | start;
    }

    /** Returns whether it is to be completed. */
    public static boolean isPartial(int state) {
        return state < 0;
    }

    /** Of a partial one: where begins what is to be summed, in bytes from the frame's first. */
    public static int start(int state) {
        return state & START_MAX;
    }

    /** Of a partial one: how far behind the start its field is. */
    public static int field(int state) {
        return state >>> FIELD_SHIFT & FIELD_MAX;
    }

    /** Returns whether both are inside of a frame of so many bytes; what is not partial is. */
    static boolean fits(int state, int length) {
        return state >= 0 || start(state) + field(state) + Short.BYTES <= length;
    }

    /** Returns the same for a frame whose first byte is elsewhere now; unknown if the place is no longer in it. */
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
