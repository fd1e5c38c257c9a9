package io.guidepost.gnrs;

import io.guidepost.gnrs.wire.GnrsWire;
import io.guidepost.names.Exchange;
import io.guidepost.names.Guid;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Says who waits when more questions come than a worker answers at once. One belongs to one worker.
 *
 * <p>While bursts are short nobody is counted. When they are long, questions are counted by the network that asks, and
 * those networks that together ask about half of all, the busiest, wait behind the others. Where no network stands out,
 * as if the sources were forged, it is the names asked for most instead. The worker goes on receiving while they wait:
 * it answers a few of them a turn, so that what comes meanwhile waits for a short turn only, and gives up what does not
 * fit the bounded line. So a flood costs those behind it, and the flooder, not the others. One source alone never waits,
 * as it would wait for nobody.
 *
 * <p>Why halves, and no rate that a source may have? What a worker can do depends on machine and questions; what share
 * of the questions a source has does not. The bound between the busiest and the others moves: down by a quarter when the
 * others ask more than half of the questions of a period, up by a third when they asked less than a quarter in many, but
 * never so low that all are busy. (It goes up rarely because one flooder that it lets pass is the whole flood.) Periods
 * are counted in questions, so that no clock is asked.
 *
 * <pre>
 *  bound on sources   PERIOD ... x 3/4 ... SOURCE_LEAST   then
 *  bound on names                                         PERIOD ... x 3/4 ... NAME_LEAST
 * </pre>
 */
final class FairTurns {
    /** Questions of a turn from which on it counts as long: with fewer the last hardly waits for the first. */
    static final int LONG_TURN = 4;

    /** Questions that waited and are answered in a turn: what comes meanwhile waits for so many. */
    static final int WAITED_A_TURN = 16;

    /** Questions counted until the bounds move: at the rate of a busy worker some ten milliseconds. */
    static final int PERIOD = 4096;

    /** No source waits that asks less of a period than this: what a thousand equal ones ask is far below. */
    static final int SOURCE_LEAST = PERIOD / 128;

    /** No name waits that is asked for less: a popular one is no attack. */
    static final int NAME_LEAST = PERIOD / 32;

    /** Periods with few that go first until a bound is moved up: at the rate of a busy worker some seconds. */
    static final int PATIENCE = 256;

    /**
     * One of so many questions counted tells of its network if that makes it wait, some hundred times in a second; and only
     * while one of so many need not wait: for the sake of a rare question nobody is kept apart.
     */
    static final int TELL_EACH = 256;

    /** Nor is anyone told of unless those who wait ask three of so many questions: where several ask much it is no flood. */
    static final int FLOOD = 4;

    private static final int NEVER = PERIOD;

    /** No port. */
    private static final int NOBODY = -1;

    private final @Nullable PeerGateway relays;
    private BusyNetworks busyNetworks = BusyNetworks.NOBODY;
    private final Counts sources;
    private final Counts names;
    private int taken;
    private int waited;
    private boolean crowded;
    private boolean alone = true;
    private int changes;
    private long source;
    private long askerHigh;
    private long askerLow;
    private int askerPort = NOBODY;
    private int counted;
    private int first;
    private int firstBefore;
    private int patience;
    private GnrsCount reason = GnrsCount.DROPPED_QUOTA_SOURCE;

    /** Counts of this period and the one before, and the bound from which on a key is busy. */
    private static final class Counts {
        private Sketch now;
        private Sketch before;
        private final int least;
        private int bound = NEVER;

        Counts(int least, long secret) {
            this.least = least;
            now = new Sketch(secret);
            before = new Sketch(secret);
        }

        boolean busy(long key) {
            long hash = now.hash(key);
            now.add(hash, 1);
            return Math.max(now.count(hash), before.count(hash)) > bound;
        }

        void turnOver() {
            Sketch old = before;
            before = now;
            now = old;
            now.clear();
        }

        /** Moves the bound down; false if it can be no lower. */
        boolean lower() {
            if (bound == least) {
                return false;
            }
            bound = Math.max(least, bound - bound / 4);
            return true;
        }

        /** Moves the bound up; false if it can be no higher. */
        boolean raise() {
            if (bound == NEVER) {
                return false;
            }
            bound = Math.min(NEVER, bound + bound / 3 + 1);
            return true;
        }
    }

    /**
     * Nobody waits yet.
     *
     * @param secret decides which sources are taken for one by mistake; not to be guessed outside
     * @param relays knows the other servers, of which each is a source of its own; null if there can be none
     */
    FairTurns(long secret, @Nullable PeerGateway relays) {
        this.relays = relays;
        sources = new Counts(SOURCE_LEAST, secret);
        names = new Counts(NAME_LEAST, Long.rotateLeft(secret, 32));
    }

    /** Has someone told of networks whose questions wait. A network of other servers is not told of: their answers matter. */
    void tell(BusyNetworks told) {
        busyNetworks = told;
    }

    /**
     * Begins a turn.
     *
     * @param waiting whether questions of earlier turns still wait
     */
    void begin(boolean waiting) {
        crowded = waiting || taken >= LONG_TURN;
        taken = 0;
        waited = 0;
        // The servers may be others by now.
        askerPort = NOBODY;
    }

    /** Counts a question that has come; whether it has to wait. */
    boolean waits(Exchange question) {
        boolean longTurn = ++taken >= LONG_TURN;
        return (longTurn || crowded) && mustWait(question);
    }

    private boolean mustWait(Exchange question) {
        if (!isSameAsker(question)) {
            long asker = source(question);
            if (asker != source) {
                source = asker;
                changes++;
            }
        }
        // One change is another client that is alone.
        if (alone && changes < 2) {
            return false;
        }
        alone = false;
        boolean waits = sources.busy(source);
        if (waits && (counted + 1) % TELL_EACH == 0 && othersAskLittle()) {
            tellOf(question);
        }
        reason = GnrsCount.DROPPED_QUOTA_SOURCE;
        if (!waits && sources.bound == SOURCE_LEAST && nameIsBusy(question)) {
            reason = GnrsCount.DROPPED_QUOTA_NAME;
            waits = true;
        }
        if (!waits) {
            first++;
        }
        if (++counted == PERIOD) {
            turnOver();
        }
        return waits;
    }

    /** Whether a question is of the socket that the one before was of, as they are in trains. */
    private boolean isSameAsker(Exchange question) {
        if (question.peerLow() == askerLow && question.peerHigh() == askerHigh && question.peerPort() == askerPort) {
            return true;
        }
        askerHigh = question.peerHigh();
        askerLow = question.peerLow();
        askerPort = question.peerPort();
        return false;
    }

    /** Who asks. Servers stand side by side in one network more often than not, and do much of each other's work. */
    private long source(Exchange question) {
        long high = question.peerHigh();
        long low = question.peerLow();
        return relays != null && relays.isPeer(high, low, question.peerPort())
                ? ~(Long.rotateLeft(high, 32) ^ low)
                : SourcePrefix.of(high, low);
    }

    /** Few, but some; in this period and in the one before, as the busiest may be first for a while when a bound moves. */
    private boolean othersAskLittle() {
        return first * TELL_EACH >= counted && first * FLOOD <= counted && firstBefore * TELL_EACH >= PERIOD;
    }

    private void tellOf(Exchange question) {
        long high = question.peerHigh();
        long low = question.peerLow();
        if (relays == null || !relays.hasPeerIn(SourcePrefix.of(high, low))) {
            busyNetworks.busy(high, low, SourcePrefix.bits(high, low));
        }
    }

    private boolean nameIsBusy(Exchange question) {
        MemorySegment segment = question.question();
        long at = question.questionOffset();
        if (question.questionLength() < GnrsWire.HEADER_BYTES) {
            return false;
        }
        int payload = Short.toUnsignedInt(segment.get(GnrsWire.SHORT, at + GnrsWire.PAYLOAD_OFFSET));
        if (payload + Guid.BYTES > question.questionLength()) {
            return false;
        }
        return names.busy(Sketch.key(segment, at + payload));
    }

    private void turnOver() {
        if (first > PERIOD / 2) {
            if (!sources.lower()) {
                names.lower();
            }
            patience = 0;
        } else if (first < PERIOD / 4 && ++patience == PATIENCE) {
            patience = 0;
            if (!names.raise()) {
                sources.raise();
            }
        }
        alone = changes < 2;
        changes = 0;
        counted = 0;
        firstBefore = first;
        first = 0;
        sources.turnOver();
        names.turnOver();
    }

    /** Why the question that had to wait last is dropped, if it does not fit the line. */
    GnrsCount reason() {
        return reason;
    }

    /** Whether one more of those that wait may be answered in this turn; the caller answers it. */
    boolean mayAnswer() {
        return ++waited <= WAITED_A_TURN;
    }
}
