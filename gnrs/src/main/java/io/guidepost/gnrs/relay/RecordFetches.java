package io.guidepost.gnrs.relay;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.PeerGateway;
import io.guidepost.gnrs.peer.GuidHashTable;
import io.guidepost.gnrs.peer.Peer;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerDescriptor;
import io.guidepost.gnrs.peer.PeerRequest;
import io.guidepost.gnrs.peer.PeerRequests;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.gnrs.replica.ChangeMarks;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.gnrs.replica.ReplicaMerge;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import io.guidepost.store.RecordReader;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Fetches records from peers and caches them. Belongs to one worker. {@link PeerRequests} bounds the waiting, because each
 * fetch in flight has an open request.
 */
final class RecordFetches {
    private static final byte GUIDS = Name.Namespace.GUID.code();
    private static final long NANOS_IN_MILLI = 1_000_000;

    private final Deployment deployment;
    private final ReplicationSettings settings;
    private final PeerRequests questions;
    private final ReplicaOrder order;
    private final RecordReader own;
    private final EngineLookups engine;
    private final ChangeMarks marks;
    private final RemoteRecordCache cache;
    private final GuidHashTable<RecordFetch> open;
    private final LongSupplier nanoClock;
    private final Locator origin;
    private final Counters<PeerCount> counts;

    private boolean entered;
    private boolean doubtful;
    private long nowMillis;

    RecordFetches(
            Deployment deployment,
            Placer placer,
            PeerRequests questions,
            Counters<PeerCount> counts,
            Runnable wake,
            Executor engine) {
        RandomGenerator random = deployment.random();
        this.deployment = deployment;
        this.settings = deployment.settings();
        this.questions = questions;
        this.order = new ReplicaOrder(deployment, placer, random);
        this.own = deployment.store().reader();
        this.engine = new EngineLookups(deployment.store(), engine, wake, Math.max(1, deployment.door().lookupsDeferredMax()));
        this.marks = deployment.marks();
        this.cache = new RemoteRecordCache(settings, marks, random.nextLong(), counts);
        this.open = new GuidHashTable<>(random.nextLong());
        this.nanoClock = deployment.nanoClock();
        this.origin = deployment.origin();
        this.counts = counts;
    }

    void begin(long now) {
        nowMillis = now;
        cache.begin(nanoClock.getAsLong());
        doubtful = deployment.lagging() || order.moving();
        engine.drain();
    }

    void end() {
        if (entered) {
            entered = false;
            own.exit();
        }
    }

    ReplicationSettings settings() {
        return settings;
    }

    long nowMillis() {
        return nowMillis;
    }

    RecordReader.Found find(MemorySegment segment, long guid) {
        if (!entered) {
            entered = true;
            own.enter();
        }
        return own.find(GUIDS, segment, guid, Guid.BYTES);
    }

    RecordReader reader() {
        return own;
    }

    EngineLookups engine() {
        return engine;
    }

    ReplicaOrder order() {
        return order;
    }

    /** See {@link PeerGateway#ownMayLag}. */
    boolean ownMayLag(MemorySegment segment, long guid) {
        return doubtful && (order.mayLag(segment, guid) || !order.isHere(segment, guid));
    }

    /** See {@link PeerGateway#remembered}. */
    @Nullable MemorySegment remembered(MemorySegment segment, long guid) {
        return cache.find(segment, guid);
    }

    long rememberedAgeMillis() {
        return cache.ageMillis();
    }

    /** See {@link PeerGateway#fetch}. */
    boolean fetch(MemorySegment segment, long guid, PeerGateway.Fetched fetched) {
        int mark = marks.mark(segment, guid);
        RecordFetch running = open.get(segment, guid);
        if (running != null && running.mark() == mark) {
            counts.count(PeerCount.JOINED_FETCHES);
            return running.join(fetched);
        }
        List<RecordFetch.ReplicaCandidate> candidates = order.of(segment, guid);
        if (questions.room() < candidates.size()) {
            counts.count(PeerCount.REQUESTS_FAILED_IN_FLIGHT_MAX);
            return false;
        }
        if (running != null) {
            // The fetch began before the record changed: its waiters may get the old form, later ones must not.
            open.remove(running);
        }
        RecordFetch fetch = new RecordFetch(this, segment, guid, mark, candidates);
        fetch.join(fetched);
        open.put(fetch);
        counts.count(PeerCount.FETCHES_BEGUN);
        begin(fetch, segment, guid);
        return true;
    }

    /** Begins with the local copy. */
    private void begin(RecordFetch fetch, MemorySegment segment, long guid) {
        switch (find(segment, guid)) {
            case YES -> localResult(fetch, EngineLookups.copy(own));
            case NO -> localResult(fetch, null);
            case UNKNOWN -> {
                if (!engine.submit(segment, guid, (known, image) -> engineResult(fetch, known, image))) {
                    counts.count(PeerCount.REFUSED_ENGINE_READS);
                    engineResult(fetch, false, null);
                }
            }
        }
    }

    private void engineResult(RecordFetch fetch, boolean known, byte @Nullable [] image) {
        if (known) {
            localResult(fetch, image);
        } else {
            fetch.localUnknown();
            fetch.go();
        }
    }

    private void localResult(RecordFetch fetch, byte @Nullable [] image) {
        fetch.own(image == null ? null : RecordMerge.shared(image), order.mayLag(MemorySegment.ofArray(fetch.guid()), 0));
        fetch.go();
    }

    boolean bound(byte @Nullable [] image) {
        return image != null && RecordImage.bound(MemorySegment.ofArray(image), 0, nowMillis);
    }

    /** Returns whether a stamp of another server is plausible; if so, later stamps of this server exceed it. */
    boolean mayBe(long stamp) {
        if (HybridClock.millis(stamp) - settings.stampAheadMillis() > nowMillis) {
            return false;
        }
        deployment.clock().seen(stamp);
        return true;
    }

    /** Sends the request to a server; returns false if too many are in flight. */
    boolean request(RecordFetch fetch, RecordFetch.ReplicaCandidate candidate, boolean patient) {
        Peer peer = candidate.peer();
        long timeout = settings.timeoutMillis() * NANOS_IN_MILLI;
        long slow = peer.slowNanos();
        long late = !settings.hedged() ? timeout : slow == 0 ? timeout / RelayLimits.PATIENCE : slow;
        if (!patient && slow != 0) {
            timeout = Math.min(timeout, Math.max(RelayLimits.PATIENCE_NANOS_MIN, RelayLimits.PATIENCE * slow));
        }
        PeerRequest question = peer.descriptor().kind() == PeerDescriptor.Kind.V1
                ? new V1LookupRequest(fetch, candidate, origin)
                : new FetchRequest(this, fetch, candidate);
        return questions.ask(question, late, timeout);
    }

    /** Completes a fetch, though some responses may be in flight. */
    void finished(RecordFetch fetch, PeerGateway.Fetch outcome) {
        MemorySegment guid = MemorySegment.ofArray(fetch.guid());
        open.remove(fetch);
        switch (outcome) {
            case FOUND -> remember(fetch);
            case EMPTY -> cache.put(guid, 0, null, fetch.mark(), nowMillis);
            case FAILED -> counts.count(PeerCount.FAILED_FETCHES);
        }
    }

    void remember(RecordFetch fetch) {
        byte[] merged = fetch.merged();
        MemorySegment guid = MemorySegment.ofArray(fetch.guid());
        cache.put(guid, 0, bound(merged) ? merged : null, fetch.mark(), nowMillis);
    }

    /**
     * Caches a whole record that a client has written through this server: its servers know of those that fetched it.
     *
     * @param mark the change counter of its GUID, from after the write
     */
    void keep(byte[] record, int mark) {
        cache.putUnknown(
                MemorySegment.ofArray(record), RecordImage.HEADER_BYTES + 1L, bound(record) ? record : null, mark, nowMillis);
    }

    /** Ends a fetch whose requests have all ended: read repair for servers that know less than the merged record. */
    void over(RecordFetch fetch) {
        byte[] merged = fetch.merged();
        if (merged == null) {
            return;
        }
        long digest = RecordImage.digest(MemorySegment.ofArray(merged), 0);
        for (RecordFetch.ReplicaCandidate each : fetch.candidates()) {
            if (each.placed() && each.saidOtherThan(digest)) {
                repair(each.peer(), merged);
            }
        }
    }

    private void repair(Peer peer, byte[] merged) {
        if (peer.descriptor().kind() == PeerDescriptor.Kind.V1) {
            return;
        }
        if (peer.own()) {
            byte[] key = Arrays.copyOfRange(merged, RecordImage.HEADER_BYTES, RecordImage.HEADER_BYTES + 1 + Guid.BYTES);
            ReplicaMerge change = new ReplicaMerge(merged, settings.tombstoneMillis(), deployment.expiryWatermark());
            if (deployment.store().submit(key, change, (outcome, version) -> {})) {
                counts.count(PeerCount.READ_REPAIRS);
            }
        } else if (questions.room() > questions.open()
                && questions.ask(new ReadRepair(peer, merged), settings.timeoutMillis() * NANOS_IN_MILLI)) {
            counts.count(PeerCount.READ_REPAIRS);
        }
    }

    /** Returns the cache; for tests and metrics. */
    RemoteRecordCache cache() {
        return cache;
    }
}
