package io.guidepost.packet;

import java.util.EnumSet;
import java.util.Set;

/**
 * Work that a device or the kernel takes off the processor.
 *
 * <p>Why not the IPv4 header checksum? It covers 20 bytes that are in the cache; delegating it costs as much as
 * computing it. It is always verified and written here.
 */
public enum Offload {
    /** The checksum of received UDP frames is verified; see {@link TransportChecksum}. */
    RX_UDP_CHECKSUM,
    /** The same for TCP. */
    RX_TCP_CHECKSUM,
    /** Partial UDP checksums are completed on transmission; a port without this completes them in software. */
    TX_UDP_CHECKSUM,
    /** The same for TCP. */
    TX_TCP_CHECKSUM,
    /** Received frames are spread over the queues by a hash of addresses and ports (RSS). */
    RECEIVE_SIDE_SCALING;

    /** Returns a new set of all checksum offloads. */
    public static Set<Offload> checksums() {
        return EnumSet.range(RX_UDP_CHECKSUM, TX_TCP_CHECKSUM);
    }
}
