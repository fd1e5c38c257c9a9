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
 * Clients' writes, at all servers that keep the record. Belongs to one worker.
 *
 * <p>A write succeeds when a quorum of the different servers of its GUID holds it durably, see {@link QuorumWrite}.
 * Writes of one GUID keep their order, see {@link WriteQueue}. A retransmitted request gets the same response, see
 * {@link DuplicateRequestCache}.
 */
public final class QuorumWrites {
    /** Offset of the GUID in a stored form. */
    private static final int GUID_AT = RecordImage.HEADER_BYTES + 1;

    /** Bytes of stamps in a stored form besides those of its bindings. */
    private static final int STAMPS_BYTES = 16;

    /** Stands for this server where no tables name it, and so there are no others. */
    private static final Peer HERE = new Peer(
            new PeerDescriptor("here", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), PeerDescriptor.Kind.GUIDEPOST), true);

    private final ReplicationSettings settings;
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
    private final int waitingPerNameMax;
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
        this.repeats = new DuplicateRequestCache(deployment.bounds().repeatsMax(), deployment.random(), counts);
        this.waitingPerNameMax = deployment.bounds().waitingPerNameMax();
        this.previous = placement.previous();
        this.previousPlacer = previous.placer();
    }

    /** Returns the number of clients' writes that wait. */
    public int waiting() {
        return waiting;
    }

    /** Returns the number of writes that wait behind another of their GUID, of the GUID that has most. */
    public int waitingOfAName() {
        int most = 0;
        for (WriteQueue each : lines.values()) {
            most = Math.max(most, each.size());
        }
        return most;
    }

    /** Returns the number of writes in the duplicate-request cache. */
    public int repeats() {
        return repeats.size();
    }

    int waitingPerNameMax() {
        return waitingPerNameMax;
    }

    /** Starts a turn: takes the local writes that have become durable. */
    public void begin(long now) {
        nowMillis = now;
        own.drain();
        for (ClientWrite each = decided.poll(); each != null; each = decided.poll()) {
            tell(each);
        }
    }

    /** Receives the outcome of every write, before its clients do. */
    @FunctionalInterface
    public interface Heard {
        /**
         * Reports that a write succeeded, or failed and may yet take effect.
         *
         * @param change the change, in stored form
         * @param whole whether it succeeded, and the record is now this change and nothing else
         */
        void wrote(byte[] change, boolean whole);
    }

    /** Sets the listener. */
    public void heard(Heard who) {
        heard = who;
    }

    Heard heard() {
        return heard;
    }

    /** Returns the time until the next turn must begin, in nanoseconds. */
    public long restNanos() {
        return decided.isEmpty() ? Long.MAX_VALUE : 0;
    }

    /** See {@link PeerGateway#write}. The client is answered in a later call, never within this one. */
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
            counts.count(PeerCount.REPEATED_WRITES);
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

    /** Writes the local replica alone, if there is one. */
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
            counts.count(PeerCount.REFUSED_WRITES);
            return false;
        }
        GnrsCount refused = line.add(image, append, request);
        if (refused != null) {
            decided(List.of(request), refused, 0, 0);
        }
        return true;
    }

    void start(WriteQueue line, List<ClientWrite> requests, byte[] image, boolean update) {
        int counted = placed(image, keepers);
        addPrevious(image, keepers);
        int needed = settings.quorum().of(counted);
        new QuorumWrite(this, line, requests, image, update, keepers, counted, needed).send();
    }

    /** Finds the servers of a record; returns their number. */
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

    /** Adds the servers of the previous tables, while they may still be asked for the record. */
    @SuppressWarnings("ReferenceEquality") // A new snapshot is a new object, even if it is equal.
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

    /** Answers requests: at once, or in the next turn if a request is being taken. */
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

    /** Drops the queue of a GUID without writes. */
    void idle(Guid guid) {
        lines.remove(guid);
    }

    long stamp() {
        return clock.next(nowMillis);
    }

    /** Advances the clock beyond a stamp of another server; returns false if that is too far ahead. */
    boolean seen(long stamp) {
        if (HybridClock.millis(stamp) - settings.stampAheadMillis() > nowMillis) {
            return false;
        }
        clock.seen(stamp);
        return true;
    }

    /** Returns whether a server may be spared: it is down, and gets hints when it is back. */
    boolean spares(Peer peer) {
        return peer.health() == Peer.Health.DOWN && hints.count(peer) > 0;
    }

    /** Adds a hint for a server that did not confirm a change; servers of the first version get none. */
    void hint(Peer peer, byte[] change) {
        if (!peer.own() && peer.descriptor().kind() == PeerDescriptor.Kind.GUIDEPOST) {
            hints.add(peer, change);
            counts.count(PeerCount.HINTS_STORED);
        }
    }

    long nowMillis() {
        return nowMillis;
    }

    ReplicationSettings settings() {
        return settings;
    }

    int bindingsMax() {
        return own.bindingsMax();
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
