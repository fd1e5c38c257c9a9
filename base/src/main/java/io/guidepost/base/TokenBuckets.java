package io.guidepost.base;

import java.util.Arrays;

/**
 * A {@linkplain TokenBucket token bucket} for each of many keys, such as {@linkplain SourceNetwork networks}, in memory that
 * does not depend on how many there are: keys share buckets by a hash with a secret, so an attacker cannot choose whose
 * bucket to empty. For one thread; allocates nothing after its construction.
 */
public final class TokenBuckets {
    /** Keys that are told apart, more or less: with as many busy ones, one in three shares a bucket. */
    private static final int BUCKETS = 1 << 14;

    /** Seconds of silence whose tokens may be spent at once. */
    private static final int BURST_SECONDS = 2;

    private static final long MILLIS_IN_SECOND = 1000;
    private static final long MIX = 0x9e3779b97f4a7c15L;

    private final long perSecond;
    private final long secret;
    private final long[] tokens;
    private final long[] filledMillis;

    /**
     * Creates full buckets.
     *
     * @param perSecond tokens of each key; 0 for no bound
     * @param secret decides which keys share a bucket; must be unpredictable outside of the process
     */
    public TokenBuckets(long perSecond, long secret) {
        this.perSecond = perSecond;
        this.secret = secret;
        int buckets = perSecond == 0 ? 0 : BUCKETS;
        this.tokens = new long[buckets];
        this.filledMillis = new long[buckets];
        Arrays.fill(tokens, BURST_SECONDS * perSecond);
    }

    /** Takes tokens out of the bucket of a key; returns false, and takes none, if it does not hold them. */
    public boolean tryTake(long key, int number, long nowMillis) {
        if (perSecond == 0) {
            return true;
        }
        int bucket = bucket(key);
        long sinceMillis = Math.clamp(nowMillis - filledMillis[bucket], 0, MILLIS_IN_SECOND * BURST_SECONDS);
        filledMillis[bucket] = nowMillis;
        long there = Math.min(BURST_SECONDS * perSecond, tokens[bucket] + sinceMillis * perSecond / MILLIS_IN_SECOND);
        boolean enough = there >= number;
        tokens[bucket] = enough ? there - number : there;
        return enough;
    }

    private int bucket(long key) {
        long mixed = (key ^ secret) * MIX;
        mixed = (mixed ^ mixed >>> 29) * MIX;
        return (int) (mixed >>> 32) & BUCKETS - 1;
    }
}
