package io.guidepost.gnrs.peer;

import io.guidepost.base.AddressText;
import io.guidepost.base.SourceNetwork;
import io.guidepost.names.Exchange;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The table of all servers of the deployment, this one included. A peer stays known, with its measurements, when the
 * tables change; their number is bounded by what the bindings and the membership file name. Any thread may call.
 */
public final class PeerTable {
    private final Set<InetSocketAddress> own;
    private final Map<InetSocketAddress, Peer> peers = new ConcurrentHashMap<>();
    private volatile Map<InetSocketAddress, PeerDescriptor> named = Map.of();
    private volatile PeerDescriptor.Kind kindDefault;

    private volatile boolean others;

    private final AtomicInteger version = new AtomicInteger();

    /** The peers' addresses, for testing whether a datagram came from one. */
    private volatile Known known = new Known(List.of());

    /**
     * Creates a table with no other server.
     *
     * @param own addresses under which this server stands in the bindings
     * @param kindDefault the kind of servers that are not described otherwise
     */
    public PeerTable(Set<InetSocketAddress> own, PeerDescriptor.Kind kindDefault) {
        this.own = Set.copyOf(own);
        this.kindDefault = kindDefault;
    }

    /** Takes the servers of a membership file, and the addresses that the bindings name. */
    public synchronized void update(Collection<PeerDescriptor> sites, Collection<InetSocketAddress> bound, PeerDescriptor.Kind standard) {
        named = sites.stream().collect(Collectors.toUnmodifiableMap(PeerDescriptor::address, each -> each));
        kindDefault = standard;
        peers.replaceAll((address, peer) -> peer.descriptor().equals(site(address)) ? peer : make(address));
        sites.forEach(site -> of(site.address()));
        bound.forEach(this::of);
        known = new Known(List.copyOf(peers.values()));
        version.incrementAndGet();
    }

    /** Returns a number that is another one after a peer has come, or has been described anew. */
    public int version() {
        return version.get();
    }

    /** Returns the server at an address that the bindings or the membership file name. */
    public Peer of(InetSocketAddress address) {
        Peer peer = peers.get(address);
        if (peer == null) {
            peer = peers.computeIfAbsent(address, this::make);
            version.incrementAndGet();
        }
        return peer;
    }

    private Peer make(InetSocketAddress address) {
        Peer peer = new Peer(site(address), own.contains(address));
        others |= !peer.own();
        return peer;
    }

    /** Returns whether there is any server but this one. */
    public boolean others() {
        return others;
    }

    private PeerDescriptor site(InetSocketAddress address) {
        PeerDescriptor site = named.get(address);
        return site != null ? site : new PeerDescriptor(AddressText.of(address), address, kindDefault);
    }

    /** Returns the least of the addresses under which this server stands in the bindings; empty if it has none. */
    public Optional<InetSocketAddress> ownAddress() {
        return own.stream().min(Comparator.comparing(InetSocketAddress::toString));
    }

    /** Returns this server itself, if it stands in the bindings or the membership file. */
    public Optional<Peer> own() {
        return ownAddress().map(this::of);
    }

    /** Returns whether no other server is known. */
    public boolean alone() {
        return peers.values().stream().allMatch(Peer::own);
    }

    /** Returns all of them, in no order. */
    public Collection<Peer> all() {
        return peers.values();
    }

    /** Returns the peer that a datagram came from, or null if it came from none. */
    public @Nullable Peer at(long high, long low, int port) {
        return known.at(high, low, port);
    }

    /** Returns whether a peer is in a network, as {@link SourceNetwork} numbers it. */
    public boolean isIn(long network) {
        return known.networks.contains(network);
    }

    /** Returns whether a server of the deployment has this host address, at any port. */
    public boolean isHost(long high, long low) {
        return known.isHost(high, low);
    }

    /** Peers by their addresses as numbers; immutable, searched for each datagram. */
    private static final class Known {
        private final Peer[] table;
        private final long[] hosts;

        /** The networks of the peers, as {@link SourceNetwork} numbers them. */
        private final Set<Long> networks;

        Known(List<Peer> all) {
            table = new Peer[Math.max(4, Integer.highestOneBit(Math.max(1, all.size())) << 2)];
            hosts = new long[2 * table.length];
            networks = all.stream()
                    .filter(each -> !each.own())
                    .map(each -> SourceNetwork.of(each.high(), each.low()))
                    .collect(Collectors.toUnmodifiableSet());
            for (Peer each : all) {
                put(each);
            }
        }

        private void put(Peer peer) {
            int slot = slot(peer.high(), peer.low(), peer.port());
            while (table[slot] != null) {
                slot = slot + 1 & table.length - 1;
            }
            table[slot] = peer;
            slot = slot(peer.high(), peer.low(), 0);
            while ((hosts[2 * slot] | hosts[2 * slot + 1]) != 0) {
                slot = slot + 1 & table.length - 1;
            }
            hosts[2 * slot] = peer.high();
            hosts[2 * slot + 1] = peer.low();
        }

        @Nullable Peer at(long high, long low, int port) {
            for (int slot = slot(high, low, port); table[slot] != null; slot = slot + 1 & table.length - 1) {
                if (table[slot].isAt(high, low, port)) {
                    return table[slot];
                }
            }
            return null;
        }

        boolean isHost(long high, long low) {
            int slot = slot(high, low, 0);
            while ((hosts[2 * slot] | hosts[2 * slot + 1]) != 0) {
                if (hosts[2 * slot] == high && hosts[2 * slot + 1] == low) {
                    return true;
                }
                slot = slot + 1 & table.length - 1;
            }
            return false;
        }

        private int slot(long high, long low, int port) {
            long mixed = (high ^ Long.rotateLeft(low, 17) ^ port) * 0x9e3779b97f4a7c15L;
            return (int) (mixed >>> 40) & table.length - 1;
        }
    }
}
