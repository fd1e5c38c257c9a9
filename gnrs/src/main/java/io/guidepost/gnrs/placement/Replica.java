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

    /** Returns one line that explains how the server was found. */
    public String explain() {
        StringBuilder line = new StringBuilder("replica ").append(number).append(':');
        for (int i = 0; i < hashed.size(); i++) {
            boolean last = i == hashed.size() - 1;
            line.append(i == 0 ? " hashes to " : ", again to ").append(hashed.get(i).getHostAddress());
            line.append(last && !deputy ? "" : " (a hole)");
        }
        line.append(deputy ? "; nearest block " : " in ").append(block);
        line.append(" of AS ").append(as);
        line.append(server.isEmpty() ? ", which has no server" : ", server " + text(server.get()));
        return line.append(here ? " (here)" : "").toString();
    }

    private static String text(InetSocketAddress server) {
        String host = server.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + server.getPort();
    }
}
