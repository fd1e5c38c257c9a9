package io.guidepost.packet;

import java.util.EnumSet;
import java.util.Set;

/**
 * Work that a device takes off the processor, or that the kernel does for it.
 *
 * <p>Why are headers of IPv4 not among it? Their checksum is over 20 bytes that are in the cache; to tell a device of it
 * costs as much as to compute it. It is always checked and written here.
 */
public enum Offload {
    /** Of received frames of UDP it says whether their checksum is right; see {@link TransportChecksum}. */
    RX_UDP_CHECKSUM,
    /** The same of TCP. */
    RX_TCP_CHECKSUM,
    /** Partial checksums of UDP are completed as frames leave; a port without this completes them by the processor. */
    TX_UDP_CHECKSUM,
    /** The same of TCP. */
    TX_TCP_CHECKSUM,
    /** Received frames are spread over the queues by a hash of their addresses and ports. */
    RECEIVE_SIDE_SCALING,
    /** Frames longer than 1,518 bytes pass. */
    JUMBO;

    /** Returns all that are about checksums; a new set. */
    public static Set<Offload> checksums() {
        return EnumSet.range(RX_UDP_CHECKSUM, TX_TCP_CHECKSUM);
    }
}
