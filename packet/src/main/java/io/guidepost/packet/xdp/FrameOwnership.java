package io.guidepost.packet.xdp;

import java.util.function.LongConsumer;

/**
 * Which pieces of packet memory the kernel has of a queue, one bit each: what is in its rings, and what it has taken out
 * of them and not given back. When the queue is closed these are free again; nobody else could say which they are.
 */
final class FrameOwnership {
    private final long[] bits;
    private final int shift;

    /** A ledger of so many pieces of a size that is a power of two, none of which the kernel has. */
    FrameOwnership(int pieces, int pieceBytes) {
        bits = new long[(pieces >>> 6) + 1];
        shift = Integer.numberOfTrailingZeros(pieceBytes);
    }

    /** Notes that a piece changes sides; it is told by the distance of any of its bytes from the first piece. */
    void turn(long distance) {
        int piece = (int) (distance >>> shift);
        bits[piece >>> 6] ^= 1L << piece;
    }

    /** Tells the distances of all pieces that the kernel has, and forgets them. */
    void drain(LongConsumer each) {
        for (int i = 0; i < bits.length; i++) {
            for (long left = bits[i]; left != 0; left &= left - 1) {
                each.accept((long) (i << 6 | Long.numberOfTrailingZeros(left)) << shift);
            }
            bits[i] = 0;
        }
    }
}
