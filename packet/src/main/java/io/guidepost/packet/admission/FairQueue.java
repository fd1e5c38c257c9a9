package io.guidepost.packet.admission;

import io.guidepost.base.CountMinSketch;
import io.guidepost.base.DatagramClassifier;
import io.guidepost.base.SourceNetwork;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;

/**
 * Fair queueing that isolates heavy hitters: under overload the datagrams of the busiest source networks are deferred behind
 * those of all others, and dropped if too many wait. One belongs to one worker.
 *
 * <p>While bursts are short, nothing is counted. When they are long, datagrams are counted by source network in a count-min
 * sketch, and the busiest networks, which together send about half of all, are heavy hitters. Where no network stands out, as
 * if sources were forged, the names asked for most are heavy hitters instead. The worker goes on receiving while they wait,
 * and handles a few of them in each turn. So a flood costs the flooder and those behind it, not the others. A source that is
 * alone is never deferred, as there is nothing to defer it behind.
 *
 * <p>Why halves, and no rate that a source may have? What a worker can do depends on machine and requests; what share of the
 * requests a source has does not. The threshold of heavy hitters moves: down by a quarter when the others sent more than half
 * of the datagrams of a period, up by a third when they sent less than a quarter in many periods, but never so low that all
 * are heavy hitters. (It goes up rarely because one flooder that it lets pass is the whole flood.) Periods are counted in
 * datagrams, so that no clock is read.
 *
 * <pre>
 *  threshold of sources   PERIOD ... x 3/4 ... SOURCE_LEAST   then
 *  threshold of names                                         PERIOD ... x 3/4 ... NAME_LEAST
 * </pre>
 */
final class FairQueue implements AdmissionPolicy {
    /** Datagrams of a turn from which on it counts as long: with fewer the last hardly waits for the first. */
    static final int LONG_TURN = 4;

    /** Datagrams counted until the thresholds move: at the rate of a busy worker some ten milliseconds. */
    static final int PERIOD = 4096;

    /** No source is deferred that sends less in a period: what a thousand equal ones send is far below. */
    static final int SOURCE_LEAST = PERIOD / 128;

    /** No name is deferred that is asked for less: a popular one is no attack. */
    static final int NAME_LEAST = PERIOD / 32;

    /** Periods in which few were admitted until a threshold is moved up: at the rate of a busy worker some seconds. */
    static final int PATIENCE = 256;

    /**
     * One counted datagram of this many reports its network if it is deferred: some hundred reports a second. It does so only
     * while at least one of this many is admitted, so that no network is received apart for the sake of a rare datagram.
     */
    static final int TELL_EACH = 256;

    /** A network is reported only while heavy hitters send three of this many: where several networks send much it is no flood. */
    static final int FLOOD = 4;

    private static final int NEVER = PERIOD;
    private static final int NO_PORT = -1;

    private final DatagramClassifier classifier;
    private final OverloadListener listener;
    private final Counts sources;
    private final Counts names;
    private int taken;
    private boolean crowded;
    private boolean alone = true;
    private int changes;
    private long source;
    private long peerHigh;
    private long peerLow;
    private int peerPort = NO_PORT;
    private int counted;
    private int admitted;
    private int admittedBefore;
    private int patience;
    private Drop reason = Drop.HEAVY_HITTER_SOURCE;

    /** Counts of this period and the one before, and the threshold above which a key is a heavy hitter. */
    private static final class Counts {
        private CountMinSketch now;
        private CountMinSketch before;
        private final int least;
        private int threshold = NEVER;

        Counts(int least, long secret) {
            this.least = least;
            now = new CountMinSketch(secret);
            before = new CountMinSketch(secret);
        }

        /** Counts a key and returns whether it is a heavy hitter. */
        boolean isHeavy(long key) {
            long hash = now.hash(key);
            now.add(hash, 1);
            return Math.max(now.count(hash), before.count(hash)) > threshold;
        }

        void turnOver() {
            CountMinSketch old = before;
            before = now;
            now = old;
            now.clear();
        }

        /** Moves the threshold down; returns false if it can be no lower. */
        boolean lower() {
            if (threshold == least) {
                return false;
            }
            threshold = Math.max(least, threshold - threshold / 4);
            return true;
        }

        /** Moves the threshold up; returns false if it can be no higher. */
        boolean raise() {
            if (threshold == NEVER) {
                return false;
            }
            threshold = Math.min(NEVER, threshold + threshold / 3 + 1);
            return true;
        }
    }

    /**
     * Creates a queue in which nothing is deferred yet.
     *
     * @param secret decides which sources are taken for one by mistake; must be unpredictable outside of the process
     */
    FairQueue(long secret, DatagramClassifier classifier, OverloadListener listener) {
        this.classifier = classifier;
        this.listener = listener;
        sources = new Counts(SOURCE_LEAST, secret);
        names = new Counts(NAME_LEAST, Long.rotateLeft(secret, 32));
    }

    @Override
    public void begin(long nowMillis, boolean pending) {
        crowded = pending || taken >= LONG_TURN;
        taken = 0;
        // The peers of the deployment may be others by now.
        peerPort = NO_PORT;
    }

    @Override
    public Verdict judge(Burst in, int index) {
        boolean longTurn = ++taken >= LONG_TURN;
        return (longTurn || crowded) && isDeferred(in, index) ? Verdict.DEFER : Verdict.ADMIT;
    }

    private boolean isDeferred(Burst in, int index) {
        if (!isSameSocket(in, index)) {
            long next = source(in, index);
            if (next != source) {
                source = next;
                changes++;
            }
        }
        // One change is another client that is alone.
        if (alone && changes < 2) {
            return false;
        }
        alone = false;
        boolean deferred = sources.isHeavy(source);
        if (deferred && (counted + 1) % TELL_EACH == 0 && othersSendLittle()) {
            tell(in, index);
        }
        reason = Drop.HEAVY_HITTER_SOURCE;
        if (!deferred && sources.threshold == SOURCE_LEAST && isNameHeavy(in, index)) {
            reason = Drop.HEAVY_HITTER_NAME;
            deferred = true;
        }
        if (!deferred) {
            admitted++;
        }
        if (++counted == PERIOD) {
            turnOver();
        }
        return deferred;
    }

    /** Returns whether a datagram is from the socket of the one before, as those of a train are. */
    private boolean isSameSocket(Burst in, int index) {
        if (in.peerLow(index) == peerLow && in.peerHigh(index) == peerHigh && in.peerPort(index) == peerPort) {
            return true;
        }
        peerHigh = in.peerHigh(index);
        peerLow = in.peerLow(index);
        peerPort = in.peerPort(index);
        return false;
    }

    /** Returns the source of a datagram. Peer servers often stand side by side in one network, so each is a source. */
    private long source(Burst in, int index) {
        long high = in.peerHigh(index);
        long low = in.peerLow(index);
        return classifier.isPeer(high, low, in.peerPort(index))
                ? ~(Long.rotateLeft(high, 32) ^ low)
                : SourceNetwork.of(high, low);
    }

    /** Returns whether others send few datagrams, but some; in this period and the last, as heavy hitters take turns. */
    private boolean othersSendLittle() {
        return admitted * TELL_EACH >= counted && admitted * FLOOD <= counted && admittedBefore * TELL_EACH >= PERIOD;
    }

    private void tell(Burst in, int index) {
        long high = in.peerHigh(index);
        long low = in.peerLow(index);
        if (!classifier.hasPeerIn(SourceNetwork.of(high, low))) {
            listener.overloaded(high, low, SourceNetwork.bits(high, low));
        }
    }

    private boolean isNameHeavy(Burst in, int index) {
        long name = classifier.name(in.segment(), in.offset(index), in.length(index));
        return name != DatagramClassifier.NO_NAME && names.isHeavy(name);
    }

    private void turnOver() {
        if (admitted > PERIOD / 2) {
            if (!sources.lower()) {
                names.lower();
            }
            patience = 0;
        } else if (admitted < PERIOD / 4 && ++patience == PATIENCE) {
            patience = 0;
            if (!names.raise()) {
                sources.raise();
            }
        }
        alone = changes < 2;
        changes = 0;
        counted = 0;
        admittedBefore = admitted;
        admitted = 0;
        sources.turnOver();
        names.turnOver();
    }

    @Override
    public Drop reason() {
        return reason;
    }
}
