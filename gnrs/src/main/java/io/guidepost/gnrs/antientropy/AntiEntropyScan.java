package io.guidepost.gnrs.antientropy;

import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerTable;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.gnrs.replica.DigestRanges;
import io.guidepost.gnrs.replica.SyncLimits;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One scan through all records, for all peers at the same time: compares the records in ranges that differ from a
 * peer's one by one, and hands over records that are placed elsewhere now.
 */
final class AntiEntropyScan {
    private static final System.Logger LOG = System.getLogger(AntiEntropyScan.class.getName());

    private final RecordStore store;
    private final Placement placement;
    private final Placer placer;
    private final PeerTable peers;
    private final ThrottledRequests talk;
    private final RecordReconciler fixes;
    private final Rebalancer handovers;
    private final Map<InetSocketAddress, Target> targets;
    private final InetSocketAddress[] servers = new InetSocketAddress[64];
    private final ArrayDeque<OutgoingBatch> waiting = new ArrayDeque<>();
    private final List<Entry> piece = new ArrayList<>();

    /** Ranges whose records are looked at: those that differ, or all while records are here that are placed elsewhere. */
    private final long[] wanted;

    private int visited;
    private int inFlight;
    private int at;
    private byte @Nullable [] cursor;
    private boolean read;
    private boolean flushed;

    /** A peer whose ranges differ. */
    static final class Target {
        final SyncSchedule course;
        final long[] ranges;
        private CompareRequest.Batch batch = new CompareRequest.Batch();
        private boolean givenUp;

        Target(SyncSchedule course, long[] ranges) {
            this.course = course;
            this.ranges = ranges;
        }
    }

    private record Entry(byte[] key, int range, long digest) {}

    private record OutgoingBatch(Target target, CompareRequest.Batch batch) {}

    AntiEntropyScan(
            Deployment deployment,
            Placement placement,
            ThrottledRequests talk,
            RecordReconciler fixes,
            Rebalancer handovers,
            Map<InetSocketAddress, Target> targets) {
        this.store = deployment.store();
        this.peers = deployment.peers();
        this.placement = placement;
        this.placer = placement.placer();
        this.talk = talk;
        this.fixes = fixes;
        this.handovers = handovers;
        this.targets = targets;
        this.wanted = deployment.digests().elsewhere() > 0
                ? DigestRanges.all()
                : DigestRanges.union(targets.values().stream().map(each -> each.ranges).toList());
    }

    Iterable<Target> targets() {
        return targets.values();
    }

    /** Returns whether all records were compared and reconciled, as far as peers responded. */
    boolean ended() {
        return flushed && waiting.isEmpty() && inFlight == 0 && fixes.idle() && handovers.idle();
    }

    /** Returns the progress, 0 to 100: GUIDs are practically uniform. */
    int percent() {
        byte[] to = cursor;
        return read || to == null ? read ? 100 : 0 : (ByteBuffer.wrap(to).getShort(1) & 0xffff) * 100 >>> 16;
    }

    /** Returns whether a request could be sent if the byte budget allows. */
    boolean more() {
        boolean send = !waiting.isEmpty() && inFlight < SyncLimits.BATCHES_MAX;
        boolean look = waiting.isEmpty() && !flushed && fixes.size() < SyncLimits.FIXES_MAX;
        return send || look && handovers.open(1);
    }

    /** Continues as far as the bounds allow, and reads one piece at most: responses are taken between two. */
    void work() {
        boolean mayRead = true;
        send();
        while (waiting.isEmpty() && !flushed && fixes.size() < SyncLimits.FIXES_MAX && talk.open()) {
            if (at == piece.size()) {
                if (read) {
                    flush();
                } else if (!mayRead || !readPiece()) {
                    return;
                } else {
                    mayRead = false;
                }
            } else if (!look(piece.get(at))) {
                return;
            } else {
                at++;
            }
            send();
        }
    }

    private boolean readPiece() {
        piece.clear();
        at = 0;
        visited = 0;
        try {
            store.images(cursor, (key, image) -> {
                if (key[0] != Name.Namespace.GUID.code()) {
                    return false;
                }
                cursor = key;
                int range = key.length == 1 + Guid.BYTES ? DigestRanges.of(MemorySegment.ofArray(key), 1) : -1;
                if (range >= 0 && DigestRanges.contains(wanted, range)) {
                    piece.add(new Entry(key, range, LocalReplicas.digest(image)));
                }
                return ++visited < SyncLimits.PIECE_RECORDS;
            });
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "the anti-entropy scan cannot read records: {0}", e.getMessage());
            piece.clear();
            return false;
        }
        read = visited < SyncLimits.PIECE_RECORDS;
        return true;
    }

    /** Looks at one record; returns false if it must wait. */
    private boolean look(Entry entry) {
        MemorySegment key = MemorySegment.ofArray(entry.key);
        int found = placer.servers(key, 1, servers);
        boolean own = found == 0;
        for (int i = 0; i < found; i++) {
            own |= peers.of(servers[i]).own();
        }
        if (!own) {
            if (!handovers.open(found)) {
                return false;
            }
            List<Peer> to = new ArrayList<>();
            for (int i = 0; i < found; i++) {
                to.add(peers.of(servers[i]));
            }
            handovers.start(entry.key, placement, to);
            return true;
        }
        for (int i = 0; i < found; i++) {
            Target target = targets.get(servers[i]);
            if (target != null && !target.givenUp && DigestRanges.contains(target.ranges, entry.range)) {
                target.batch.add(entry.key, entry.digest);
                if (target.batch.full()) {
                    waiting.add(new OutgoingBatch(target, target.batch));
                    target.batch = new CompareRequest.Batch();
                }
            }
        }
        return true;
    }

    private void flush() {
        flushed = true;
        for (Target each : targets.values()) {
            if (each.batch.size > 0) {
                waiting.add(new OutgoingBatch(each, each.batch));
            }
        }
    }

    private void send() {
        while (!waiting.isEmpty() && inFlight < SyncLimits.BATCHES_MAX && talk.open()) {
            OutgoingBatch sending = waiting.remove();
            if (!sending.target.givenUp) {
                compare(sending);
            }
        }
    }

    private void compare(OutgoingBatch sending) {
        SyncSchedule course = sending.target.course;
        CompareRequest question = new CompareRequest(course.peer(), sending.batch) {
            @Override
            void differs(byte[] key, boolean there) {
                fixes.add(course, key, there);
            }

            @Override
            void compared() {
                inFlight--;
            }

            @Override
            public void silent() {
                inFlight--;
                if (++sending.batch.attempts < SyncLimits.ATTEMPTS_MAX) {
                    waiting.add(sending);
                } else {
                    sending.target.givenUp = true;
                }
            }
        };
        if (talk.ask(question, sending.batch.bytes())) {
            inFlight++;
        }
    }
}
