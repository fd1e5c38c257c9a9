package io.guidepost.gnrs.site;

import io.guidepost.gnrs.Placer;
import io.guidepost.gnrs.Relays;
import io.guidepost.names.Counters;
import io.guidepost.names.Exchange;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The relays of one worker: looks for records at other servers, writes by quorum, and answers other servers. */
public final class Relay implements Relays {
    private final Deployment deployment;
    private final int worker;
    private final Seal seal;
    private final Counters<SiteCount> counts = new Counters<>(SiteCount.class);
    private final Questions questions;
    private final Placer placer;
    private final Fetches fetches;
    private final QuorumWrites writes;
    private final Merges merges;

    Relay(Deployment deployment, int worker, Runnable wake) {
        this.deployment = deployment;
        this.worker = worker;
        this.seal = new Seal(deployment.settings().key());
        this.placer = deployment.placement().placer();
        this.questions = new Questions(
                2 * deployment.settings().relaysMax(),
                worker,
                deployment.workerBits(),
                seal,
                deployment.random(),
                deployment.nanoClock(),
                counts);
        this.fetches = new Fetches(deployment, placer, questions, counts);
        this.writes = new QuorumWrites(deployment, placer, questions, counts, wake);
        this.merges = new Merges(deployment, counts, wake);
    }

    /** What was counted; any thread may read. */
    public Counters<SiteCount> counts() {
        return counts;
    }

    @Override
    public void begin(long nowMillis) {
        questions.expire();
        fetches.begin(nowMillis);
        writes.begin(nowMillis);
        merges.begin();
    }

    @Override
    public boolean active() {
        return deployment.peers().all().stream().anyMatch(peer -> !peer.own());
    }

    @Override
    public boolean isPeer(long high, long low, int port) {
        return deployment.peers().at(high, low, port) != null;
    }

    @Override
    public void take(Exchange exchange) {
        int type = exchange.question().get(SiteWire.BYTE, exchange.questionOffset() + SiteWire.TYPE) & 0xff;
        if ((type & SiteWire.RESPONSE_BIT) != 0) {
            questions.take(exchange);
            return;
        }
        if (!deployment.peers().isHost(exchange.peerHigh(), exchange.peerLow())) {
            counts.count(SiteCount.DROPPED_STRANGER);
            return;
        }
        int length = seal.check(exchange.question(), exchange.questionOffset(), exchange.questionLength());
        if (length < SiteWire.HEADER_BYTES) {
            counts.count(SiteCount.DROPPED_SEAL);
            return;
        }
        exchange.question(exchange.question(), exchange.questionOffset(), length, exchange.nowMillis());
        switch (type) {
            case SiteWire.FETCH -> fetches.take(exchange);
            case SiteWire.FORGET -> fetches.forget(exchange);
            case SiteWire.MERGE -> merges.take(exchange);
            default -> counts.count(SiteCount.DROPPED_MALFORMED_QUESTION);
        }
        if (exchange.answerLength() > 0) {
            exchange.answer(seal.put(exchange.room(), exchange.roomOffset(), exchange.answerLength()));
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
    public boolean ownMayLag(MemorySegment segment, long guid) {
        return fetches.ownMayLag(segment, guid);
    }

    @Override
    public boolean fetch(MemorySegment segment, long guid, Exchange asker, Fetched fetched) {
        return fetches.fetch(segment, guid, asker, fetched);
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
        if (merges.next(exchange)) {
            exchange.answer(seal.put(exchange.room(), exchange.roomOffset(), exchange.answerLength()));
            return true;
        }
        return fetches.next(exchange);
    }

    @Override
    public void end() {}

    @Override
    public long restNanos() {
        return Math.min(questions.restNanos(), writes.restNanos());
    }

    int worker() {
        return worker;
    }
}
