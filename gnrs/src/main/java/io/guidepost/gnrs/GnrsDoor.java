package io.guidepost.gnrs;

import io.guidepost.base.Counters;
import io.guidepost.base.DatagramClassifier;
import io.guidepost.base.Histogram;
import io.guidepost.base.PendingDatagrams;
import io.guidepost.gnrs.placement.Placer;
import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.gnrs.wire.GnrsMessageFlyweight;
import io.guidepost.gnrs.wire.GnrsParseResult;
import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.gnrs.wire.RefusalReason;
import io.guidepost.names.Door;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.store.RecordReader;
import io.guidepost.store.RecordStore;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The GNRS door of one worker: LOOKUP, INSERT and UPDATE in, their responses out.
 *
 * <p>A look-up is answered at once, out of the index. A write goes to the store and is answered when it is durable; a
 * look-up that the index cannot answer goes to an executor, which reads the engine. The responses of both come through
 * {@link #next}, and so do those to further messages of a datagram that held several. All queues are bounded; a request
 * that does not fit is answered FAILED at once (backpressure).
 *
 * <p>Responses go to the source of the datagram, see {@link ReturnAddress}. Amplification bound: a response is no longer
 * than the request times {@link GnrsSettings#amplificationMax}, or for errors than the request itself, unless the source
 * is trusted.
 *
 * <p>Where there are other servers ({@link PeerGateway}), a client's recursive look-up of a record that is not here is answered
 * after their answers, and every write when a quorum holds it. Messages between servers go to the relays.
 *
 * <p>The door counts and drops malformed messages, unsolicited responses, and requests that name another host as their
 * destination.
 *
 * <p>The buffers that {@link #next} gets must be as long as those of {@link #take}.
 */
public final class GnrsDoor implements Door {
    private static final GnrsCount[] COUNTS = GnrsCount.values();
    private static final byte GUIDS = Name.Namespace.GUID.code();

    private final Placer placer;
    private final RecordReader reader;
    private final LookupHandler lookups;
    private final ResponseWriter reply;
    private final WriteHandler writes;
    private final RefusalPacer refusals = new RefusalPacer();
    private final DeferredLookups deferred;
    private final @Nullable PeerGateway relays;
    private final @Nullable PendingLookups relayed;
    private final DatagramClassifier classifier = new Classifier();

    /** Messages behind the first of their datagrams: each is answered by a datagram of its own. */
    private final Supplier<GnrsSettings> settings;
    private final PendingDatagrams backlog =
            new PendingDatagrams(GnrsLimits.BACKLOG_MESSAGES_MAX, GnrsLimits.BACKLOG_BYTES_MAX);

    private final Exchange turn = new Exchange();
    private final GnrsMessageFlyweight message = new GnrsMessageFlyweight();
    private final Counters<GnrsCount> counts = new Counters<>(GnrsCount.class);
    private final Counters<GnrsParseResult> malformed = new Counters<>(GnrsParseResult.class);
    private final Histogram writeLatencies = Histogram.doubling();
    private @Nullable NearestFirstOrder nearest;
    private @Nullable AnswerCache cache;
    /** Whether what the relays send leaves by this door's port. */
    private boolean sends = true;
    private GnrsSettings followed;
    private long now;

    // Of this turn, counted at its end.
    private long bytesReceived;
    private long bytesSent;

    /** Whether there are other servers, as of this turn. */
    private boolean active;

    /**
     * Creates a door for one worker.
     *
     * @param settings supplies the operator's settings in force, read once per turn
     * @param placer tests which names are kept here; the worker's own
     * @param store holds the records
     * @param wake called by other threads when {@link #next} has an answer; must be cheap
     * @param engine runs look-ups that may wait for the disk
     * @param nanoClock a clock of which only differences count
     * @param secret an unpredictable number
     * @param relays the other servers, or null if there can be none; the worker's own
     */
    public GnrsDoor(
            Supplier<GnrsSettings> settings,
            Placer placer,
            RecordStore store,
            Runnable wake,
            Executor engine,
            LongSupplier nanoClock,
            long secret,
            @Nullable PeerGateway relays) {
        this.placer = placer;
        this.reader = store.reader();
        this.settings = settings;
        this.followed = settings.get();
        this.lookups = new LookupHandler(followed, placer);
        this.reply = new ResponseWriter(followed);
        this.writes = new WriteHandler(followed, store, wake, nanoClock, secret);
        this.deferred = new DeferredLookups(followed, store, engine, wake);
        this.relays = relays;
        this.relayed = relays == null ? null : new PendingLookups(followed, relays, reader, secret);
    }

    /** What GNRS tells admission control: the GUID that a message is about; responses and other servers are exempt. */
    private final class Classifier implements DatagramClassifier {
        @Override
        public long name(MemorySegment segment, long offset, int length) {
            if (length < GnrsWire.HEADER_BYTES) {
                return NO_NAME;
            }
            int payload = Short.toUnsignedInt(segment.get(GnrsWire.SHORT, offset + GnrsWire.PAYLOAD_OFFSET));
            return payload + Guid.BYTES > length ? NO_NAME : GnrsWire.nameKey(segment, offset + payload);
        }

        @Override
        public String nameText(MemorySegment segment, long offset, int length) {
            return Guid.read(segment, offset + Short.toUnsignedInt(segment.get(GnrsWire.SHORT, offset + GnrsWire.PAYLOAD_OFFSET)))
                    .toString();
        }

        /** Returns true of responses: they complete work in flight, and are cheap. */
        @Override
        public boolean isExempt(MemorySegment segment, long offset, int length) {
            return length >= GnrsWire.HEADER_BYTES && segment.get(GnrsWire.BYTE, offset + GnrsWire.TYPE) < 0;
        }

        @Override
        public boolean isPeer(long high, long low, int port) {
            return relays != null && relays.isPeer(high, low, port);
        }

        @Override
        public boolean hasPeerIn(long network) {
            return relays != null && relays.hasPeerIn(network);
        }
    }

    @Override
    public DatagramClassifier classifier() {
        return classifier;
    }

    /** Orders the places in answers by a ranking, see {@link NearestFirstOrder}; called before the first turn. */
    public void nearestFirst(Supplier<Ranking> rankings) {
        NearestFirstOrder order = new NearestFirstOrder(rankings, exchange -> !fromPeer(exchange));
        nearest = order;
        lookups.nearestFirst(order);
        deferred.nearestFirst(rankings);
        if (relayed != null) {
            relayed.nearestFirst(order);
        }
    }

    /** Tells a cache in front of this door what is asked for; called before the first turn. */
    public void fills(AnswerCache front) {
        cache = front;
    }

    /**
     * Leaves what the relays send to the worker's door at another port, which shares them: other servers know this one by
     * the address of that port. Called before the first turn.
     */
    public void leaveSendingToOthers() {
        sends = false;
    }

    /** Returns whether the request comes from another server, which orders answers for its own client. */
    private boolean fromPeer(Exchange exchange) {
        return active && relays != null && isPeer(exchange, relays);
    }

    /** Returns how many writes are refused and wait for nothing but their answer; for the worker's thread. */
    public int refusalsWaiting() {
        return refusals.waiting();
    }

    /** Returns the counters of this door; any thread may read. */
    public Counters<GnrsCount> counts() {
        return counts;
    }

    /** Returns the counters of malformed messages by their first fault; any thread may read. */
    public Counters<GnrsParseResult> malformed() {
        return malformed;
    }

    /** Returns the latencies of writes from here to the disk and back; any thread may read. */
    public Histogram writeLatencies() {
        return writeLatencies;
    }

    @Override
    public void begin(long nowMillis) {
        now = nowMillis;
        follow(settings.get());
        reader.enter();
        refusals.begin(nowMillis);
        if (relays != null) {
            relays.begin(nowMillis);
            active = relays.active();
        }
    }

    @SuppressWarnings("ReferenceEquality") // A reload replaces them whole, and a turn must not compare lists.
    private void follow(GnrsSettings next) {
        if (next != followed) {
            followed = next;
            lookups.follow(next);
            writes.follow(next);
            deferred.follow(next);
            if (relayed != null) {
                relayed.follow(next);
            }
        }
    }

    @Override
    public void end() {
        counts.add(GnrsCount.BYTES_RECEIVED, bytesReceived);
        counts.add(GnrsCount.BYTES_SENT, bytesSent);
        bytesReceived = 0;
        bytesSent = 0;
        if (relays != null) {
            relays.end();
        }
        reader.exit();
    }

    @Override
    public void prefetch(MemorySegment segment, long offset, int length) {
        int guid = GnrsWire.lookedUp(segment, offset, length);
        if (guid > 0) {
            reader.prefetch(GUIDS, segment, offset + guid, Guid.BYTES);
        }
    }

    @Override
    public void take(Exchange exchange) {
        int length = exchange.requestLength();
        bytesReceived += length;
        if (length >= GnrsWire.HEADER_BYTES && lengthAt(exchange, 0) == length) {
            handle(exchange);
        } else {
            takeSeveral(exchange);
        }
        bytesSent += exchange.responseLength();
    }

    private static int lengthAt(Exchange exchange, int at) {
        return Short.toUnsignedInt(
                exchange.request().get(GnrsWire.SHORT, exchange.requestOffset() + at + GnrsWire.LENGTH));
    }

    /** Takes a datagram of several messages, if that is what it is: the first now, the others in their turn. */
    private void takeSeveral(Exchange exchange) {
        GnrsParseResult reason = framing(exchange);
        if (reason != GnrsParseResult.OK) {
            drop(reason);
            return;
        }
        int first = lengthAt(exchange, 0);
        for (int at = first; at < exchange.requestLength(); at += lengthAt(exchange, at)) {
            counts.count(GnrsCount.CONCATENATED_MESSAGES);
            if (!exchange.copyTo(
                    backlog, exchange.request(), exchange.requestOffset() + at, lengthAt(exchange, at))) {
                dropUnread(GnrsCount.DROPS_BACKLOG_MAX);
            }
        }
        exchange.request(exchange.request(), exchange.requestOffset(), first, exchange.nowMillis());
        handle(exchange);
    }

    /** Returns whether the length fields of a datagram's messages lead exactly to its end. */
    private static GnrsParseResult framing(Exchange exchange) {
        int length = exchange.requestLength();
        int messages = 0;
        int at = 0;
        while (at < length) {
            if (length - at < GnrsWire.HEADER_BYTES) {
                return at == 0 ? GnrsParseResult.HEADER_CUT : GnrsParseResult.LENGTH_TRAILING;
            }
            int next = lengthAt(exchange, at);
            if (next < GnrsWire.HEADER_BYTES) {
                return at == 0 ? GnrsParseResult.LENGTH_SHORT : GnrsParseResult.LENGTH_TRAILING;
            }
            if (next > length - at) {
                return at == 0 ? GnrsParseResult.LENGTH_BEYOND : GnrsParseResult.LENGTH_TRAILING;
            }
            if (++messages > GnrsLimits.MESSAGES_PER_DATAGRAM_MAX) {
                return GnrsParseResult.MESSAGES_MANY;
            }
            at += next;
        }
        return length == 0 ? GnrsParseResult.HEADER_CUT : GnrsParseResult.OK;
    }

    private void drop(GnrsParseResult reason) {
        malformed.count(reason);
        dropUnread(GnrsCount.DROPS_MALFORMED);
    }

    private void dropUnread(GnrsCount reason) {
        counts.count(GnrsCount.REQUESTS_OTHER);
        counts.count(reason);
    }

    /** Handles one message, which is all of the exchange's question. */
    private void handle(Exchange exchange) {
        if (active && relays != null && GnrsWire.amongServers(exchange)) {
            relays.take(exchange);
            return;
        }
        GnrsParseResult reason = message.parse(exchange.request(), exchange.requestOffset(), exchange.requestLength());
        if (reason != GnrsParseResult.OK) {
            drop(reason);
            return;
        }
        // Done before the origin inside the message changes the peer address.
        boolean fromPeer = fromPeer(exchange);
        boolean passedOn = active && message.recursive() && !fromPeer;
        if (message.response()) {
            dropUnread(GnrsCount.DROPS_RESPONSE);
            return;
        }
        counts.count(
                switch (message.type()) {
                    case GnrsWire.LOOKUP -> GnrsCount.REQUESTS_LOOKUP;
                    case GnrsWire.INSERT -> GnrsCount.REQUESTS_INSERT;
                    default -> GnrsCount.REQUESTS_UPDATE;
                });
        if (!ReturnAddress.choose(exchange, message)) {
            counts.count(GnrsCount.DROPS_FOREIGN_ORIGIN);
        } else if (exchange.roomLength() < GnrsLimits.ANSWER_BYTES_MIN) {
            counts.count(GnrsCount.DROPS_NO_ROOM);
        } else if (message.type() == GnrsWire.LOOKUP) {
            lookup(exchange, passedOn);
        } else {
            write(exchange, passedOn, fromPeer);
        }
    }

    private void lookup(Exchange exchange, boolean passedOn) {
        if (passedOn && relays != null && relayed != null) {
            lookupAmong(exchange, relays, relayed);
            return;
        }
        int length = lookups.answer(exchange, message, reader);
        if (length == LookupHandler.UNKNOWN) {
            defer(exchange);
        } else {
            exchange.respond(length);
            lookupAnswered(exchange, lookups.outcome(), lookups.events());
            if (cache != null && lookups.outcome() == GnrsCount.LOOKUPS_FOUND) {
                cache.answered(message.segment(), message.guid(), reader, now);
            }
        }
    }

    private static boolean isPeer(Exchange exchange, PeerGateway others) {
        return others.isPeer(exchange.peerHigh(), exchange.peerLow(), exchange.peerPort());
    }

    /**
     * Answers a client's request that may be relayed: from the local copy where that suffices, else from other servers.
     */
    private void lookupAmong(Exchange exchange, PeerGateway others, PendingLookups lookupsAmong) {
        int length = lookups.plainly(exchange, message, reader);
        if (length != LookupHandler.UNKNOWN && !others.ownMayLag(message.segment(), message.guid())) {
            exchange.respond(length);
            lookupAnswered(exchange, lookups.outcome(), lookups.events());
            return;
        }
        length = lookupsAmong.take(exchange, message);
        if (length == LookupHandler.UNKNOWN) {
            counts.count(GnrsCount.LOOKUP_WAITS_PEERS);
        } else {
            exchange.respond(length);
            lookupAnswered(exchange, lookupsAmong.outcome(), lookupsAmong.events());
            if (lookupsAmong.remembered()) {
                counts.count(GnrsCount.CACHE_HITS);
            }
        }
    }

    private void lookupAnswered(Exchange exchange, GnrsCount outcome, long events) {
        countLookup(outcome, events);
        if (nearest != null
                && outcome == GnrsCount.LOOKUPS_FOUND
                && nearest.order(exchange)) {
            counts.count(GnrsCount.ORDERED_RESPONSES);
        }
    }

    private void countLookup(GnrsCount outcome, long events) {
        counts.count(outcome);
        boolean success = outcome == GnrsCount.LOOKUPS_FOUND || outcome == GnrsCount.LOOKUPS_EMPTY;
        counts.count(success ? GnrsCount.RESPONSES_LOOKUP_SUCCESS : GnrsCount.RESPONSES_LOOKUP_FAILED);
        for (long left = events; left != 0; left &= left - 1) {
            counts.count(COUNTS[Long.numberOfTrailingZeros(left)]);
        }
    }

    private void defer(Exchange exchange) {
        boolean here = placer.isHere(message.segment(), message.guid());
        if (deferred.submit(exchange, message, here, !fromPeer(exchange))) {
            counts.count(GnrsCount.LOOKUP_WAITS_ENGINE);
        } else {
            exchange.respond(lookups.failed(exchange, message));
            countLookup(GnrsCount.LOOKUPS_ENGINE_MAX, 0);
        }
    }

    private void write(Exchange exchange, boolean passedOn, boolean fromPeer) {
        GnrsCount result = submit(exchange, passedOn, fromPeer);
        if (result != null) {
            int type = message.type() | GnrsWire.RESPONSE_BIT;
            int length = written(exchange, type, message.id(), result, message.length(), message.accepts());
            if (!isForLackOfRoom(result) || refusals.tryLeave()) {
                countWrite(type, result);
                exchange.respond(length);
            } else if (refusals.hold(exchange, length)) {
                countWrite(type, result);
            } else {
                counts.count(GnrsCount.DROPS_REFUSALS_MAX);
            }
        }
    }

    /** Returns whether a write was refused for what others have under way, so that the same may succeed when it comes again. */
    private static boolean isForLackOfRoom(GnrsCount result) {
        return switch (result) {
            case WRITES_IN_FLIGHT_MAX, WRITES_SOURCE_QUOTA, WRITES_NAME_QUOTA, WRITES_QUEUE_FULL, WRITES_PEERS_MAX -> true;
            default -> false;
        };
    }

    /** Writes the response to a write, with the reason if it was refused and the client reads that; returns its length. */
    private int written(Exchange exchange, int type, int id, GnrsCount result, int questionLength, boolean accepts) {
        boolean done = result == GnrsCount.WRITES_DONE;
        return done || !accepts
                ? reply.code(exchange, type, id, done ? GnrsWire.SUCCESS : GnrsWire.FAILED, questionLength)
                : reply.refusal(exchange, type, id, questionLength, reason(result));
    }

    private static RefusalReason reason(GnrsCount refusal) {
        return switch (refusal) {
            case WRITES_NOT_PERMITTED -> RefusalReason.NOT_PERMITTED;
            case WRITES_ELSEWHERE -> RefusalReason.ELSEWHERE;
            case WRITES_BINDINGS_MAX -> RefusalReason.BINDINGS_MAX;
            case WRITES_RECORD_BYTES_MAX -> RefusalReason.RECORD_BYTES_MAX;
            case WRITES_DERIVED -> RefusalReason.DERIVED;
            case WRITES_NAME_MISMATCH -> RefusalReason.NAME_MISMATCH;
            case WRITES_SOURCE_QUOTA, WRITES_NAME_QUOTA -> RefusalReason.QUOTA;
            case WRITES_WRITER_QUOTA -> RefusalReason.WRITER_QUOTA;
            case WRITES_STORE_FAILED -> RefusalReason.STORE;
            case WRITES_QUORUM_FAILED -> RefusalReason.PEERS;
            default -> RefusalReason.OVERLOAD;
        };
    }

    private @Nullable GnrsCount submit(Exchange exchange, boolean passedOn, boolean fromPeer) {
        if (!fromPeer && !followed.mayWrite(exchange.peerHigh(), exchange.peerLow())) {
            return GnrsCount.WRITES_NOT_PERMITTED;
        }
        if (active && relays != null) {
            return writes.relay(exchange, message, passedOn, relays);
        }
        return placer.isHere(message.segment(), message.guid())
                ? writes.submit(exchange, message)
                : GnrsCount.WRITES_ELSEWHERE;
    }

    private void countWrite(int responseType, GnrsCount result) {
        counts.count(result);
        boolean done = result == GnrsCount.WRITES_DONE;
        if (responseType == (GnrsWire.INSERT | GnrsWire.RESPONSE_BIT)) {
            counts.count(done ? GnrsCount.RESPONSES_INSERT_SUCCESS : GnrsCount.RESPONSES_INSERT_FAILED);
        } else {
            counts.count(done ? GnrsCount.RESPONSES_UPDATE_SUCCESS : GnrsCount.RESPONSES_UPDATE_FAILED);
        }
    }

    @Override
    public boolean next(Exchange exchange) {
        if (exchange.roomLength() < GnrsLimits.ANSWER_BYTES_MIN) {
            return false;
        }
        boolean any = nextWritten(exchange)
                || nextFromEngine(exchange)
                || nextFromServers(exchange)
                || nextInTurn(exchange)
                || refusals.next(exchange)
                || sends && relays != null && relays.next(exchange);
        if (any) {
            bytesSent += exchange.responseLength();
        }
        return any;
    }

    private boolean nextWritten(Exchange exchange) {
        PendingWrite write = writes.next();
        if (write == null) {
            return false;
        }
        writeLatencies.record(write.nanos());
        exchange.addressesOf(write.asker());
        GnrsCount result = write.result();
        countWrite(write.responseType(), result);
        if (result != GnrsCount.WRITES_DONE && write.reportsReplicas()) {
            exchange.respond(reply.copies(exchange, write));
        } else {
            exchange.respond(written(
                    exchange, write.responseType(), write.id(), result, write.questionLength(), write.accepts()));
        }
        writes.recycle(write);
        return true;
    }

    private boolean nextFromEngine(Exchange exchange) {
        DeferredLookup lookup = deferred.next();
        if (lookup == null) {
            return false;
        }
        Exchange answered = lookup.exchange();
        exchange.addressesOf(answered);
        int length = answered.responseLength();
        MemorySegment.copy(
                answered.room(), answered.roomOffset(), exchange.room(), exchange.roomOffset(), length);
        exchange.respond(length);
        lookupAnswered(exchange, lookup.outcome(), lookup.events());
        deferred.recycle(lookup);
        return true;
    }

    private boolean nextFromServers(Exchange exchange) {
        if (relayed == null || !relayed.next(exchange, now)) {
            return false;
        }
        lookupAnswered(exchange, relayed.outcome(), relayed.events());
        return true;
    }

    /** Handles messages that came behind others, until one of them has an answer. */
    private boolean nextInTurn(Exchange exchange) {
        while (!backlog.isEmpty()) {
            turn.request(backlog.segment(), backlog.offset(), backlog.length(), now);
            turn.addressesOf(backlog);
            backlog.remove();
            turn.room(exchange.room(), exchange.roomOffset(), exchange.roomLength());
            handle(turn);
            if (turn.responseLength() > 0) {
                exchange.addressesOf(turn);
                exchange.respond(turn.responseLength());
                return true;
            }
        }
        return false;
    }

    @Override
    public long restNanos() {
        if (relays == null || relayed == null || !active) {
            return refusals.restNanos();
        }
        return relayed.ready() || writes.ready() ? 0 : Math.min(refusals.restNanos(), relays.restNanos());
    }
}
