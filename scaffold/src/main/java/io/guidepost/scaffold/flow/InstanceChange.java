package io.guidepost.scaffold.flow;

import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import io.guidepost.packet.frame.Tcp;
import io.guidepost.scaffold.resume.DeliveredBytes;
import io.guidepost.scaffold.resume.HttpExchange;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A connection that goes on at another instance, until its segments can be spliced: the gateway is the client of the next
 * instance meanwhile. It sends the request again, acknowledges no more than the client has acknowledged itself, compares what
 * comes with what was delivered, and gives the client the rest. Belongs to one thread.
 */
final class InstanceChange {
    /** Bytes of the next instance that are kept until they may go on, and so the window that it is given. */
    static final int KEPT_BYTES_MAX = 1 << 20;

    private static final int SEGMENT_BYTES = 1_200;
    private static final int TSVAL = 2;
    private static final int WINDOW_MAX = 0xffff;
    private static final long RETRANSMIT_NANOS = 50 * LocalHost.MILLI;
    private static final int TRIES_MAX = 7;
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
    private final boolean byRange;
    private final byte[] request;
    private final int requestIsn;
    private final long resumesAt;
    private final TcpOptions options = new TcpOptions();
    private final DeliveredBytes.@Nullable Comparison comparison;

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

    /** Bytes at the front of a range that are not for the client; -1 until they have come. */
    private int skip = -1;

    private int unacknowledged;
    private long sentNanos;
    private int tries;

    InstanceChange(LocalHost host, CarriedFlow flow, ResumableFlow record, boolean byRange) {
        this.host = host;
        this.flow = flow;
        this.record = record;
        this.byRange = byRange;
        this.requestIsn = record.nextRequestIsn();
        this.resumesAt = byRange ? record.acknowledged() : record.nextResponseOffset();
        this.request = byRange ? record.exchange().rangeRequest(record.acknowledgedOfExchange()) : record.request();
        this.comparison = byRange || record.isIdle() ? null : record.delivered().compare();
    }

    boolean isByRange() {
        return byRange;
    }

    /** Returns the SYN that the next instance gets. */
    byte[] syn(Splice splice) {
        IpPacket packet = host.segments.copy(flow.first);
        splice.prepare(packet.transport());
        Memory.put32(packet.transport() + 4, requestIsn);
        packet.fillTcpChecksum();
        return packet.bytes();
    }

    /** Takes the next instance's SYN-ACK, and sends the request. */
    Outcome begin(IpPacket packet) {
        synAck = packet.bytes();
        responseIsn = packet.sequence();
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
        hasClocks = options.read(packet.transport()) && options.timestamps() != TcpOptions.NONE;
        if (hasClocks) {
            instanceClock = Memory.i32(packet.transport() + options.timestamps() + TSVAL);
        }
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
        IpPacket packet = host.segments.write(flow.tuple(), false, numbers, request, from, bytes);
        host.toPeer(flow, packet.address(), packet.length());
    }

    /** Returns how much of the response may be acknowledged: what the client has, and what is not for it. */
    private long acknowledged() {
        if (byRange) {
            return skip < 0 ? received : Math.min(received, skip + record.acknowledged() - resumesAt);
        }
        return Math.min(received, record.acknowledged() - resumesAt);
    }

    private int window() {
        return Math.min(WINDOW_MAX, KEPT_BYTES_MAX - keptBytes >> record.clientScale());
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
        int ahead = packet.sequence() - (responseIsn + 1 + (int) received);
        if (ahead > 0 || ahead + packet.payloadBytes() <= 0) {
            sendAck();
            return Outcome.GOING;
        }
        byte[] fresh = packet.payload(-ahead);
        if (!keep(fresh)) {
            return Outcome.GOING;
        }
        received += fresh.length;
        tries = 0;
        unacknowledged++;
        DeliveredBytes.Comparison with = comparison;
        if (with != null) {
            with.take(fresh);
            if (with.differs()) {
                return Outcome.DIFFERS;
            }
        } else if (byRange && skip < 0) {
            return readRange();
        }
        return Outcome.GOING;
    }

    /** Keeps bytes that the client has not acknowledged; false if there is no room for them now. */
    private boolean keep(byte[] fresh) {
        drop(acknowledged());
        if (keptBytes + fresh.length > KEPT_BYTES_MAX) {
            return false;
        }
        if (keptBytes + fresh.length > kept.length) {
            kept = Arrays.copyOf(kept, Math.max(16 << 10, 2 * (keptBytes + fresh.length)));
        }
        System.arraycopy(fresh, 0, kept, keptBytes, fresh.length);
        keptBytes += fresh.length;
        return true;
    }

    /** Drops what is kept before a position of the response, unless a range's head is still to be read. */
    private void drop(long before) {
        int bytes = byRange && skip < 0 ? 0 : (int) Math.min(before - keptFrom, keptBytes);
        if (bytes > 0) {
            System.arraycopy(kept, bytes, kept, 0, keptBytes - bytes);
            keptBytes -= bytes;
            keptFrom += bytes;
        }
    }

    private Outcome readRange() {
        try {
            HttpExchange.Rest rest =
                    record.exchange().rest(Arrays.copyOf(kept, keptBytes), resumesAt - record.responseBase());
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

    private Outcome outcome() {
        boolean compared = byRange ? skip >= 0 : comparison == null || comparison.left() == 0;
        return compared && requestDone == request.length ? Outcome.DONE : Outcome.GOING;
    }

    /**
     * Sends what is due.
     *
     * @return {@link Outcome#LOST} if the instance does not answer
     */
    Outcome tick() {
        if (unacknowledged > 0) {
            sendAck();
        }
        if (host.nowNanos - sentNanos < RETRANSMIT_NANOS << tries) {
            return Outcome.GOING;
        }
        if (++tries > TRIES_MAX) {
            return Outcome.LOST;
        }
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
        int response = responseIsn + 1 + Math.max(0, skip) - record.responseSequence(resumesAt);
        int more = byRange ? request.length - record.exchange().request().length : 0;
        return splice.next(packet.transport(), response, more, record.instanceClock());
    }

    /** Gives the client what it has not acknowledged of the bytes that have come. */
    void deliver() {
        if (unacknowledged > 0) {
            sendAck();
        }
        drop(acknowledged());
        long offset = resumesAt + keptFrom - Math.max(0, skip);
        int from = 0;
        // A range's head, and what it has in common with what was delivered, are not for the client.
        if (offset < resumesAt) {
            from = (int) (resumesAt - offset);
            offset = resumesAt;
        }
        for (; from < keptBytes; ) {
            int bytes = Math.min(SEGMENT_BYTES, keptBytes - from);
            byte[] part = Arrays.copyOfRange(kept, from, from + bytes);
            record.resumed(offset - record.responseBase(), part);
            SegmentWriter.Numbers numbers = new SegmentWriter.Numbers(
                    record.responseSequence(offset),
                    record.requestAcknowledgment(),
                    Tcp.ACK | Tcp.PSH,
                    instanceWindow,
                    record.hasClocks(),
                    record.instanceClock(),
                    record.clientClock());
            host.toKernel(host.segments.write(flow.tuple(), true, numbers, part, 0, bytes));
            from += bytes;
            offset += bytes;
        }
    }
}
