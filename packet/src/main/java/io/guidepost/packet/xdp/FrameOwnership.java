package io.guidepost.packet.xdp;

import java.util.function.LongConsumer;

/**
 * Tracks which pieces of packet memory the kernel owns for a queue, one bit each: those in its rings, and those that it
 * took from them and has not returned. They are freed when the queue is closed.
 */
final class FrameOwnership {
    private final long[] bits;
    private final int shift;

    /** Creates the bitmap for pieces of a power of two size, none of which the kernel owns. */
    FrameOwnership(int pieces, int pieceBytes) {
        bits = new long[(pieces >>> 6) + 1];
        shift = Integer.numberOfTrailingZeros(pieceBytes);
    }

    /** Flips the owner of a piece, given by the distance of any of its bytes from the first piece. */
    void turn(long distance) {
        int piece = (int) (distance >>> shift);
        bits[piece >>> 6] ^= 1L << piece;
    }

    /** Passes the distances of all pieces that the kernel owns, and clears them. */
    void drain(LongConsumer each) {
        for (int i = 0; i < bits.length; i++) {
            for (long left = bits[i]; left != 0; left &= left - 1) {
                each.accept((long) (i << 6 | Long.numberOfTrailingZeros(left)) << shift);
            }
            bits[i] = 0;
        }
    }
}
