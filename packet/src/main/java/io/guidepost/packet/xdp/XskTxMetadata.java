package io.guidepost.packet.xdp;

import io.guidepost.base.Memory;
import io.guidepost.packet.TransportChecksum;

/**
 * What is said of a frame that leaves, in the bytes before it (linux/if_xdp.h); the frame's entry in the ring says that it is
 * there.
 *
 * <pre>
 *  struct xsk_tx_metadata, 24 bytes:  0 flags   8 checksum from (short)   10 checksum at, from there (short)   16 when
 * </pre>
 */
final class XskTxMetadata {
    static final int BYTES = 24;

    /** Option of an entry in the ring, in the upper half of the word that has the length in the lower. */
    static final long OPTION = 2L << 32;

    private static final long FLAG_CHECKSUM = 2;
    private static final int FIELD_SHIFT = 16;

    private XskTxMetadata() {}

    /** Writes it before a frame whose checksum is partial. */
    static void write(long frame, int state) {
        Memory.put64Le(frame - BYTES, FLAG_CHECKSUM);
        Memory.put64Le(
                frame - BYTES + 8, TransportChecksum.start(state) | (long) TransportChecksum.field(state) << FIELD_SHIFT);
    }
}
