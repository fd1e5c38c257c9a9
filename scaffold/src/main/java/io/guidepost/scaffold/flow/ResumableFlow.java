package io.guidepost.scaffold.flow;

import io.guidepost.packet.frame.Tcp;
import io.guidepost.scaffold.resume.DeliveredBytes;
import io.guidepost.scaffold.resume.HttpExchange;
import io.guidepost.scaffold.resume.KeptBytes;
import io.guidepost.scaffold.segment.IpPacket;
import io.guidepost.scaffold.segment.TcpOptions;
import java.util.Arrays;

/**
 * What a client's gateway knows of a TCP connection that can go on at another instance: how far request and response have come,
 * as offsets of their streams from the first byte on, and the exchange of HTTP that is under way. Belongs to one thread.
 */
final class ResumableFlow {
    /** What is to be done with a segment of the instance. */
    enum Verdict {
        /** It goes on to the client. */
        PASS,
        /** It does not: it will come again. */
        DROP,
        /** The instance ends the message too early: another is to go on. */
        CUT
    }

    /**
     * What the connections of a gateway have in common.
     *
     * @param options a reader of options
     * @param repeatedBytesMax delivered bytes that are repeated at most
     * @param room what all flows keep bytes of
     */
    record Shared(TcpOptions options, long repeatedBytesMax, KeptBytes room) {}

    /** Of a connection that waits for a request. */
    private static final HttpExchange NO_EXCHANGE = new HttpExchange();

    private static final DeliveredBytes NOTHING_DELIVERED = new DeliveredBytes();

    private final Shared shared;

    /** The client's initial sequence number, and the first instance's as the client knows it. */
    private final int requestIsn;

    private final int responseIsn;
    private final int clientScale;
    private final boolean hasClocks;
    private final boolean everyMethod;

    /** One that is told of nothing until a request begins. */
    private HttpExchange exchange = NO_EXCHANGE;

    /** What has gone on to the client: of the response's head while that has not come as a whole, and then of its body. */
    private DeliveredBytes delivered = NOTHING_DELIVERED;

    /** Where the exchange begins in either stream. */
    private long requestBase;

    private long responseBase;
    private long requestNext;
    private long acknowledged;
    private int clientClock;
    private int instanceClock;
    private boolean requestEnds;

    /**
     * Creates the record of a connection that an instance has accepted.
     *
     * @param syn the client's
     * @param synAck the instance's
     * @param everyMethod whether the object's owner says that all requests may be repeated
     */
    ResumableFlow(IpPacket syn, IpPacket synAck, boolean everyMethod, Shared shared) {
        this.shared = shared;
        this.everyMethod = everyMethod;
        this.requestIsn = syn.sequence();
        this.responseIsn = synAck.sequence();
        TcpOptions options = shared.options;
        options.read(syn.transport());
        this.clientScale = options.scales() ? options.windowScale() : 0;
        boolean asked = options.timestamps() != TcpOptions.NONE;
        this.clientClock = options.clock(syn.transport(), 0);
        options.read(synAck.transport());
        this.hasClocks = asked && options.timestamps() != TcpOptions.NONE;
        this.instanceClock = hasClocks ? options.clock(synAck.transport(), 0) : 0;
    }

    private static long offset(int number, int isn, long near) {
        return near + (number - (isn + 1 + (int) near));
    }

    /** Returns the newest timestamp: a segment that was overtaken has an older one, which the other end would refuse (RFC 7323, PAWS). */
    private int clock(IpPacket packet, int before) {
        if (!hasClocks || !shared.options.read(packet.transport())) {
            return before;
        }
        int clock = shared.options.clock(packet.transport(), before);
        return clock - before > 0 ? clock : before;
    }

    /** Takes note of a segment of the client, before it is rewritten for the instance. */
    void fromClient(IpPacket packet) {
        clientClock = clock(packet, clientClock);
        if (packet.has(Tcp.ACK)) {
            long at = offset(packet.acknowledgment(), responseIsn, acknowledged);
            // The acknowledgment of a FIN is one more than there are bytes.
            acknowledged = Math.max(acknowledged, Math.min(at, given()));
        }
        if (isComplete() && acknowledgedOfExchange() >= exchange.end()) {
            next(requestNext);
        }
        long from = offset(packet.sequence(), requestIsn, requestNext);
        int bytes = packet.payloadBytes();
        if (from <= requestNext && from + bytes > requestNext) {
            byte[] fresh = packet.payload((int) (requestNext - from));
            requestNext += fresh.length;
            request(fresh);
        }
        requestEnds |= packet.has(Tcp.FIN) && from + bytes == requestNext;
    }

    private void request(byte[] bytes) {
        if (isComplete()) {
            next(requestNext - bytes.length);
        }
        begin();
        exchange.request(bytes);
    }

    private void begin() {
        if (exchange == NO_EXCHANGE) {
            exchange = new HttpExchange(everyMethod, shared.room);
            delivered = new DeliveredBytes(0, shared.room);
        }
    }

    /** Forgets an exchange that is over; the next request begins at an offset. */
    private void next(long requestOffset) {
        responseBase += exchange.end();
        requestBase = requestOffset;
        forget();
        exchange = NO_EXCHANGE;
        delivered = NOTHING_DELIVERED;
    }

    /** Gives back the room of what is kept: the connection is over, or cannot go on elsewhere any more. */
    void forget() {
        if (exchange != NO_EXCHANGE) {
            exchange.forget();
            delivered.forget();
        }
    }

    /** Returns how much of the response has gone on to the client without a gap. */
    private long delivered() {
        return exchange.headBytes() + delivered.withoutGap();
    }

    /** Returns whether the response has come as a whole. */
    private boolean isComplete() {
        return exchange.end() >= 0 && delivered() >= exchange.end();
    }

    /** Returns whether bytes of the instance are awaited. */
    boolean expects() {
        return exchange.refusal().isEmpty() && !isIdle();
    }

    /** Decides on a segment of the instance, which has the numbers that the client knows. */
    Verdict fromInstance(IpPacket packet) {
        long at = offset(packet.sequence(), responseIsn, responseBase + delivered()) - responseBase;
        int bytes = packet.payloadBytes();
        if (packet.has(Tcp.RST) && isCut(delivered()) || packet.has(Tcp.FIN) && isCut(at + bytes)) {
            return Verdict.CUT;
        }
        if (bytes > 0 && (isIdle() || isComplete()) && at + bytes > Math.max(0, exchange.end())) {
            begin();
            exchange.refuse("the instance speaks without being asked");
        }
        if (bytes > 0 && exchange.refusal().isEmpty() && !take(at, packet)) {
            return Verdict.DROP;
        }
        instanceClock = clock(packet, instanceClock);
        return Verdict.PASS;
    }

    private boolean isCut(long end) {
        if (!exchange.refusal().isEmpty() || isIdle()) {
            return false;
        }
        return !exchange.hasAnswer() || exchange.end() >= 0 && end < exchange.end();
    }

    /** Takes bytes of the response that are to go on to the client; false if they must not. */
    private boolean take(long at, IpPacket packet) {
        // What was sent again may begin in the response before, and end in this one.
        int before = (int) Math.min(packet.payloadBytes(), Math.max(0, -at));
        return before == packet.payloadBytes() || take(at + before, packet.payload(before));
    }

    private boolean take(long at, byte[] bytes) {
        begin();
        if (!exchange.hasAnswer()) {
            long known = delivered.withoutGap();
            if (at > known) {
                return false;
            }
            if (at + bytes.length > known) {
                exchange.response(Arrays.copyOfRange(bytes, (int) (known - at), bytes.length));
            }
            if (!exchange.hasAnswer()) {
                return delivered.take(at, bytes);
            }
            delivered.forget();
            delivered = new DeliveredBytes(HttpExchange.OVERLAP_BYTES, shared.room);
        }
        int before = (int) Math.min(bytes.length, Math.max(0, exchange.headBytes() - at));
        byte[] fresh = Arrays.copyOfRange(bytes, before, bytes.length);
        return fresh.length == 0 || delivered.take(at + before - exchange.headBytes(), fresh);
    }

    /** Returns the last bytes of the body that were delivered. */
    byte[] tail(int bytes) {
        return delivered.tail(bytes);
    }

    /** Returns whether another instance can go on. */
    boolean canResume() {
        return refusal().isEmpty();
    }

    /** Returns why no other instance can go on; empty if one can. */
    String refusal() {
        if (requestEnds) {
            return "the client sends no more";
        }
        if (!exchange.refusal().isEmpty()) {
            return exchange.refusal();
        }
        if (isIdle()) {
            return "";
        }
        if (exchange.resumption(delivered()) == HttpExchange.Resumption.NONE) {
            return "the response began before the request had ended";
        }
        boolean ranges = exchange.resumption(acknowledgedOfExchange()) == HttpExchange.Resumption.RANGE;
        return !ranges && delivered() > shared.repeatedBytesMax
                ? "more than " + (shared.repeatedBytesMax >> 20) + " MiB would have to be repeated"
                : "";
    }

    /** Returns whether nothing is asked for: the next instance only has to accept the connection. */
    boolean isIdle() {
        return requestNext == requestBase;
    }

    /** Returns how far the client has acknowledged the response of the exchange. */
    long acknowledgedOfExchange() {
        return Math.max(0, acknowledged - responseBase);
    }

    /** Returns whether the rest can be asked for by range, from what the client has acknowledged on. */
    boolean canRange() {
        long from = acknowledgedOfExchange();
        return !isIdle()
                && exchange.resumption(from) == HttpExchange.Resumption.RANGE
                && (exchange.hasStrongTag() || from == delivered());
    }

    HttpExchange exchange() {
        return exchange;
    }

    /** Returns a comparison with what another instance sends: its body, or from its first byte on if no head has come. */
    DeliveredBytes.Comparison comparison() {
        return delivered.compare();
    }

    /** Returns the sequence number of the SYN to the next instance: its first byte is the first of the exchange. */
    int nextRequestIsn() {
        return requestIsn + (int) requestBase;
    }

    /** Returns where the exchange begins in the response's stream: the next instance's first byte belongs there. */
    long responseBase() {
        return responseBase;
    }

    /** Returns the sequence number that the client has for an offset of the response's stream. */
    int responseSequence(long offset) {
        return responseIsn + 1 + (int) offset;
    }

    /** Returns the acknowledgment of all that the client has sent. */
    int requestAcknowledgment() {
        return requestIsn + 1 + (int) requestNext;
    }

    long acknowledged() {
        return acknowledged;
    }

    /** Returns the offset behind all that has gone on to the client. */
    long given() {
        return responseBase + delivered();
    }

    int clientScale() {
        return clientScale;
    }

    boolean hasClocks() {
        return hasClocks;
    }

    /** Returns the newest timestamp of the client. */
    int clientClock() {
        return clientClock;
    }

    /** Returns the newest timestamp of an instance, as the client knows it. */
    int instanceClock() {
        return instanceClock;
    }

    /** Takes bytes of the next instance that go on to the client, in order, from an offset of the response's stream on. */
    void resumed(long offset, byte[] bytes) {
        take(offset - responseBase, bytes);
    }
}
