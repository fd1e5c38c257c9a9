package io.guidepost.gnrs.relay;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.PeerGateway;
import io.guidepost.gnrs.antientropy.AntiEntropyHandler;
import io.guidepost.gnrs.peer.MessageSeal;
import io.guidepost.gnrs.peer.PeerCount;
import io.guidepost.gnrs.peer.PeerRequests;
import io.guidepost.gnrs.peer.PeerWire;
import io.guidepost.gnrs.placement.PlacementSettings;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.gnrs.quorum.MergeHandler;
import io.guidepost.gnrs.quorum.QuorumWrites;
import io.guidepost.gnrs.replica.Deployment;
import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.names.Exchange;
import io.guidepost.store.RecordImage;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The relay of one worker: fetches records from peers, writes by quorum, and answers peers. */
public final class Relay implements PeerGateway, Deployment.ChangeListener {
    private final Deployment deployment;
    private final List<Relay> relays;
    private final int worker;
    private final MessageSeal seal;
    private final Counters<PeerCount> counts = new Counters<>(PeerCount.class);
    private final PeerRequests questions;
    private final Placer placer;
    private final WorkerMailbox inbox;
    private final InvalidationList interests;
    private final RecordFetches fetches;
    private final FetchHandler answers;
    private final QuorumWrites writes;
    private final MergeHandler merges;
    private final AntiEntropyHandler catchUpAnswers;

    /**
     * Creates the relay of the next worker.
     *
     * @param relays those of the workers before it; those of later workers are added
     */
    Relay(Deployment deployment, List<Relay> relays, Runnable wake, Executor engine) {
        this.deployment = deployment;
        this.relays = relays;
        this.worker = relays.size();
        this.seal = new MessageSeal(deployment.settings().key());
        this.placer = deployment.placement().placer();
        this.questions = new PeerRequests(
                Math.max(2 * deployment.settings().relaysMax(), RelayLimits.QUESTIONS_MIN),
                worker,
                deployment.workerBits(),
                seal,
                deployment.random(),
                deployment.nanoClock(),
                counts);
        this.inbox = new WorkerMailbox(deployment.bounds().mailboxMax(), wake);
        this.interests = new InvalidationList(deployment.bounds(), deployment.random(), counts);
        this.fetches = new RecordFetches(deployment, placer, questions, counts, wake, engine);
        this.answers = new FetchHandler(deployment, fetches, interests, counts);
        this.writes = new QuorumWrites(deployment, placer, questions, counts, wake);
        this.writes.heard(this::wrote);
        this.merges = new MergeHandler(deployment, counts, wake);
        this.catchUpAnswers = new AntiEntropyHandler(deployment, counts);
    }

    /** Returns the counters; any thread may read. */
    public Counters<PeerCount> counts() {
        return counts;
    }

    /**
     * Returns how much of what has a bound is held, or was at most, of caching peers and FORGETs; the worker's thread calls.
     */
    public long held(RelayBound bound) {
        return switch (bound) {
            case REQUESTS -> questions.open();
            case CACHE_BYTES -> fetches.cache().bytes();
            case HINT_BYTES -> deployment.hints().bytes();
            case WRITES -> writes.waiting();
            case WRITES_OF_A_NAME -> writes.waitingOfAName();
            case DUPLICATE_REQUESTS -> writes.repeats();
            case CACHED_NAMES -> interests.names();
            case CACHING_PEERS -> interests.mostPeers();
            case FORGETS -> interests.mostForgets();
            case MAILBOX -> inbox.size();
            case MERGES -> merges.inFlight();
        };
    }

    /** Returns how often a bound was reached, and something dropped or refused for it; the door counts writes. */
    public long hits(RelayBound bound) {
        return switch (bound) {
            case REQUESTS -> counts.get(PeerCount.REQUESTS_FAILED_IN_FLIGHT_MAX);
            case CACHE_BYTES -> counts.get(PeerCount.CACHE_EVICTIONS);
            case HINT_BYTES -> deployment.hints().dropped();
            case WRITES -> 0;
            case WRITES_OF_A_NAME -> counts.get(PeerCount.REFUSED_WRITES);
            case DUPLICATE_REQUESTS -> counts.get(PeerCount.DUPLICATE_CACHE_EVICTIONS);
            case CACHED_NAMES -> counts.get(PeerCount.INVALIDATIONS_LOST_RECORDS_MAX);
            case CACHING_PEERS -> counts.get(PeerCount.INVALIDATIONS_LOST_PEERS_MAX);
            case FORGETS -> counts.get(PeerCount.INVALIDATIONS_LOST_QUEUE_FULL);
            case MAILBOX -> counts.get(PeerCount.DROPS_MAILBOX_FULL);
            case MERGES -> counts.get(PeerCount.REFUSED_MERGES_IN_FLIGHT_MAX);
        };
    }

    @Override
    public void begin(long nowMillis) {
        if (!active()) {
            return;
        }
        fetches.begin(nowMillis);
        inbox.drain();
        counts.add(PeerCount.DROPS_MAILBOX_FULL, inbox.refused());
        questions.expire();
        writes.begin(nowMillis);
        merges.begin();
    }

    @Override
    public boolean active() {
        return deployment.peers().others();
    }

    @Override
    public boolean isPeer(long high, long low, int port) {
        return deployment.peers().at(high, low, port) != null;
    }

    @Override
    public boolean hasPeerIn(long network) {
        return deployment.peers().isIn(network);
    }

    @Override
    public void take(Exchange exchange) {
        if (exchange.roomLength() < GnrsLimits.ANSWER_BYTES_MIN) {
            counts.count(PeerCount.DROPS_NO_ROOM);
            return;
        }
        int type = exchange.request().get(PeerWire.BYTE, exchange.requestOffset() + PeerWire.TYPE) & 0xff;
        if ((type & PeerWire.RESPONSE_BIT) != 0) {
            takeAnswer(exchange);
            return;
        }
        if (!deployment.peers().isHost(exchange.peerHigh(), exchange.peerLow())) {
            counts.count(PeerCount.DROPS_UNKNOWN_PEER);
            return;
        }
        int length = seal.check(exchange.request(), exchange.requestOffset(), exchange.requestLength());
        if (length < PeerWire.HEADER_BYTES) {
            counts.count(PeerCount.DROPS_SEAL);
            return;
        }
        exchange.request(exchange.request(), exchange.requestOffset(), length, exchange.nowMillis());
        switch (type) {
            case PeerWire.FETCH -> answers.take(exchange);
            case PeerWire.FORGET -> forget(exchange);
            case PeerWire.MERGE -> merges.take(exchange);
            case PeerWire.PING, PeerWire.DIGESTS, PeerWire.SYNDROMES, PeerWire.COMPARE -> catchUpAnswers.take(exchange, type);
            default -> counts.count(PeerCount.DROPS_MALFORMED_REQUEST);
        }
        if (exchange.responseLength() > 0) {
            exchange.respond(seal.put(exchange.room(), exchange.roomOffset(), exchange.responseLength()));
        }
    }

    /**
     * Takes a response, or hands it to the worker that sent the request: the kernel spreads datagrams over workers by
     * address.
     */
    private void takeAnswer(Exchange exchange) {
        MemorySegment segment = exchange.request();
        int id = segment.get(PeerWire.INT, exchange.requestOffset() + PeerWire.ID);
        int asker = PeerRequests.worker(id, deployment.workerBits());
        if (asker == worker) {
            questions.take(exchange);
            return;
        }
        if (asker >= relays.size()) {
            counts.count(PeerCount.DROPS_UNSOLICITED_RESPONSE);
            return;
        }
        counts.count(PeerCount.HANDED_OVER_MESSAGES);
        byte[] copy = new byte[exchange.requestLength()];
        MemorySegment.copy(segment, PeerWire.BYTE, exchange.requestOffset(), copy, 0, copy.length);
        Exchange handed = new Exchange();
        handed.request(MemorySegment.ofArray(copy), 0, copy.length, exchange.nowMillis());
        handed.peer(exchange.peerHigh(), exchange.peerLow(), exchange.peerPort());
        PeerRequests theirs = relays.get(asker).questions;
        relays.get(asker).inbox.put(() -> theirs.take(handed));
    }

    /** Invalidates caches after a client's write; a write of a whole record may be cached. */
    private void wrote(byte[] change, boolean whole) {
        MemorySegment record = MemorySegment.ofArray(change);
        long guid = RecordImage.HEADER_BYTES + 1L;
        deployment.marks().changed(record, guid);
        if (whole && !placer.isHere(record, guid)) {
            int mark = deployment.marks().mark(record, guid);
            fetches.keep(change, mark);
            for (Relay each : relays) {
                if (each.worker != worker) {
                    each.inbox.put(() -> each.fetches.keep(change, mark));
                }
            }
        }
    }

    long rememberedBytes() {
        return fetches.cache().bytes();
    }

    /** Handles FORGET: invalidates what is cached of a record. */
    private void forget(Exchange exchange) {
        if (exchange.requestLength() != PeerWire.FORGET_BYTES) {
            counts.count(PeerCount.DROPS_MALFORMED_REQUEST);
            return;
        }
        counts.count(PeerCount.REQUESTS_RECEIVED_FORGET);
        deployment.marks().changed(exchange.request(), exchange.requestOffset() + PeerWire.HEADER_BYTES);
    }

    /** Schedules FORGET in the next turn to peers that may cache a changed record. Any thread may call. */
    @Override
    public void changed(MemorySegment segment, long guid, long nowNanos) {
        if (interests.mayCare(segment, guid, nowNanos)) {
            byte[] copy = new byte[PeerWire.GUID_BYTES];
            MemorySegment.copy(segment, PeerWire.BYTE, guid, copy, 0, copy.length);
            MemorySegment name = MemorySegment.ofArray(copy);
            inbox.put(() -> interests.changed(name, 0, nowNanos));
        }
    }

    @Override
    public @Nullable MemorySegment remembered(MemorySegment segment, long guid) {
        return fetches.remembered(segment, guid);
    }

    @Override
    public long rememberedAgeMillis() {
        return fetches.rememberedAgeMillis();
    }

    @Override
    public int waitingMax() {
        return deployment.settings().relaysMax();
    }

    @Override
    public int room() {
        // A write goes to all servers of its record, mostly as many as in DMap's evaluation.
        return questions.room() / PlacementSettings.REPLICAS;
    }

    @Override
    public boolean ownMayLag(MemorySegment segment, long guid) {
        return fetches.ownMayLag(segment, guid);
    }

    @Override
    public boolean fetch(MemorySegment segment, long guid, Exchange asker, Fetched fetched) {
        return fetches.fetch(segment, guid, fetched);
    }

    @Override
    public boolean write(byte[] image, boolean append, boolean recursive, Exchange asker, Written written) {
        return writes.write(image, append, recursive, asker, written);
    }

    @Override
    public boolean next(Exchange exchange) {
        if (questions.next(exchange)) {
            return true;
        }
        if (merges.next(exchange) || answers.next(exchange) || interests.next(exchange)) {
            exchange.respond(seal.put(exchange.room(), exchange.roomOffset(), exchange.responseLength()));
            return true;
        }
        return false;
    }

    @Override
    public void end() {
        fetches.end();
    }

    @Override
    public long restNanos() {
        return answers.waiting() || interests.waiting() ? 0 : Math.min(questions.restNanos(), writes.restNanos());
    }
}
