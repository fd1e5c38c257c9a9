package io.guidepost.proximity.bgp;

import io.guidepost.base.Counters;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A BGP session (RFC 4271) on an established connection: bytes and time in, bytes and routes out. It receives routes
 * and announces none. Whatever bytes the peer sends, the worst result is a NOTIFICATION. Not thread-safe.
 *
 * <pre>
 *                 OPEN, suits            KEEPALIVE
 *  (connection) ──▶ OPEN_SENT ──────▶ OPEN_CONFIRM ──────▶ ESTABLISHED ──▶ UPDATE, KEEPALIVE, refresh ...
 *                      │                   │                    │
 *                      └───────────────────┴────────────────────┴──▶ CLOSED: a fault, silence, NOTIFICATION, close
 * header: | marker 128, all ones | length 16 | type 8 |
 * </pre>
 *
 * <p>Connection collisions (RFC 4271 section 6.8) do not arise: a side that accepts connections from a peer does not
 * connect to it.
 */
public final class BgpSession {
    /** States of a session. */
    public enum State {
        /** This side has sent its OPEN. */
        OPEN_SENT,
        /** The peer's OPEN is acceptable, and confirmed. */
        OPEN_CONFIRM,
        /** Routes may come. */
        ESTABLISHED,
        /** The session has ended. */
        CLOSED
    }

    private static final int HEADER_BYTES = 19;
    private static final int MARKER_BYTES = 16;

    private static final int OPEN = 1;
    private static final int UPDATE = 2;
    private static final int NOTIFICATION = 3;
    private static final int KEEPALIVE = 4;
    private static final int ROUTE_REFRESH = 5;

    private static final int OPEN_BYTES_MIN = 29;
    private static final int UPDATE_BYTES_MIN = 23;
    private static final int NOTIFICATION_BYTES_MIN = 21;
    private static final int REFRESH_BYTES_MIN = 23;

    /** Time for the peer's OPEN: the large value that RFC 4271 section 8.2.2 suggests. */
    private static final long OPEN_NANOS_MAX = TimeUnit.SECONDS.toNanos(240);

    private final BgpSessionSettings settings;
    private final BgpRouteSink sink;
    private final Counters<BgpCount> counts = new Counters<>(BgpCount.class);
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private byte[] in = new byte[2 * BgpLimits.MESSAGE_BYTES_MAX];
    private int filled;
    private int messageMax = BgpLimits.MESSAGE_BYTES_MAX;
    private State state = State.OPEN_SENT;
    private @Nullable BgpUpdateReader updates;
    private @Nullable BgpOpen peer;
    private Set<AddressFamily> families = EnumSet.noneOf(AddressFamily.class);
    private long holdNanos = OPEN_NANOS_MAX;
    private long heardNanos;
    private long keepaliveNanos;
    private long saidNanos;
    private @Nullable BgpNotification ending;
    private boolean endedByPeer;
    private String reason = "";

    /** Starts a session on a connection, with its OPEN ready to be sent. */
    public BgpSession(BgpSessionSettings settings, BgpRouteSink sink, long nowNanos) {
        this.settings = settings;
        this.sink = sink;
        heardNanos = nowNanos;
        BgpOpen open = new BgpOpen(
                BgpOpen.VERSION, settings.as(), settings.holdSeconds(), settings.identifier(), BgpCapabilities.own(settings.as()));
        send(OPEN, open.write(), nowNanos);
    }

    /** Returns the state. */
    public State state() {
        return state;
    }

    /** Returns the counters. */
    public Counters<BgpCount> counts() {
        return counts;
    }

    /** Returns the negotiated families; empty before the peer's OPEN. */
    public Set<AddressFamily> families() {
        return families;
    }

    /** Returns the peer's AS number; 0 before its OPEN. */
    public long peerAs() {
        return peer == null ? 0 : peer.as();
    }

    /** Returns the peer's identifier; 0 before its OPEN. */
    public int peerIdentifier() {
        return peer == null ? 0 : peer.identifier();
    }

    /** Returns the NOTIFICATION that ended the session; empty if it is open, or the connection broke. */
    public Optional<BgpNotification> ending() {
        return Optional.ofNullable(ending);
    }

    /** Returns whether the peer ended it. */
    public boolean endedByPeer() {
        return endedByPeer;
    }

    /** Returns why the session ended, or what was wrong with the last UPDATE; or an empty text. */
    public String reason() {
        return reason;
    }

    /** Returns and clears the bytes to send to the peer; also after the end. */
    public byte[] take() {
        byte[] bytes = out.toByteArray();
        out.reset();
        return bytes;
    }

    /** Takes bytes from the connection, whole messages or parts. */
    public void receive(byte[] bytes, int from, int to, long nowNanos) {
        int at = from;
        while (at < to && state != State.CLOSED) {
            int count = Math.min(to - at, in.length - filled);
            System.arraycopy(bytes, at, in, filled, count);
            filled += count;
            at += count;
            messages(nowNanos);
        }
    }

    /** Advances the time: sends a KEEPALIVE, or ends the session when the hold time is over. */
    public void tick(long nowNanos) {
        if (state == State.CLOSED) {
            return;
        }
        if (holdNanos > 0 && nowNanos - heardNanos >= holdNanos) {
            end(BgpNotification.of(BgpNotification.HOLD_TIMER, 0), "the hold time passed without a message", nowNanos);
        } else if (keepaliveNanos > 0 && nowNanos - saidNanos >= keepaliveNanos) {
            send(KEEPALIVE, new byte[0], nowNanos);
        }
    }

    /** Ends the session from this side. */
    public void close(BgpNotification why, long nowNanos) {
        end(why, "ended here", nowNanos);
    }

    /** Handles the loss of the connection. */
    public void disconnected(String why) {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            endedByPeer = true;
            reason = why;
        }
    }

    private void messages(long nowNanos) {
        int at = 0;
        try {
            while (state != State.CLOSED && filled - at >= HEADER_BYTES) {
                int length = length(at);
                if (filled - at < length) {
                    break;
                }
                message(in[at + HEADER_BYTES - 1], at + HEADER_BYTES, at + length, nowNanos);
                at += length;
            }
        } catch (BgpProtocolException e) {
            end(e.notification(), e.reason(), nowNanos);
        }
        System.arraycopy(in, at, in, 0, filled - at);
        filled -= at;
    }

    private int length(int at) throws BgpProtocolException {
        for (int i = 0; i < MARKER_BYTES; i++) {
            if (in[at + i] != -1) {
                throw new BgpProtocolException(
                        BgpNotification.of(BgpNotification.HEADER, BgpNotification.NOT_SYNCHRONIZED), "a message has no marker");
            }
        }
        int length = (in[at + MARKER_BYTES] & 0xff) << 8 | in[at + MARKER_BYTES + 1] & 0xff;
        int type = in[at + MARKER_BYTES + 2];
        int least = switch (type) {
            case OPEN -> OPEN_BYTES_MIN;
            case UPDATE -> UPDATE_BYTES_MIN;
            case NOTIFICATION -> NOTIFICATION_BYTES_MIN;
            case KEEPALIVE -> HEADER_BYTES;
            case ROUTE_REFRESH -> REFRESH_BYTES_MIN;
            default -> throw new BgpProtocolException(
                    new BgpNotification(BgpNotification.HEADER, BgpNotification.BAD_TYPE, new byte[] {(byte) type}),
                    "a message has type " + (type & 0xff));
        };
        // OPEN and KEEPALIVE stay short with extended messages too (RFC 8654 section 4).
        int most = type == KEEPALIVE ? HEADER_BYTES : type == OPEN ? BgpLimits.MESSAGE_BYTES_MAX : messageMax;
        if (length < least || length > most) {
            throw new BgpProtocolException(
                    new BgpNotification(BgpNotification.HEADER, BgpNotification.BAD_LENGTH,
                            Arrays.copyOfRange(in, at + MARKER_BYTES, at + MARKER_BYTES + 2)),
                    "a message of type " + type + " has " + length + " bytes");
        }
        return length;
    }

    private void message(int type, int from, int to, long nowNanos) throws BgpProtocolException {
        heardNanos = nowNanos;
        counts.count(BgpCount.MESSAGES);
        if (type == NOTIFICATION) {
            ending = BgpNotification.read(in, from, to);
            endedByPeer = true;
            reason = "the peer said: " + ending;
            state = State.CLOSED;
            return;
        }
        switch (state) {
            case OPEN_SENT -> {
                expect(type == OPEN, type, 1);
                open(BgpOpen.read(in, from, to), nowNanos);
            }
            case OPEN_CONFIRM -> {
                expect(type == KEEPALIVE, type, 2);
                state = State.ESTABLISHED;
                sink.established();
            }
            case ESTABLISHED -> {
                expect(type != OPEN, type, 3);
                if (type == UPDATE) {
                    update(from, to);
                }
                // A KEEPALIVE needs no reaction, and a ROUTE-REFRESH gets none, as this side has no routes.
            }
            case CLOSED -> {}
        }
    }

    /** Checks that a message fits the state; the subcode depends on the state (RFC 6608). */
    private static void expect(boolean right, int type, int subcode) throws BgpProtocolException {
        if (!right) {
            throw new BgpProtocolException(
                    new BgpNotification(BgpNotification.STATE_MACHINE, subcode, new byte[] {(byte) type}),
                    "a message of type " + type + " comes where it does not belong");
        }
    }

    private void open(BgpOpen open, long nowNanos) throws BgpProtocolException {
        if (open.as() == 0 || settings.peerAs() != 0 && open.as() != settings.peerAs()) {
            throw refused(BgpNotification.BAD_PEER_AS, "the peer is AS " + open.as() + ", not " + settings.peerAs());
        }
        if (open.identifier() == 0 || open.identifier() == settings.identifier() && open.as() == settings.as()) {
            throw refused(BgpNotification.BAD_IDENTIFIER, "the peer's identifier is 0, or equal to this side's");
        }
        if (open.holdSeconds() == 1 || open.holdSeconds() == 2) {
            throw refused(BgpNotification.BAD_HOLD_TIME, "the peer wants a hold time of " + open.holdSeconds() + " s");
        }
        peer = open;
        BgpCapabilities can = open.capabilities();
        families = EnumSet.copyOf(BgpCapabilities.own(settings.as()).families());
        families.retainAll(can.families());
        int hold = Math.min(settings.holdSeconds(), open.holdSeconds());
        holdNanos = TimeUnit.SECONDS.toNanos(hold);
        keepaliveNanos = holdNanos / 3;
        updates = new BgpUpdateReader(
                new BgpUpdateReader.Options(
                        can.wideAs() >= 0,
                        can.sendsPaths().contains(AddressFamily.IPV4),
                        can.sendsPaths().contains(AddressFamily.IPV6),
                        open.as() != settings.as(),
                        0,
                        settings.as(),
                        settings.loopsMax()),
                sink);
        if (can.extendedMessages()) {
            messageMax = BgpLimits.EXTENDED_MESSAGE_BYTES_MAX;
            in = Arrays.copyOf(in, BgpLimits.EXTENDED_MESSAGE_BYTES_MAX + HEADER_BYTES);
        }
        state = State.OPEN_CONFIRM;
        send(KEEPALIVE, new byte[0], nowNanos);
    }

    private static BgpProtocolException refused(int subcode, String why) {
        return new BgpProtocolException(BgpNotification.of(BgpNotification.OPEN, subcode), why);
    }

    private void update(int from, int to) throws BgpProtocolException {
        BgpUpdateReader reader = updates;
        if (reader == null) {
            return;
        }
        reader.read(in, from, to, counts).ifPresent(why -> reason = why);
    }

    private void end(BgpNotification why, String words, long nowNanos) {
        if (state == State.CLOSED) {
            return;
        }
        byte[] body = new byte[2 + why.data().length];
        body[0] = (byte) why.code();
        body[1] = (byte) why.subcode();
        System.arraycopy(why.data(), 0, body, 2, why.data().length);
        send(NOTIFICATION, body, nowNanos);
        ending = why;
        reason = words;
        state = State.CLOSED;
    }

    private void send(int type, byte[] body, long nowNanos) {
        int length = HEADER_BYTES + body.length;
        for (int i = 0; i < MARKER_BYTES; i++) {
            out.write(0xff);
        }
        out.write(length >>> 8);
        out.write(length);
        out.write(type);
        out.writeBytes(body);
        saidNanos = nowNanos;
    }
}
