package io.guidepost.packet.xdp;

import io.guidepost.base.Memory;
import io.guidepost.packet.TransportChecksum;

/**
 * The metadata before a frame to send (linux/if_xdp.h); an option of the frame's ring entry announces it.
 *
 * <pre>
 *  struct xsk_tx_metadata, 24 bytes:  0 flags   8 checksum from (short)   10 checksum at, from there (short)   16 when
 * </pre>
 */
final class XskTxMetadata {
    static final int BYTES = 24;

    /** The option of a ring entry, in the upper half of the word that has the length in the lower. */
    static final long OPTION = 2L << 32;

    private static final long FLAG_CHECKSUM = 2;
    private static final int FIELD_SHIFT = 16;

    private XskTxMetadata() {}

    /** Writes the metadata of a frame with a partial checksum. */
    static void write(long frame, int state) {
        Memory.put64Le(frame - BYTES, FLAG_CHECKSUM);
        Memory.put64Le(
                frame - BYTES + 8, TransportChecksum.start(state) | (long) TransportChecksum.field(state) << FIELD_SHIFT);
    }
}
