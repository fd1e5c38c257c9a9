package io.guidepost.proximity.rpki;

import io.guidepost.base.Malformed;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What a router has of one RPKI cache (RFC 8210), over one connection after another: bytes and time in, bytes and a table out.
 * Whatever bytes the cache sends, the worst result is an Error Report, and the end of the connection.
 *
 * <pre>
 *  CLOSED ── connected ──▶ ASKED ── Cache Response ──▶ RECEIVING ── End of Data ──▶ IDLE
 *                            ▲ ▲── Cache Reset: all anew                              │
 *                            └────────── Serial Notify, or the refresh interval ──────┘
 * </pre>
 *
 * The table changes at End of Data only, as a whole. It outlives the connection until the expire interval ends. One thread at a
 * time calls; any thread may read what {@link #table} and the counters return.
 */
public final class RtrSession {
    /** States of the connection. */
    public enum State {
        /** There is none. */
        CLOSED,
        /** A query was sent. */
        ASKED,
        /** The answer is coming. */
        RECEIVING,
        /** The table is what the cache last told. */
        IDLE
    }

    private static final int VERSION = 1;
    private static final int NO_SESSION = -1;

    private final int vrpsMax;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteBuffer in = ByteBuffer.allocate(RpkiLimits.PDU_BYTES_MAX);
    private Map<Vrp, Boolean> changes = new HashMap<>();
    private volatile VrpTable table = VrpTable.EMPTY;
    private volatile State state = State.CLOSED;
    private volatile String reason = "";
    private volatile long pdus;
    private volatile long updates;
    private volatile long faults;
    private volatile boolean expired;
    private int version = VERSION;
    private boolean negotiated;
    private boolean queryFailed;
    private int session = NO_SESSION;
    private int serial;
    private int refreshSeconds = RpkiLimits.REFRESH;
    private int retrySeconds = RpkiLimits.RETRY;
    private int expireSeconds = RpkiLimits.EXPIRE;
    private long heardNanos;
    private long askAtNanos;
    private long expireAtNanos;
    private boolean whole;
    private int incomingSession;

    /** Whether a Serial Notify came in the middle of an answer, and of which serial. */
    private boolean notified;

    private int notifiedSerial;

    /** Thrown for what the other side did against the protocol. */
    private static final class RtrViolation extends Exception {
        private final int error;

        RtrViolation(int error, String words) {
            super(words, null, false, false);
            this.error = error;
        }
    }

    /** Makes one; there is no connection yet. */
    public RtrSession() {
        this(RpkiLimits.VRPS_MAX);
    }

    RtrSession(int vrpsMax) {
        this.vrpsMax = vrpsMax;
    }

    /** Returns the state of the connection. */
    public State state() {
        return state;
    }

    /** Returns what the cache told, as of its last End of Data. */
    public VrpTable table() {
        return table;
    }

    /** Returns whether what the cache told was too old to be used any more, and nothing new has come. */
    public boolean isExpired() {
        return expired;
    }

    /** Returns what was wrong last; may be empty. */
    public String reason() {
        return reason;
    }

    /** Returns the number of PDUs that came. */
    public long pdus() {
        return pdus;
    }

    /** Returns how often the table was brought up to date. */
    public long updates() {
        return updates;
    }

    /** Returns how often one side did what the other could not take. */
    public long faults() {
        return faults;
    }

    /** Returns how long to wait before the next connection if the cache refused a query; 0 = it did not. */
    public int retrySeconds() {
        return queryFailed ? retrySeconds : 0;
    }

    /** Returns and clears the bytes to send; also after the end. */
    public byte[] take() {
        byte[] bytes = out.toByteArray();
        out.reset();
        return bytes;
    }

    /** Begins a connection: asks for what changed, or for all. */
    public void connected(long nowNanos) {
        in.clear();
        out.reset();
        negotiated = false;
        ask(nowNanos);
    }

    /** Handles the end of the connection. */
    public void disconnected(String why) {
        if (state != State.CLOSED) {
            end(why);
        }
    }

    /** Takes bytes from the connection, whole PDUs or parts. */
    public void receive(byte[] bytes, int from, int to, long nowNanos) {
        heardNanos = nowNanos;
        int at = from;
        while (at < to && state != State.CLOSED) {
            int count = Math.min(to - at, in.remaining());
            in.put(bytes, at, count);
            at += count;
            pdus(nowNanos);
        }
    }

    /** Advances the time: asks again, ends a silent connection, or gives up data that is too old. */
    public void tick(long nowNanos) {
        if (updates > 0 && !expired && nowNanos - expireAtNanos >= 0) {
            boolean unusable = (state == State.ASKED || state == State.RECEIVING) && !whole;
            forget();
            expired = true;
            reason = "nothing came for " + expireSeconds + " s, and what had come has expired";
            if (unusable) {
                // What is coming are changes of it.
                end(reason);
            }
        }
        if (state == State.IDLE && nowNanos - askAtNanos >= 0) {
            ask(nowNanos);
        } else if ((state == State.ASKED || state == State.RECEIVING)
                && nowNanos - heardNanos >= RpkiLimits.ANSWER.toNanos()) {
            end("the cache was silent for " + RpkiLimits.ANSWER.toSeconds() + " s");
        }
    }

    private void ask(long nowNanos) {
        whole = session == NO_SESSION;
        send(whole ? new RtrPdu.ResetQuery() : new RtrPdu.SerialQuery(session, serial));
        state = State.ASKED;
        heardNanos = nowNanos;
        queryFailed = false;
        notified = false;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread at a time calls.
    private void pdus(long nowNanos) {
        int at = 0;
        int end = in.position();
        int length = 0;
        try {
            while (state != State.CLOSED && end - at >= RtrPdu.HEADER_BYTES) {
                length = 0;
                version(in.get(at), in.get(at + 1));
                length = RtrPdu.length(in, at);
                if (end - at < length) {
                    break;
                }
                pdus++;
                pdu(RtrPdu.read(in, at), nowNanos);
                at += length;
            }
        } catch (RtrViolation e) {
            refuse(e.error, at, length, String.valueOf(e.getMessage()));
        } catch (Malformed e) {
            refuse(RtrError.CORRUPT_DATA, at, length, e.reason());
        } catch (RtrPdu.UnknownType e) {
            refuse(RtrError.UNSUPPORTED_TYPE, at, length, String.valueOf(e.getMessage()));
        }
        in.position(at).limit(end);
        in.compact();
    }

    /** Negotiates the version with the first PDU that is no Serial Notify (RFC 8210 section 7); all others have the same. */
    private void version(int given, int type) throws RtrViolation {
        boolean report = type == RtrPdu.ERROR_REPORT;
        if (!negotiated && type != RtrPdu.SERIAL_NOTIFY) {
            if (given == 0 && version != 0 && !report) {
                version = 0;
                session = NO_SESSION;
            }
            negotiated = given == version;
            if (!negotiated && !report) {
                throw new RtrViolation(RtrError.UNSUPPORTED_VERSION, "the cache answers in version " + given);
            }
        } else if (negotiated && given != version && !report) {
            throw new RtrViolation(RtrError.UNEXPECTED_VERSION, "a PDU has version " + given + " in a session of version " + version);
        }
    }

    private void pdu(RtrPdu pdu, long nowNanos) throws RtrViolation {
        switch (pdu) {
            case RtrPdu.SerialNotify it -> {
                if (state != State.IDLE) {
                    notified = negotiated;
                    notifiedSerial = it.serial();
                } else {
                    if (session != NO_SESSION) {
                        expectSession(it.session());
                    }
                    ask(nowNanos);
                }
            }
            case RtrPdu.CacheResponse it -> {
                expect(state == State.ASKED, pdu);
                if (!whole) {
                    expectSession(it.session());
                }
                incomingSession = it.session();
                state = State.RECEIVING;
            }
            case RtrPdu.Payload it -> {
                expect(state == State.RECEIVING, pdu);
                change(it);
            }
            case RtrPdu.RouterKey _ -> expect(state == State.RECEIVING, pdu);
            case RtrPdu.EndOfData it -> {
                expect(state == State.RECEIVING && it.session() == incomingSession, pdu);
                commit(it, nowNanos);
            }
            case RtrPdu.CacheReset _ -> {
                expect(state == State.ASKED && !whole, pdu);
                session = NO_SESSION;
                ask(nowNanos);
            }
            case RtrPdu.ErrorReport it -> told(it, nowNanos);
            case RtrPdu.SerialQuery _, RtrPdu.ResetQuery _ -> throw new RtrViolation(RtrError.INVALID_REQUEST, "the cache asks the router");
        }
    }

    private static void expect(boolean right, RtrPdu pdu) throws RtrViolation {
        if (!right) {
            throw new RtrViolation(RtrError.CORRUPT_DATA, pdu + " comes where it does not belong");
        }
    }

    /** Checks the session of data that is here; what was learned in another must not be used (RFC 8210 section 5.1). */
    private void expectSession(int given) throws RtrViolation {
        if (given != session) {
            forget();
            throw new RtrViolation(RtrError.CORRUPT_DATA, "the cache is in session " + given);
        }
    }

    private void change(RtrPdu.Payload it) throws RtrViolation {
        Boolean before = changes.get(it.vrp());
        boolean there = before == null ? !whole && table.contains(it.vrp()) : before;
        if (it.announced() == there) {
            throw new RtrViolation(
                    there ? RtrError.DUPLICATE_ANNOUNCEMENT : RtrError.WITHDRAWAL_OF_UNKNOWN_RECORD,
                    (there ? "announced twice: " : "withdrawn, but not there: ") + it.vrp());
        }
        // Withdrawals count too: an answer of mostly withdrawals is refused a little early, and then all is asked for anew.
        if ((whole ? 0 : table.size()) + changes.size() >= vrpsMax) {
            throw new RtrViolation(RtrError.INTERNAL_ERROR, "the cache has more than " + vrpsMax + " VRPs");
        }
        changes.put(it.vrp(), it.announced());
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread at a time calls.
    private void commit(RtrPdu.EndOfData it, long nowNanos) {
        if (whole || !changes.isEmpty()) {
            table = (whole ? VrpTable.EMPTY : table).with(changes);
            changes = new HashMap<>();
        }
        session = incomingSession;
        serial = it.serial();
        boolean timed = version > 0;
        expireSeconds = timed ? seconds(it.expireSeconds(), RpkiLimits.EXPIRE_MIN, RpkiLimits.EXPIRE_MAX) : RpkiLimits.EXPIRE;
        // The expire interval must be the largest: a cache that says otherwise is asked while its data still counts.
        int most = expireSeconds / 2;
        refreshSeconds = timed
                ? seconds(it.refreshSeconds(), RpkiLimits.REFRESH_MIN, Math.min(RpkiLimits.REFRESH_MAX, most)) : RpkiLimits.REFRESH;
        retrySeconds = timed
                ? seconds(it.retrySeconds(), RpkiLimits.RETRY_MIN, Math.min(RpkiLimits.RETRY_MAX, most)) : RpkiLimits.RETRY;
        askAtNanos = nowNanos + (notified && notifiedSerial != serial ? 0 : TimeUnit.SECONDS.toNanos(refreshSeconds));
        expireAtNanos = nowNanos + TimeUnit.SECONDS.toNanos(expireSeconds);
        expired = false;
        reason = "";
        updates++;
        state = State.IDLE;
    }

    /** Returns an unsigned number of seconds within bounds. */
    private static int seconds(int given, int least, int most) {
        return Math.clamp(Integer.toUnsignedLong(given), least, most);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread at a time calls.
    private void told(RtrPdu.ErrorReport it, long nowNanos) {
        faults++;
        String words = "the cache said " + RtrError.words(it.code()) + (it.text().isEmpty() ? "" : ": " + line(it.text()));
        if (it.code() == RtrError.NO_DATA_AVAILABLE && state == State.ASKED) {
            reason = words;
            session = NO_SESSION;
            askAtNanos = nowNanos + TimeUnit.SECONDS.toNanos(retrySeconds);
            state = State.IDLE;
            return;
        }
        boolean older = it.code() == RtrError.UNSUPPORTED_VERSION && version > 0;
        queryFailed = !older && state != State.IDLE;
        end(words);
        if (older) {
            version = 0;
            session = NO_SESSION;
        }
    }

    /** Returns the begin of a text of the cache, without what a line of a log must not have. */
    private static String line(String text) {
        return text.substring(0, Math.min(text.length(), RpkiLimits.TEXT_MAX)).replaceAll("\\p{Cntrl}", " ");
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One thread at a time calls.
    private void refuse(int error, int at, int length, String words) {
        faults++;
        if (in.get(at + 1) != RtrPdu.ERROR_REPORT) {
            byte[] cause = new byte[Math.min(Math.max(length, RtrPdu.HEADER_BYTES), in.position() - at)];
            in.get(at, cause);
            send(new RtrPdu.ErrorReport(error, cause, words));
        }
        queryFailed = true;
        session = NO_SESSION;
        end(words);
    }

    private void forget() {
        table = VrpTable.EMPTY;
        session = NO_SESSION;
    }

    private void end(String words) {
        state = State.CLOSED;
        reason = words;
        changes = new HashMap<>();
        if (!negotiated && version != VERSION) {
            version = VERSION;
            session = NO_SESSION;
        }
    }

    private void send(RtrPdu pdu) {
        out.writeBytes(pdu.write(version));
    }
}
