package io.guidepost.gnrs;

import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * One of the K copies of a GUID, and how its server was found.
 *
 * @param number which of the K, from 0
 * @param hashed the addresses that were hashed, in order: all but the last lie in holes of the address space
 * @param block the announced block that was chosen, as {@code base/length}
 * @param deputy whether the last address too lies in a hole, and the block is the nearest by XOR
 * @param as the AS that announces the block, unsigned 32 bits
 * @param server the server that the AS is bound to; empty if it is bound to none, which only placement compatible
 *     with the older servers leaves so
 * @param here whether that is this server
 */
public record Replica(
        int number,
        List<Inet4Address> hashed,
        String block,
        boolean deputy,
        long as,
        Optional<InetSocketAddress> server,
        boolean here) {
    /** Copies the list, so that the replica cannot change. */
    public Replica {
        hashed = List.copyOf(hashed);
    }
}
