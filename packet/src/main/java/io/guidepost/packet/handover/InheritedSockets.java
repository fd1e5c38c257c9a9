package io.guidepost.packet.handover;

import io.guidepost.packet.linux.SystemCall;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Bound sockets that another process left to this one, until a port that is opened at their address takes them instead of new ones.
 * One table for the process, as its descriptors are. Thread-safe.
 */
public final class InheritedSockets {
    /** What a socket carries: an address may have one of each. */
    public enum Kind {
        UDP,
        TCP,
        /** No socket: the link of a program on an interface, {@link #ANYWHERE}. */
        XDP
    }

    /** Where there is but one of a kind. */
    public static final InetSocketAddress ANYWHERE = new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0);

    private record Place(Kind kind, InetSocketAddress address) {}

    private static final Map<Place, Deque<Integer>> LEFT = new HashMap<>();

    private InheritedSockets() {}

    /** Leaves a socket for the port that is opened there; several at one address are taken in this order. */
    public static synchronized void leave(Kind kind, InetSocketAddress address, int descriptor) {
        LEFT.computeIfAbsent(new Place(kind, address), _ -> new ArrayDeque<>()).add(descriptor);
    }

    /** Returns how many wait at an address. */
    public static synchronized int count(Kind kind, InetSocketAddress address) {
        return LEFT.getOrDefault(new Place(kind, address), new ArrayDeque<>()).size();
    }

    /** Takes the next socket of an address, which belongs to the caller then; negative if there is none. */
    public static synchronized int take(Kind kind, InetSocketAddress address) {
        Deque<Integer> there = LEFT.get(new Place(kind, address));
        return there == null || there.isEmpty() ? -1 : there.remove();
    }

    /** Closes those that no port took, as no service is at their address any more. */
    public static synchronized void closeRest() {
        LEFT.values().forEach(each -> each.forEach(SystemCall::close));
        LEFT.clear();
    }
}
