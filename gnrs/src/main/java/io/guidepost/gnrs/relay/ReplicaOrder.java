package io.guidepost.gnrs.relay;

import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.gnrs.peer.PeerTable;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.placement.LivePlacement;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.gnrs.quorum.QuorumLimits;
import io.guidepost.gnrs.replica.Deployment;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The order in which a record's servers are asked: the servers of the tables in force, then those of the previous
 * tables while records may still be there. Within each group this server is first; then, if the nearest are wanted
 * first, peers by round-trip time, unknown ones, and those that are down. Belongs to one worker.
 */
final class ReplicaOrder {
    private final Deployment deployment;
    private final PeerTable peers;
    private final LivePlacement placement;
    private final Placer placer;
    private final ReplicationSettings settings;
    private final RandomGenerator random;
    private final InetSocketAddress[] servers = new InetSocketAddress[QuorumLimits.SERVERS_MAX];
    private Placement previous;
    private Placer previousPlacer;

    ReplicaOrder(Deployment deployment, Placer placer, RandomGenerator random) {
        this.deployment = deployment;
        this.peers = deployment.peers();
        this.placement = deployment.placement();
        this.settings = deployment.settings();
        this.placer = placer;
        this.random = random;
        this.previous = placement.previous();
        this.previousPlacer = previous.placer();
    }

    /** Returns whether records may still be where the previous tables had them. */
    @SuppressWarnings("ReferenceEquality") // A new snapshot is a new object, even if it is equal.
    boolean moving() {
        return placement.previous() != placement.get();
    }

    boolean isHere(MemorySegment segment, long guid) {
        return placer.isHere(segment, guid);
    }

    /**
     * Returns whether this server may miss writes of a record: records are moving, or the server is not in line with one of the
     * others that keep this one.
     */
    boolean mayLag(MemorySegment segment, long guid) {
        return moving() || deployment.lagging() && !isInLine(segment, guid);
    }

    private boolean isInLine(MemorySegment segment, long guid) {
        int count = placer.servers(segment, guid, servers);
        for (int i = 0; i < count; i++) {
            Peer peer = peers.of(servers[i]);
            if (!peer.own()
                    && peer.descriptor().kind() == PeerDescriptor.Kind.GUIDEPOST
                    && !deployment.syncStates().inLine(peer)) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings("ReferenceEquality")
    private Placer before() {
        Placement now = placement.previous();
        if (now != previous) {
            previous = now;
            previousPlacer = now.placer();
        }
        return previousPlacer;
    }

    /** Returns the servers of a record in the order in which they are asked; none if there are no tables. */
    List<RecordFetch.ReplicaCandidate> of(MemorySegment segment, long guid) {
        int count = placer.servers(segment, guid, servers);
        List<Peer> now = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            now.add(peers.of(servers[i]));
        }
        List<Peer> then = List.of();
        if (moving()) {
            count = before().servers(segment, guid, servers);
            then = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                then.add(peers.of(servers[i]));
            }
        }
        List<RecordFetch.ReplicaCandidate> candidates = new ArrayList<>(now.size() + then.size());
        arrange(now);
        for (Peer each : now) {
            candidates.add(new RecordFetch.ReplicaCandidate(each, true, then.contains(each)));
        }
        if (!then.isEmpty()) {
            arrange(then);
            for (Peer each : then) {
                if (!now.contains(each)) {
                    candidates.add(new RecordFetch.ReplicaCandidate(each, false, true));
                }
            }
        }
        return candidates;
    }

    /** Sorts servers into that order: few, so by insertion. */
    private void arrange(List<Peer> list) {
        for (int i = list.size() - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            Peer swapped = list.get(i);
            list.set(i, list.get(j));
            list.set(j, swapped);
        }
        boolean nearest = settings.choice() != ReplicationSettings.Choice.RANDOM;
        boolean explore = nearest && random.nextInt(RelayLimits.EXPLORE) == 0;
        for (int i = 1; i < list.size(); i++) {
            Peer peer = list.get(i);
            long rank = rank(peer, nearest, explore);
            int j = i;
            for (; j > 0 && rank(list.get(j - 1), nearest, explore) > rank; j--) {
                list.set(j, list.get(j - 1));
            }
            list.set(j, peer);
        }
    }

    private static long rank(Peer peer, boolean nearest, boolean explore) {
        if (peer.own()) {
            return -2;
        }
        return switch (peer.health()) {
            case UP -> nearest ? peer.rttNanos() : 0;
            case UNKNOWN -> explore ? -1 : nearest ? Long.MAX_VALUE - 1 : 0;
            case DOWN -> Long.MAX_VALUE;
        };
    }
}
