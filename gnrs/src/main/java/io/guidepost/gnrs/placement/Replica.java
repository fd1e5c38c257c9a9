package io.guidepost.gnrs.placement;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * One of the K copies of a GUID, and how its server was found.
 *
 * @param number its index among the K, from 0
 * @param hashed the addresses that were hashed, in order: all but the last lie in holes of the address space
 * @param block the announced block that was chosen, as {@code base/length}; its base alone in compatible mode, which
 *     drops lengths
 * @param deputy whether the last address too lies in a hole, and the block is the nearest by XOR
 * @param as the AS that announces the block, unsigned 32 bits
 * @param server the server that the AS is bound to; empty if it has none, which only compatible placement permits
 * @param here whether that is this server
 */
public record Replica(
        int number,
        List<InetAddress> hashed,
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
