package io.guidepost.gnrs.quorum;

import io.guidepost.base.CommonLimits;
import io.guidepost.base.Counters;
import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.PeerGateway;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.gnrs.peer.PeerRequests;
import io.guidepost.gnrs.peer.PeerTable;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.placement.LivePlacement;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.gnrs.replica.HintedHandoff;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Writes of clients, at all servers that keep the record. One worker's.
 *
 * <p>A write is done when a quorum of the different servers of its GUID holds it durably, see {@link QuorumWrite}.
 * Writes of one GUID keep their order, see {@link WriteQueue}. A request that comes again is answered as before, see
 * {@link DuplicateRequestCache}.
 */
public final class QuorumWrites {
    /** Where a stored form has its GUID. */
    private static final int GUID_AT = RecordImage.HEADER_BYTES + 1;

    /** What a stored form has of stamps besides those of its bindings. */
    private static final int STAMPS_BYTES = 16;

    /** Stands for this server where there are no tables that name it, and so no others. */
    private static final Peer HERE = new Peer(
            new PeerDescriptor("here", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), PeerDescriptor.Kind.GUIDEPOST), true);

    private final ReplicationSettings settings;
    private final int bindingsMax;
    private final PeerTable peers;
    private final LivePlacement placement;
    private final Placer placer;
    private final HybridClock clock;
    private final LongSupplier nanoClock;
    private final HintedHandoff hints;
    private final PeerRequests questions;
    private final LocalWrites own;
    private final Counters<PeerCount> counts;
    private final Locator origin;
    private final DuplicateRequestCache repeats;
    private final Map<Guid, WriteQueue> lines = new HashMap<>();
    private final ArrayDeque<ClientWrite> decided = new ArrayDeque<>();
    private final InetSocketAddress[] servers = new InetSocketAddress[QuorumLimits.SERVERS_MAX];

    /** Scratch: the servers of the write that is being made. */
    private final List<Peer> keepers = new ArrayList<>(QuorumLimits.SERVERS_MAX);

    private Placement previous;
    private Placer previousPlacer;
    private Heard heard = (_, _) -> {};
    private int waiting;
    private boolean taking;
    private long nowMillis;

    public QuorumWrites(
            Deployment deployment, Placer placer, PeerRequests questions, Counters<PeerCount> counts, Runnable wake) {
        this.settings = deployment.settings();
        this.bindingsMax = deployment.door().bindingsMax();
        this.peers = deployment.peers();
        this.placement = deployment.placement();
        this.placer = placer;
        this.clock = deployment.clock();
        this.nanoClock = deployment.nanoClock();
        this.hints = deployment.hints();
        this.questions = questions;
        this.own = new LocalWrites(deployment, wake);
        this.counts = counts;
        this.origin = deployment.origin();
        this.repeats = new DuplicateRequestCache(deployment.random(), counts);
        this.previous = placement.previous();
        this.previousPlacer = previous.placer();
    }

    /** Starts a turn: hears of what has become durable here. */
    public void begin(long now) {
        nowMillis = now;
        own.drain();
        for (ClientWrite each = decided.poll(); each != null; each = decided.poll()) {
            tell(each);
        }
    }

    /** Hears of every write when it is told what became of it, and before those who asked. */
    @FunctionalInterface
    public interface Heard {
        /**
         * A write is done, or failed and may yet take effect.
         *
         * @param change what was written, in stored form
         * @param whole whether it is done, and the record is now this and nothing else
         */
        void wrote(byte[] change, boolean whole);
    }

    /** Says who hears of writes. */
    public void heard(Heard who) {
        heard = who;
    }

    Heard heard() {
        return heard;
    }

    /** How long until the next turn must begin, in nanoseconds. */
    public long restNanos() {
        return decided.isEmpty() ? Long.MAX_VALUE : 0;
    }

    /** See {@link PeerGateway#write}. Whoever asks is told in a later call, never within this one. */
    public boolean write(byte[] image, boolean append, boolean recursive, Exchange asker, PeerGateway.Written written) {
        taking = true;
        boolean taken = take(image, append, recursive, asker, written);
        taking = false;
        return taken;
    }

    private boolean take(byte[] image, boolean append, boolean recursive, Exchange asker, PeerGateway.Written written) {
        MemorySegment record = MemorySegment.ofArray(image);
        Guid guid = Guid.read(record, GUID_AT);
        long nanos = nanoClock.getAsLong();
        ClientWrite earlier = repeats.earlier(asker, guid, nanos);
        if (waiting >= settings.relaysMax()) {
            return false;
        }
        if (earlier != null) {
            counts.count(PeerCount.WRITES_REPEATED);
            waiting++;
            earlier.join(written);
            if (earlier.told()) {
                decided.add(earlier);
            }
            return true;
        }
        ClientWrite request = new ClientWrite(written);
        if (image.length + STAMPS_BYTES + 8 * RecordImage.bindings(record, 0)
                > CommonLimits.SHARED_RECORD_BYTES_MAX) {
            waiting++;
            decided(List.of(request), GnrsCount.WRITES_RECORD_BYTES_MAX, 0, 0);
            return true;
        }
        if (!(recursive ? writeAll(guid, image, append, request) : writeHere(image, append, request))) {
            return false;
        }
        waiting++;
        repeats.remember(asker, guid, nanos, request);
        return true;
    }

    /** Writes the own copy alone, if there is one. */
    private boolean writeHere(byte[] image, boolean append, ClientWrite request) {
        int count = placed(image, keepers);
        keepers.removeIf(each -> !each.own());
        if (keepers.isEmpty()) {
            decided(List.of(request), GnrsCount.WRITES_ELSEWHERE, 0, settings.quorum().of(count));
        } else {
            new QuorumWrite(this, new WriteQueue(this, null), List.of(request), image, !append, keepers, 1, 1).send();
        }
        return true;
    }

    private boolean writeAll(Guid guid, byte[] image, boolean append, ClientWrite request) {
        WriteQueue line = lines.get(guid);
        if (line == null) {
            if (questions.room() < QuorumLimits.SERVERS_MAX) {
                return false;
            }
            line = new WriteQueue(this, guid);
            lines.put(guid, line);
            start(line, List.of(request), image, !append);
            return true;
        }
        if (line.full()) {
            counts.count(PeerCount.WRITES_WAITING_MAX);
            return false;
        }
        GnrsCount refused = line.add(image, append, request);
        if (refused != null) {
            decided(List.of(request), refused, 0, 0);
        }
        return true;
    }

    /** Starts a write of a line. */
    void start(WriteQueue line, List<ClientWrite> requests, byte[] image, boolean update) {
        int counted = placed(image, keepers);
        addPrevious(image, keepers);
        int needed = settings.quorum().of(counted);
        new QuorumWrite(this, line, requests, image, update, keepers, counted, needed).send();
    }

    /** Finds the servers of a record; returns how many there are. */
    private int placed(byte[] image, List<Peer> found) {
        found.clear();
        int count = placer.servers(MemorySegment.ofArray(image), GUID_AT, servers);
        if (count == 0) {
            found.add(HERE);
            return 1;
        }
        for (int i = 0; i < count; i++) {
            found.add(peers.of(servers[i]));
        }
        return count;
    }

    /** Adds those that kept the record before the tables changed, as long as they may still be asked for it. */
    @SuppressWarnings("ReferenceEquality") // A new snapshot is a new object, whether or not it says the same.
    private void addPrevious(byte[] image, List<Peer> found) {
        Placement before = placement.previous();
        if (before == placement.get()) {
            return;
        }
        if (before != previous) {
            previous = before;
            previousPlacer = before.placer();
        }
        int count = previousPlacer.servers(MemorySegment.ofArray(image), GUID_AT, servers);
        for (int i = 0; i < count; i++) {
            Peer peer = peers.of(servers[i]);
            if (!found.contains(peer)) {
                found.add(peer);
            }
        }
    }

    /** Says what became of requests: at once, or if one is being taken, in the next turn. */
    void decided(List<ClientWrite> requests, GnrsCount result, int held, int needed) {
        for (int i = 0; i < requests.size(); i++) {
            ClientWrite request = requests.get(i);
            request.decide(result, held, needed);
            repeats.decided(request);
            if (taking) {
                decided.add(request);
            } else {
                tell(request);
            }
        }
    }

    private void tell(ClientWrite request) {
        waiting -= request.waiting();
        request.tell();
    }

    /** No write of a GUID is under way or waits. */
    void idle(Guid guid) {
        lines.remove(guid);
    }

    /** A stamp for a write. */
    long stamp() {
        return clock.next(nowMillis);
    }

    /** Sees to it that the next stamp is later than one of another server; false if that is too far ahead of the clock. */
    boolean seen(long stamp) {
        if (HybridClock.millis(stamp) - settings.stampAheadMillis() > nowMillis) {
            return false;
        }
        clock.seen(stamp);
        return true;
    }

    /** Whether a server need not be asked where others can: it is down, and gets hints when it is back. */
    boolean spares(Peer peer) {
        return peer.health() == Peer.Health.DOWN && hints.count(peer) > 0;
    }

    /** Keeps a change for a server that did not confirm it; those of the first version are not caught up with. */
    void hint(Peer peer, byte[] change) {
        if (!peer.own() && peer.descriptor().kind() == PeerDescriptor.Kind.GUIDEPOST) {
            hints.add(peer, change);
            counts.count(PeerCount.HINTS);
        }
    }

    long nowMillis() {
        return nowMillis;
    }

    ReplicationSettings settings() {
        return settings;
    }

    int bindingsMax() {
        return bindingsMax;
    }

    PeerRequests questions() {
        return questions;
    }

    LocalWrites own() {
        return own;
    }

    Counters<PeerCount> counts() {
        return counts;
    }

    Locator origin() {
        return origin;
    }
}
