package io.guidepost.gnrs.antientropy;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.peer.MergeRequest;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.gnrs.replica.HintedHandoff;
import io.guidepost.gnrs.replica.SyncLimits;
import io.guidepost.gnrs.replica.SyncState;
import io.guidepost.gnrs.replica.SyncStates;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Does the rebalancing after a change of tables: merges each record that is placed elsewhere now at its new servers, and removes
 * it here when a quorum of them holds it, unless it has changed meanwhile. A server that does not confirm gets a hint.
 */
final class Rebalancer {
    private final ThrottledRequests talk;
    private final LocalReplicas own;
    private final HintedHandoff hints;
    private final SyncStates partners;
    private final ReplicationSettings settings;
    private final Counters<PeerCount> counts;
    private final Set<byte[]> keys = new TreeSet<>(java.util.Arrays::compareUnsigned);

    private final class Transfer {
        private final byte[] key;
        private final byte[] image;
        private final int needed;
        private final Placement by;
        private final Set<Peer> left;
        private final List<Peer> failed = new ArrayList<>();
        private int held;

        Transfer(byte[] key, byte[] image, int needed, Placement by, Set<Peer> left, Set<Peer> unable) {
            this.key = key;
            this.image = image;
            this.needed = needed;
            this.by = by;
            this.left = left;
            this.failed.addAll(unable);
        }

        void ended(Peer peer, boolean done) {
            left.remove(peer);
            if (done) {
                held++;
            } else {
                failed.add(peer);
            }
            if (left.isEmpty()) {
                keys.remove(key);
                if (held >= needed && own.remove(key, LocalReplicas.digest(image), by)) {
                    counts.count(PeerCount.REPLICATED_RECORDS_HANDED_OVER);
                    failed.forEach(each -> hints.add(each, image));
                }
            }
        }
    }

    Rebalancer(ThrottledRequests talk, LocalReplicas own, Deployment deployment, Counters<PeerCount> counts) {
        this.talk = talk;
        this.own = own;
        this.hints = deployment.hints();
        this.partners = deployment.syncStates();
        this.settings = deployment.settings();
        this.counts = counts;
    }

    boolean idle() {
        return keys.isEmpty();
    }

    /** Returns whether one more transfer, to {@code servers} servers, may start. */
    boolean open(int servers) {
        return keys.size() < SyncLimits.HANDOVERS_MAX && talk.room() >= servers && talk.open();
    }

    /**
     * Starts the transfer of a record, if {@link #open}.
     *
     * @param by the placement in force
     * @param servers all servers where it is placed by that
     */
    void start(byte[] key, Placement by, List<Peer> servers) {
        byte[] image = keys.contains(key) ? null : own.shared(key);
        if (image == null) {
            return;
        }
        Set<Peer> able = new LinkedHashSet<>();
        Set<Peer> unable = new LinkedHashSet<>();
        for (Peer each : servers) {
            if (each.descriptor().kind() == PeerDescriptor.Kind.GUIDEPOST) {
                // A server with other tables may be about to transfer the same record to here: both would remove it.
                boolean same = partners.of(each).tables() == SyncState.Tables.SAME;
                (same ? able : unable).add(each);
            }
        }
        int needed = settings.quorum().of(servers.size());
        if (able.size() < needed) {
            // Servers of the first version do not count: they keep no stamps, and would lose deletions.
            return;
        }
        keys.add(key);
        Transfer transfer = new Transfer(key, image, needed, by, new LinkedHashSet<>(able), unable);
        for (Peer each : able) {
            MergeRequest push = new MergeRequest(each, image, false) {
                @Override
                public void ended(int code, long newest, long digest) {
                    transfer.ended(each, code == PeerWire.DONE);
                }
            };
            if (!talk.ask(push, push.bytes())) {
                transfer.ended(each, false);
            }
        }
    }
}
