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
 * <p>Nothing is counted while turns are short, so a flood that a worker can stand is answered too; and one source alone is
 * never bound, as it would give way to nobody. A source is an address of IPv4 and a /64 of IPv6: those who ask are the
 * operator's own customers, each of whom has one. Sources that are forged at random are all below the bound: against those
 * helps only not to let them in (RFC 2827).
 */
final class FairShare {
    /** Questions of a turn from which on it is long: half of a burst, so that more are waiting than are in hand. */
    static final int LONG_TURN = 32;

    /** Questions until the bound moves: a few milliseconds of a busy worker, so that a flood is met before clients give up. */
    static final int PERIOD = 1024;

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
    private final int[] cells = new int[2 * CELLS];
    private long lostBefore;
    private int bound = UNBOUND;
    private int counted;
    private int taken;
    private boolean crowded;
    private long now;
    private long crowdedAt;
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
        counted = 0;
        Arrays.fill(cells, 0);
        lostBefore = lost.getAsLong();
    }

    /** Counts a question; whether its source has had its share. */
    boolean isOver(Exchange question) {
        taken++;
        if (!crowded) {
            return false;
        }
        long high = question.peerHigh();
        long low = Exchange.isIpv4(high, question.peerLow()) ? question.peerLow() : 0;
        if (high != lastHigh || low != lastLow) {
            companyAt = (lastHigh | lastLow) == 0 ? ALONE : now;
            lastHigh = high;
            lastLow = low;
        }
        long hash = hash(high, low);
        int first = (int) hash & CELLS - 1;
        int second = CELLS + ((int) (hash >>> 32) & CELLS - 1);
        int asked = Math.min(++cells[first], ++cells[second]);
        if (++counted == PERIOD) {
            turnOver();
        }
        return asked > bound && now <= companyAt + FORGET_MILLIS;
    }

    /** Two cells of a count-min sketch (Cormode, Muthukrishnan, 2005): a source's count is the smaller one. */
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
        counted = 0;
        Arrays.fill(cells, 0);
    }

    /** Questions that a source may ask in a period. */
    int bound() {
        return bound;
    }
}
