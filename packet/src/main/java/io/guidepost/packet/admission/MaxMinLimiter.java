package io.guidepost.packet.admission;

import io.guidepost.base.CountMinSketch;
import io.guidepost.base.SourceNetwork;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import java.util.function.LongSupplier;

/**
 * Limits sources to their max-min fair share while a worker gets more datagrams than it can answer (max-min fairness:
 * Bertsekas, Gallager, Data Networks, 6.5.2). One belongs to one worker.
 *
 * <p>A request costs little to receive and drop, and several times that to answer. So the requests of a flooder are received
 * and dropped, before the kernel has to drop without regard to their source. What a source may send is a <i>bound</i> of a
 * period, counted in datagrams. While the kernel drops any, the bound is halved in each period; when it drops none, it grows
 * slowly. So it comes to rest where the worker just keeps up: sources below the bound get all they ask, and those above it the
 * same each.
 *
 * <pre>
 *  datagrams of a source in a period
 *   |        #
 *   |        #
 *   |        #   dropped
 *   |- - - - # - - - - - - - - - - - -  bound: down while datagrams are lost, else slowly up
 *   |  #     #           #
 *   |  #  #  #  #  #  #  #  #           answered
 * </pre>
 *
 * <p>A source is a {@linkplain SourceNetwork#subscriber subscriber}. The same bound holds sources together, as a flooder may
 * have many: those of one {@linkplain SourceNetwork network} have the share of {@value #NETWORK_SHARES} sources, and all new
 * sources together, which have not come before (see {@link KnownSources}), that of one. So known sources keep their share while
 * sources are forged at random: each forged one is new, for ever. A source counts with its network and with the new sources
 * only as far as it is within its own share, so a flooder takes nothing from its neighbours.
 *
 * <p>What cannot be done over UDP without a proof of address: a new source that is honest looks like a forged one, and gets in
 * only now and then while the flood lasts; an attacker that forges the address of a client spends that client's share; and what
 * the kernel drops because not even receiving keeps up, it drops from all. Against those only ingress filtering helps (RFC 2827).
 *
 * <p>Nothing is limited while turns are short, so a flood that a worker can stand is answered too; and a source that is alone is
 * never limited.
 */
final class MaxMinLimiter implements AdmissionPolicy {
    /** A network has the share of this number of sources: a street behind one router is not a flood. */
    static final int NETWORK_SHARES = 16;

    /** Datagrams of a turn from which on it is long: half of a burst, so that more are waiting than are in hand. */
    static final int LONG_TURN = 32;

    /** Datagrams until the bound moves: a few milliseconds of a busy worker, so that a flood is met before clients give up. */
    static final int PERIOD = 1024;

    /** The same in milliseconds, where fewer come: the bound of a flood must not be that of many times the time behind it. */
    static final int PERIOD_MILLIS = 5;

    /** The bound is no lower: hundreds of equal sources send less in a period. */
    static final int BOUND_LEAST = PERIOD / 256;

    /** Milliseconds without a loss until the bound is moved up, by an eighth: what it lets in may be one flooder's. */
    static final int PATIENCE_MILLIS = 200;

    /** Milliseconds without a long turn, or without a second source, until all is forgotten. */
    static final int FORGET_MILLIS = 1000;

    /** A source is told of that sends this part of a period alone, and twice what it may: others that do are no flood. */
    static final int FLOOD = PERIOD / 16;

    private static final int UNBOUND = PERIOD;
    private static final long ALONE = Long.MIN_VALUE;

    private final LongSupplier lost;
    private final OverloadListener listener;
    private final KnownSources knownSources = new KnownSources();
    private final CountMinSketch sources;
    private final CountMinSketch networks;
    private int newSources;
    private long lostBefore;
    private int bound = UNBOUND;
    private int counted;
    private int taken;
    private boolean crowded;
    private long now;
    private long crowdedAt;
    private long beganAt;
    private long movedAt;
    private long companyAt = ALONE;
    private long last;
    private Drop reason = Drop.SOURCE_SHARE;

    /**
     * Creates a limiter that limits no source yet.
     *
     * @param secret decides which sources are taken for one by mistake; must be unpredictable outside of the process
     * @param lost counts datagrams of the queue that were lost before the worker could take them; read once in a period
     */
    MaxMinLimiter(long secret, LongSupplier lost, OverloadListener listener) {
        this.lost = lost;
        this.listener = listener;
        sources = new CountMinSketch(secret);
        networks = new CountMinSketch(secret);
    }

    @Override
    public void begin(long nowMillis, boolean pending) {
        now = nowMillis;
        boolean longTurn = taken >= LONG_TURN;
        taken = 0;
        if (longTurn && !crowded && nowMillis - crowdedAt > FORGET_MILLIS) {
            forget();
        }
        if (longTurn) {
            crowdedAt = nowMillis;
        }
        crowded = longTurn;
    }

    private void forget() {
        bound = UNBOUND;
        clear();
        lostBefore = lost.getAsLong();
    }

    private void clear() {
        beganAt = now;
        counted = 0;
        newSources = 0;
        sources.clear();
        networks.clear();
    }

    @Override
    public Verdict judge(Burst in, int index) {
        taken++;
        long subscriber = SourceNetwork.subscriber(in.peerHigh(index), in.peerLow(index));
        long source = sources.hash(subscriber);
        int second = (int) (now / 1000);
        boolean known = knownSources.isKnown(source, second);
        if (crowded && isOver(in, index, subscriber, source, known)) {
            return Verdict.DROP;
        }
        if (!known) {
            knownSources.add(source, second);
        }
        return Verdict.ADMIT;
    }

    private boolean isOver(Burst in, int index, long subscriber, long source, boolean known) {
        if (subscriber != last) {
            companyAt = last == 0 ? ALONE : now;
            last = subscriber;
        }
        if (++counted == PERIOD || now - beganAt >= PERIOD_MILLIS) {
            turnOver();
        }
        int count = count(sources, source);
        if (now > companyAt + FORGET_MILLIS) {
            return false;
        }
        if (count > bound) {
            tell(in, index, count);
            reason = Drop.SOURCE_SHARE;
            return true;
        }
        reason = Drop.NEW_SOURCES_SHARE;
        if (!known && ++newSources > bound) {
            return true;
        }
        reason = Drop.NETWORK_SHARE;
        long network = networks.hash(SourceNetwork.of(in.peerHigh(index), in.peerLow(index)));
        return count(networks, network) > NETWORK_SHARES * bound;
    }

    private static int count(CountMinSketch counts, long hash) {
        counts.add(hash, 1);
        return counts.count(hash);
    }

    /** Tells of the source alone, not of its network: a flooder takes nothing from its neighbours. */
    private void tell(Burst in, int index, int count) {
        if (count % FLOOD == 0 && count >= 2 * bound) {
            long high = in.peerHigh(index);
            long low = in.peerLow(index);
            listener.overloaded(high, low, SourceNetwork.subscriberBits(high, low));
        }
    }

    private void turnOver() {
        long lostNow = lost.getAsLong();
        if (lostNow != lostBefore) {
            bound = Math.max(BOUND_LEAST, bound >>> 1);
            movedAt = now;
        } else if (now - movedAt >= PATIENCE_MILLIS) {
            bound = Math.min(UNBOUND, bound + (bound >>> 3) + 1);
            movedAt = now;
        }
        lostBefore = lostNow;
        clear();
    }

    @Override
    public Drop reason() {
        return reason;
    }

    /** Returns the datagrams that a source may send in a period. */
    int bound() {
        return bound;
    }
}
