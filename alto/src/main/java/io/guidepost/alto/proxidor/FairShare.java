package io.guidepost.alto.proxidor;

import io.guidepost.names.Exchange;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Says whose questions are dropped when more come than a worker answers. One belongs to one worker.
 *
 * <p>A question costs little to receive and drop, and several times that to answer. So whoever floods is received and
 * dropped, before the kernel has to drop without looking whose question it is. What a source may ask is a <i>bound</i> of
 * a period, counted in questions. While the kernel loses any the bound is halved in each period; when it loses none, it
 * grows slowly. So it comes to rest where the worker just keeps up: those below the bound get all they ask, and those
 * above it the same each, which is max-min fairness (Bertsekas, Gallager: Data Networks, 6.5.2).
 *
 * <pre>
 *  questions of a source in a period
 *   |        #
 *   |        #
 *   |        #   dropped
 *   |- - - - # - - - - - - - - - - - -  bound: down while questions are lost, else slowly up
 *   |  #     #           #
 *   |  #  #  #  #  #  #  #  #           answered
 * </pre>
 *
 * <p>The same bound holds sources together, as whoever floods may have many: those of one block of addresses (/24 of IPv4, /48
 * of IPv6) have the share of {@value #BLOCK_SHARES} sources, and all <i>strangers</i> together, which have not asked before (see
 * {@link Familiar}), that of one. So who asked before keeps the share while sources are forged at random:
 * the forged ones are strangers, each of them, for ever. A source counts with its block and with the strangers only as far as it
 * is within its own share, so a flooder takes nothing from its neighbours.
 *
 * <p>What cannot be done over UDP without a proof of address: a stranger who is honest looks like one who is forged, and gets in
 * only now and then while the flood lasts; who forges the address of a customer spends that customer's share; and what the
 * kernel has to drop because not even receiving keeps up is dropped whosever it is. Against those helps only not to let forged
 * sources in (RFC 2827).
 *
 * <p>Nothing is bound while turns are short, so a flood that a worker can stand is answered too; and one source alone is never
 * bound, as it would give way to nobody. A source is an address of IPv4 and a /64 of IPv6: those who ask are the operator's own
 * customers, each of whom has one.
 */
final class FairShare {
    /** What becomes of a question. */
    enum Verdict {
        /** It is answered. */
        LET_IN,
        /** Its source has had its share. */
        SOURCE_OVER,
        /** Those who have not asked before have had theirs. */
        STRANGERS_OVER,
        /** Its block of addresses has had its share. */
        BLOCK_OVER
    }

    /** A block of addresses has the share of so many sources: a street behind one router is not a flood. */
    static final int BLOCK_SHARES = 16;

    /** Questions of a turn from which on it is long: half of a burst, so that more are waiting than are in hand. */
    static final int LONG_TURN = 32;

    /** Questions until the bound moves: a few milliseconds of a busy worker, so that a flood is met before clients give up. */
    static final int PERIOD = 1024;

    /** The same in milliseconds, where fewer come: the bound of a flood must not be that of many times the time behind it. */
    static final int PERIOD_MILLIS = 5;

    /** The bound is no lower: hundreds of equal sources ask less in a period. */
    static final int BOUND_LEAST = PERIOD / 256;

    /** Milliseconds without a loss until the bound is moved up, by an eighth: what it lets in may be one flooder's. */
    static final int PATIENCE_MILLIS = 200;

    /** Milliseconds without a long turn, or without a second source, until all is forgotten. */
    static final int FORGET_MILLIS = 1000;

    private static final int BITS = 12;
    private static final int CELLS = 1 << BITS;
    private static final int UNBOUND = PERIOD;
    private static final long ALONE = Long.MIN_VALUE;

    private final long secret;
    private final LongSupplier lost;
    private final Familiar familiar = new Familiar();
    private final int[] sources = new int[2 * CELLS];
    private final int[] blocks = new int[2 * CELLS];
    private int strangers;
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
    private long lastHigh;
    private long lastLow;

    /**
     * Nobody is bound yet.
     *
     * @param secret decides which sources are taken for one by mistake; not to be guessed outside
     * @param lost counts questions that were lost before the door could look at them, ever; asked once in a period
     */
    FairShare(long secret, LongSupplier lost) {
        this.secret = secret;
        this.lost = lost;
    }

    /** Begins a turn. */
    void begin(long nowMillis) {
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
        strangers = 0;
        Arrays.fill(sources, 0);
        Arrays.fill(blocks, 0);
    }

    /** Counts a question, and says what becomes of it. */
    Verdict judge(Exchange question) {
        taken++;
        long high = question.peerHigh();
        boolean ipv4 = Exchange.isIpv4(high, question.peerLow());
        long low = ipv4 ? question.peerLow() : 0;
        long source = hash(high, low);
        int second = (int) (now / 1000);
        boolean known = familiar.knows(source, second);
        Verdict verdict = crowded ? ofCrowd(high, low, source, known, ipv4) : Verdict.LET_IN;
        if (verdict == Verdict.LET_IN && !known) {
            familiar.meet(source, second);
        }
        return verdict;
    }

    private Verdict ofCrowd(long high, long low, long source, boolean known, boolean ipv4) {
        if (high != lastHigh || low != lastLow) {
            companyAt = (lastHigh | lastLow) == 0 ? ALONE : now;
            lastHigh = high;
            lastLow = low;
        }
        if (++counted == PERIOD || now - beganAt >= PERIOD_MILLIS) {
            turnOver();
        }
        boolean over = count(sources, source) > bound;
        if (now > companyAt + FORGET_MILLIS) {
            return Verdict.LET_IN;
        }
        if (over) {
            return Verdict.SOURCE_OVER;
        }
        if (!known && ++strangers > bound) {
            return Verdict.STRANGERS_OVER;
        }
        long block = ipv4 ? hash(high, low & ~0xffL) : hash(high & -1L << Short.SIZE, 0);
        return count(blocks, block) > BLOCK_SHARES * bound ? Verdict.BLOCK_OVER : Verdict.LET_IN;
    }

    /** Two cells of a count-min sketch (Cormode, Muthukrishnan, 2005): the count is the smaller one. */
    private static int count(int[] cells, long hash) {
        int first = (int) hash & CELLS - 1;
        int second = CELLS + ((int) (hash >>> 32) & CELLS - 1);
        return Math.min(++cells[first], ++cells[second]);
    }

    private long hash(long high, long low) {
        long hash = (high * 0xd6e8feb86659fd93L + low ^ secret) * 0x9e3779b97f4a7c15L;
        hash = (hash ^ hash >>> 32) * 0xd6e8feb86659fd93L;
        return hash ^ hash >>> 29;
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

    /** Questions that a source may ask in a period. */
    int bound() {
        return bound;
    }
}
