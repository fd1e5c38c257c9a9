package io.guidepost.scaffold.flow;

import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.scaffold.resume.DeliveredBytes;
import io.guidepost.scaffold.resume.HttpExchange;
import io.guidepost.scaffold.segment.IpPacket;
import io.guidepost.scaffold.segment.SegmentWriter;
import io.guidepost.scaffold.segment.Splice;
import io.guidepost.scaffold.segment.TcpOptions;
import java.util.Arrays;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A connection that goes on at another instance, until its segments can be spliced: the gateway is the client of the next
 * instance meanwhile. It sends the request again, acknowledges no more than the client has acknowledged itself, compares what
 * comes with what was delivered, and gives the client the rest. Belongs to one thread.
 */
final class InstanceChange {
    /** Bytes of the next instance that are kept until the client has them, and so the window that it is given; more if it has a gap. */
    private static final int KEPT_BYTES_MAX = 1 << 20;

    private static final int AHEAD_BYTES_MAX = 256 << 10;
    private static final int SEGMENT_BYTES = 1_200;
    private static final int WINDOW_MAX = 0xffff;
    private static final long RETRANSMIT_NANOS = 50 * LocalHost.MILLI;
    private static final long REDELIVER_NANOS = 20 * LocalHost.MILLI;
    private static final int BACKOFF_MAX = 5;

    /** Without progress for so long the instance counts as lost. */
    private static final long SILENCE_NANOS = 3_000 * LocalHost.MILLI;

    private static final byte[] NOTHING = {};

    /** What has come of it. */
    enum Outcome {
        /** It is under way. */
        GOING,
        /** Segments of the instance can be spliced from now on. */
        DONE,
        /** The instance does not give the rest alone: the whole is to be asked for, at any instance. */
        NO_RANGE,
        /** The instance is gone too, or silent: another is to be asked for. */
        LOST,
        /** The instance gives other bytes than those that the client has: the flow is to be reset. */
        DIFFERS
    }

    private final LocalHost host;
    private final CarriedFlow flow;
    private final ResumableFlow record;

    /**
     * The exchange that is repeated, where it begins, and how far the client had sent: it may acknowledge all of the response, and ask
     * for another, while the next instance is still compared.
     */
    private final HttpExchange exchange;

    private final long responseBase;
    private final int requestAcknowledgment;
    private final boolean byRange;
    private final byte[] request;
    private final int requestIsn;
    private final long resumesAt;
    private final DeliveredBytes.@Nullable Comparison comparison;
    private final int keptBytesMax;

    private byte[] synAck = NOTHING;
    private int responseIsn;
    private int instanceWindow = WINDOW_MAX;
    private int instanceClock;
    private boolean hasClocks;

    /** Bytes of the request that the instance has acknowledged. */
    private int requestDone;

    /** Bytes of its response that have come in order, and the first of these that is kept. */
    private long received;

    private byte[] kept = NOTHING;
    private long keptFrom;
    private int keptBytes;

    /** Segments behind a gap, by where they begin. */
    private final TreeMap<Long, byte[]> ahead = new TreeMap<>();

    private int aheadBytes;

    /** Bytes at the front of the response that are not for the client: its head, and an overlap; -1 until they have come. */
    private int skip = -1;

    /** Bytes of the response that were acknowledged: the gateway has to bring them to the client. */
    private long acknowledged;

    private int unacknowledged;
    private long sentNanos;
    private long progressNanos;
    private long deliveredNanos = Long.MIN_VALUE / 2;
    private int tries;

    InstanceChange(LocalHost host, CarriedFlow flow, ResumableFlow record, boolean byRange) {
        this.host = host;
        this.flow = flow;
        this.record = record;
        this.exchange = record.exchange();
        this.responseBase = record.responseBase();
        this.requestAcknowledgment = record.requestAcknowledgment();
        this.byRange = byRange;
        this.requestIsn = record.nextRequestIsn();
        this.request = byRange ? exchange.rangeRequest(record.acknowledgedOfExchange()) : exchange.request();
        this.comparison = byRange || record.isIdle() ? null : record.comparison();
        this.keptBytesMax = KEPT_BYTES_MAX + (comparison == null ? 0 : (int) comparison.keptBack());
        if (byRange) {
            resumesAt = record.acknowledged();
        } else {
            resumesAt = responseBase + exchange.headBytes();
            skip = exchange.hasAnswer() ? -1 : 0;
        }
    }

    /** Returns the SYN that the next instance gets. */
    byte[] syn(Splice splice) {
        IpPacket packet = host.segments.copy(flow.first);
        splice.prepare(packet.transport());
        Memory.put32(packet.transport() + 4, requestIsn);
        packet.fillChecksum();
        return packet.bytes();
    }

    /** Takes the next instance's SYN-ACK, and sends the request. */
    Outcome begin(IpPacket packet) {
        synAck = packet.bytes();
        responseIsn = packet.sequence();
        progressNanos = host.nowNanos;
        takeHeader(packet);
        if (request.length == 0) {
            sendAck();
        } else {
            sendRequest();
        }
        return outcome();
    }

    private void takeHeader(IpPacket packet) {
        instanceWindow = packet.window();
        hasClocks = host.options.read(packet.transport()) && host.options.timestamps() != TcpOptions.NONE;
        instanceClock = hasClocks ? host.options.clock(packet.transport(), 0) : instanceClock;
    }

    private void sendRequest() {
        sentNanos = host.nowNanos;
        int from = requestDone;
        do {
            int bytes = Math.min(SEGMENT_BYTES, request.length - from);
            send(Tcp.ACK | Tcp.PSH, from, bytes);
            from += bytes;
        } while (from < request.length);
    }

    private void sendAck() {
        sentNanos = host.nowNanos;
        send(Tcp.ACK, requestDone, 0);
    }

    private void send(int flags, int from, int bytes) {
        unacknowledged = 0;
        SegmentWriter.Numbers numbers = new SegmentWriter.Numbers(
                requestIsn + 1 + from,
                responseIsn + 1 + (int) acknowledged(),
                flags,
                window(),
                record.hasClocks() && hasClocks,
                record.clientClock(),
                instanceClock);
        host.toPeer(flow, host.segments.write(flow.tuple, false, numbers, request, from, bytes));
    }

    /**
     * Returns how much of the response is acknowledged: all, so that the instance goes on, until what was delivered is
     * compared. From then on the client acknowledges itself.
     */
    private long acknowledged() {
        if (!isCompared()) {
            acknowledged = received;
        }
        return acknowledged;
    }

    private int window() {
        return Math.min(WINDOW_MAX, keptBytesMax - keptBytes >> record.clientScale());
    }

    /** Takes a segment of the next instance. */
    Outcome take(IpPacket packet) {
        if (packet.isSynAck()) {
            // It has not heard of the acknowledgment.
            sendAck();
            return Outcome.GOING;
        }
        if (packet.has(Tcp.RST)) {
            return Outcome.LOST;
        }
        takeHeader(packet);
        int done = packet.acknowledgment() - (requestIsn + 1);
        if (packet.has(Tcp.ACK) && done > requestDone && done <= request.length) {
            requestDone = done;
            progressNanos = host.nowNanos;
            tries = 0;
        }
        Outcome outcome = packet.payloadBytes() == 0 ? Outcome.GOING : takeData(packet);
        if (outcome != Outcome.GOING) {
            return outcome;
        }
        outcome = outcome();
        return outcome == Outcome.GOING && packet.has(Tcp.FIN) && !isBefore(packet) ? Outcome.LOST : outcome;
    }

    /** Returns whether data before a segment are missing. */
    private boolean isBefore(IpPacket packet) {
        return packet.sequence() - (responseIsn + 1 + (int) received) > 0;
    }

    private Outcome takeData(IpPacket packet) {
        int offset = packet.sequence() - (responseIsn + 1 + (int) received);
        if (offset > 0 || offset + packet.payloadBytes() <= 0) {
            if (offset > 0 && aheadBytes + packet.payloadBytes() <= AHEAD_BYTES_MAX && !ahead.containsKey(received + offset)) {
                keepAhead(received + offset, packet.payload(0));
            }
            sendAck();
            return Outcome.GOING;
        }
        Outcome outcome = takeInOrder(packet.payload(-offset));
        for (var next = ahead.firstEntry();
                outcome == Outcome.GOING && next != null && next.getKey() <= received;
                next = ahead.firstEntry()) {
            ahead.remove(next.getKey());
            aheadBytes -= next.getValue().length;
            host.kept.free(next.getValue().length);
            int known = (int) (received - next.getKey());
            if (known < next.getValue().length) {
                outcome = takeInOrder(Arrays.copyOfRange(next.getValue(), known, next.getValue().length));
            }
        }
        return outcome;
    }

    private Outcome takeInOrder(byte[] fresh) {
        if (!keep(fresh)) {
            return Outcome.GOING;
        }
        received += fresh.length;
        progressNanos = host.nowNanos;
        tries = 0;
        unacknowledged++;
        if (skip < 0) {
            return byRange ? readRange() : readHead();
        }
        return compare(fresh);
    }

    private Outcome compare(byte[] fresh) {
        DeliveredBytes.Comparison with = comparison;
        if (with != null) {
            with.take(fresh);
            return with.differs() ? Outcome.DIFFERS : Outcome.GOING;
        }
        return Outcome.GOING;
    }

    private Outcome readHead() {
        try {
            byte[] all = Arrays.copyOf(kept, keptBytes);
            int head = exchange.repeatedHead(all);
            if (head == 0) {
                return Outcome.GOING;
            }
            skip = head;
            return compare(Arrays.copyOfRange(all, head, all.length));
        } catch (Malformed e) {
            return Outcome.DIFFERS;
        }
    }

    /** Keeps bytes that the client has not acknowledged; false if there is no room for them now. */
    private boolean keep(byte[] fresh) {
        drop();
        if (keptBytes + fresh.length > keptBytesMax) {
            return false;
        }
        if (keptBytes + fresh.length > kept.length && !grow(keptBytes + fresh.length)) {
            return false;
        }
        System.arraycopy(fresh, 0, kept, keptBytes, fresh.length);
        keptBytes += fresh.length;
        return true;
    }

    /** Makes room; false if all flows of the gateway keep as much as they may: the instance is not silent, and sends again. */
    private boolean grow(int bytes) {
        int room = Math.min(Math.max(16 << 10, 2 * bytes), keptBytesMax);
        if (!host.kept.take(room - kept.length)) {
            progressNanos = host.nowNanos;
            return false;
        }
        kept = Arrays.copyOf(kept, room);
        return true;
    }

    private void keepAhead(long from, byte[] bytes) {
        if (host.kept.take(bytes.length)) {
            ahead.put(from, bytes);
            aheadBytes += bytes.length;
        }
    }

    /** Gives back the room of what it keeps; nothing comes to it or from it any more. */
    void forget() {
        host.kept.free(kept.length + aheadBytes);
        kept = NOTHING;
        keptBytes = 0;
        ahead.clear();
        aheadBytes = 0;
    }

    /** Returns how much of the response the client has, or is not for it. */
    private long atClient() {
        return skip < 0 ? 0 : skip + Math.max(0, record.acknowledged() - resumesAt);
    }

    /** Drops what the client has. */
    private void drop() {
        int bytes = (int) Math.min(atClient() - keptFrom, keptBytes);
        if (bytes > 0) {
            System.arraycopy(kept, bytes, kept, 0, keptBytes - bytes);
            keptBytes -= bytes;
            keptFrom += bytes;
        }
    }

    private Outcome readRange() {
        try {
            HttpExchange.Rest rest = exchange.rest(Arrays.copyOf(kept, keptBytes), resumesAt - responseBase);
            if (rest == null || keptBytes < rest.skip()) {
                return Outcome.GOING;
            }
            byte[] overlap = Arrays.copyOfRange(kept, rest.skip() - rest.compare(), rest.skip());
            if (!Arrays.equals(overlap, record.tail(rest.compare()))) {
                return Outcome.NO_RANGE;
            }
            skip = rest.skip();
            return Outcome.GOING;
        } catch (Malformed e) {
            return Outcome.NO_RANGE;
        }
    }

    private boolean isCompared() {
        return skip >= 0 && (comparison == null || comparison.left() == 0);
    }

    private Outcome outcome() {
        if (!isCompared() || requestDone < request.length) {
            return Outcome.GOING;
        }
        if (record.acknowledged() >= resumesAt && atClient() >= acknowledged) {
            return Outcome.DONE;
        }
        if (host.nowNanos - deliveredNanos >= REDELIVER_NANOS) {
            deliver();
        }
        return Outcome.GOING;
    }

    /**
     * Sends what is due.
     *
     * @return {@link Outcome#LOST} if the instance does not answer
     */
    Outcome tick() {
        // The client may have acknowledged meanwhile what the end waited for.
        if (outcome() == Outcome.DONE) {
            return Outcome.DONE;
        }
        if (unacknowledged > 0) {
            sendAck();
        }
        if (host.nowNanos - progressNanos > SILENCE_NANOS) {
            return Outcome.LOST;
        }
        if (host.nowNanos - sentNanos < RETRANSMIT_NANOS << tries) {
            return Outcome.GOING;
        }
        tries = Math.min(tries + 1, BACKOFF_MAX);
        if (requestDone < request.length) {
            sendRequest();
        } else {
            sendAck();
        }
        return Outcome.GOING;
    }

    /** Acknowledges every second segment at once, as RFC 9293 wants it. */
    void acknowledge() {
        if (unacknowledged > 1) {
            sendAck();
        }
    }

    /** Has segments be spliced from now on; false if the instance has not agreed to what the client counts on. */
    boolean splice(Splice splice) {
        IpPacket packet = host.segments.copy(synAck);
        int response = responseIsn + 1 + skip - record.responseSequence(resumesAt);
        int more = byRange ? request.length - exchange.request().length : 0;
        return splice.next(packet.transport(), response, more, record.instanceClock());
    }

    /** Gives the client what it has not acknowledged of the bytes that have come. */
    void deliver() {
        deliveredNanos = host.nowNanos;
        drop();
        long offset = resumesAt + keptFrom - skip;
        int from = 0;
        // A range's head, and what it has in common with what was delivered, are not for the client.
        if (offset < resumesAt) {
            from = (int) (resumesAt - offset);
            offset = resumesAt;
        }
        for (; from < keptBytes; ) {
            int bytes = Math.min(SEGMENT_BYTES, keptBytes - from);
            byte[] part = Arrays.copyOfRange(kept, from, from + bytes);
            record.resumed(offset, part);
            SegmentWriter.Numbers numbers = new SegmentWriter.Numbers(
                    record.responseSequence(offset),
                    requestAcknowledgment,
                    Tcp.ACK | Tcp.PSH,
                    instanceWindow,
                    record.hasClocks(),
                    record.instanceClock(),
                    record.clientClock());
            host.toKernel(host.segments.write(flow.tuple, true, numbers, part, 0, bytes));
            from += bytes;
            offset += bytes;
        }
    }
}
