package io.guidepost.gnrs.site;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.Placer;
import io.guidepost.gnrs.Relays;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.store.HybridClock;
import io.guidepost.store.Image;
import io.guidepost.store.Merge;
import io.guidepost.store.Reader;
import io.guidepost.store.RecordStore;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Asks other servers for records, and remembers what they say. One worker's. What it waits for is bounded by
 * {@link Questions}, as each fetch under way has a question open.
 */
final class Fetches {
    private static final byte GUIDS = Name.Namespace.GUID.code();
    private static final long NANOS_IN_MILLI = 1_000_000;

    private final Deployment deployment;
    private final SiteSettings settings;
    private final Questions questions;
    private final Order order;
    private final Reader own;
    private final EngineLooks engine;
    private final ChangeMarks marks;
    private final Memories memories;
    private final GuidTable<Fetch> open;
    private final LongSupplier nanoClock;
    private final Locator origin;
    private final Counters<SiteCount> counts;

    private boolean entered;
    private boolean doubtful;
    private long nowMillis;

    Fetches(
            Deployment deployment,
            Placer placer,
            Questions questions,
            Counters<SiteCount> counts,
            Runnable wake,
            Executor engine) {
        RandomGenerator random = deployment.random();
        this.deployment = deployment;
        this.settings = deployment.settings();
        this.questions = questions;
        this.order = new Order(deployment, placer, random);
        this.own = deployment.store().reader();
        this.engine = new EngineLooks(deployment.store(), engine, wake, Math.max(1, deployment.door().lookupsDeferredMax()));
        this.marks = deployment.marks();
        this.memories = new Memories(settings, marks, random.nextLong(), counts);
        this.open = new GuidTable<>(random.nextLong());
        this.nanoClock = deployment.nanoClock();
        this.origin = deployment.origin();
        this.counts = counts;
    }

    /** Starts a turn. */
    void begin(long now) {
        nowMillis = now;
        memories.begin(nanoClock.getAsLong());
        doubtful = deployment.catchingUp() || order.moving();
        engine.drain();
    }

    /** Ends a turn. */
    void end() {
        if (entered) {
            entered = false;
            own.exit();
        }
    }

    SiteSettings settings() {
        return settings;
    }

    long nowMillis() {
        return nowMillis;
    }

    /** Looks into the own store. */
    Reader.Found find(MemorySegment segment, long guid) {
        if (!entered) {
            entered = true;
            own.enter();
        }
        return own.find(GUIDS, segment, guid, Guid.BYTES);
    }

    /** What {@link #find} found. */
    Reader reader() {
        return own;
    }

    EngineLooks engine() {
        return engine;
    }

    Order order() {
        return order;
    }

    /** See {@link Relays#ownMayLag}. */
    boolean ownMayLag(MemorySegment segment, long guid) {
        return doubtful && (deployment.catchingUp() || !order.wasAndIsHere(segment, guid));
    }

    /** See {@link Relays#remembered}. */
    @Nullable MemorySegment remembered(MemorySegment segment, long guid) {
        return memories.find(segment, guid);
    }

    long rememberedAgeMillis() {
        return memories.ageMillis();
    }

    /** See {@link Relays#fetch}. */
    boolean fetch(MemorySegment segment, long guid, Relays.Fetched fetched) {
        int mark = marks.mark(segment, guid);
        Fetch running = open.get(segment, guid);
        if (running != null && running.mark() == mark) {
            counts.count(SiteCount.FETCHES_JOINED);
            return running.join(fetched);
        }
        List<Fetch.Candidate> candidates = order.of(segment, guid);
        if (questions.room() < candidates.size()) {
            counts.count(SiteCount.QUESTIONS_MAX);
            return false;
        }
        if (running != null) {
            // It began before the record changed: those who wait for it may hear the old form, but nobody else.
            open.remove(running);
        }
        Fetch fetch = new Fetch(this, segment, guid, mark, candidates);
        fetch.join(fetched);
        open.put(fetch);
        counts.count(SiteCount.FETCHES);
        begin(fetch, segment, guid);
        return true;
    }

    /** Begins with the own copy. */
    private void begin(Fetch fetch, MemorySegment segment, long guid) {
        switch (find(segment, guid)) {
            case YES -> ownSaid(fetch, EngineLooks.copy(own));
            case NO -> ownSaid(fetch, null);
            case UNKNOWN -> {
                if (!engine.submit(segment, guid, (known, image) -> engineSaid(fetch, known, image))) {
                    counts.count(SiteCount.ENGINE_MAX);
                    engineSaid(fetch, false, null);
                }
            }
        }
    }

    private void engineSaid(Fetch fetch, boolean known, byte @Nullable [] image) {
        if (known) {
            ownSaid(fetch, image);
        } else {
            fetch.ownUnknown();
            fetch.go();
        }
    }

    private void ownSaid(Fetch fetch, byte @Nullable [] image) {
        fetch.own(image == null ? null : Merge.shared(image), deployment.catchingUp());
        fetch.go();
    }

    /** Whether a record is bound to something now. */
    boolean bound(byte @Nullable [] image) {
        if (image == null) {
            return false;
        }
        MemorySegment segment = MemorySegment.ofArray(image);
        int count = Image.bindings(segment, 0);
        if (count == 0 || Image.nextExpiry(segment, 0) > nowMillis) {
            return count > 0;
        }
        long expiries = Image.expiries(segment, 0);
        for (int i = 0; i < count; i++) {
            long expiry = segment.get(SiteWire.LONG, expiries + 8L * i);
            if (expiry == 0 || expiry > nowMillis) {
                return true;
            }
        }
        return false;
    }

    /** Whether a stamp of another server can be right; if so, what is stamped here from now on is later. */
    boolean mayBe(long stamp) {
        if (HybridClock.millis(stamp) - settings.stampAheadMillis() > nowMillis) {
            return false;
        }
        deployment.clock().seen(stamp);
        return true;
    }

    /** Asks a server; false if too many questions are open. */
    boolean ask(Fetch fetch, Fetch.Candidate candidate, boolean patient) {
        Peer peer = candidate.peer();
        long timeout = settings.timeoutMillis() * NANOS_IN_MILLI;
        long slow = peer.slowNanos();
        long late = !settings.race() ? timeout : slow == 0 ? timeout / FetchLimits.PATIENCE : slow;
        if (!patient && slow != 0) {
            timeout = Math.min(timeout, Math.max(FetchLimits.PATIENCE_NANOS_MIN, FetchLimits.PATIENCE * slow));
        }
        Question question = peer.site().kind() == Site.Kind.V1
                ? new RelayedLookup(fetch, candidate, origin)
                : new FetchQuestion(this, fetch, candidate);
        return questions.ask(question, late, timeout);
    }

    /** A fetch has come to an end, though some answers may be on their way. */
    void finished(Fetch fetch, Relays.Fetch outcome) {
        MemorySegment guid = MemorySegment.ofArray(fetch.guid());
        open.remove(fetch);
        switch (outcome) {
            case FOUND -> remember(fetch);
            case EMPTY -> memories.put(guid, 0, null, fetch.mark(), nowMillis);
            case FAILED -> counts.count(SiteCount.FETCHES_FAILED);
        }
    }

    /** Remembers what a fetch has brought. */
    void remember(Fetch fetch) {
        byte[] merged = fetch.merged();
        MemorySegment guid = MemorySegment.ofArray(fetch.guid());
        memories.put(guid, 0, bound(merged) ? merged : null, fetch.mark(), nowMillis);
    }

    /**
     * Remembers a whole record that a client has written through this server.
     *
     * @param mark of its GUID, from after it was written
     */
    void keep(byte[] record, int mark) {
        memories.put(
                MemorySegment.ofArray(record), Image.HEADER_BYTES + 1L, bound(record) ? record : null, mark, nowMillis);
    }

    /** No answer is waited for any more: those who know less than all together are told. */
    void over(Fetch fetch) {
        byte[] merged = fetch.merged();
        if (merged == null) {
            return;
        }
        long digest = Image.digest(MemorySegment.ofArray(merged), 0);
        for (Fetch.Candidate each : fetch.candidates()) {
            if (each.placed() && each.saidOtherThan(digest)) {
                repair(each.peer(), merged);
            }
        }
    }

    private void repair(Peer peer, byte[] merged) {
        if (peer.site().kind() == Site.Kind.V1) {
            return;
        }
        if (peer.own()) {
            byte[] key = Arrays.copyOfRange(merged, Image.HEADER_BYTES, Image.HEADER_BYTES + 1 + Guid.BYTES);
            RecordStore.Change change = (name, current, version, now) -> {
                deployment.forgotten().came(merged, now);
                return Merge.merge(current, merged, version, now, settings.tombstoneMillis());
            };
            if (deployment.store().submit(key, change, (outcome, version) -> {})) {
                counts.count(SiteCount.REPAIRS);
            }
        } else if (questions.room() > questions.open()
                && questions.ask(new Repair(peer, merged), settings.timeoutMillis() * NANOS_IN_MILLI)) {
            counts.count(SiteCount.REPAIRS);
        }
    }

    /** What is remembered; for tests and metrics. */
    Memories memories() {
        return memories;
    }

    /** How many fetches are under way. */
    int open() {
        return open.size();
    }
}
