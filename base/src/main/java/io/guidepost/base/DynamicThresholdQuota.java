package io.guidepost.base;

/**
 * A quota on the places of a bounded table, such as the writes in flight, by dynamic thresholds (Choudhury, Hahne, 1998): a
 * holder gets one more place as long as it holds less than a multiple of the places that are free.
 *
 * <pre>
 *  greedy holders     each holds, of the table, with 3 times what is free    always free for others
 *  none               -                                                      all
 *  1                  3/4                                                    1/4
 *  2                  3/7                                                    1/7
 *  n                  3/(3n+1)                                               1/(3n+1)
 * </pre>
 *
 * <p>So one greedy holder never locks the others out, and a holder that is alone gets nearly all places, without a list of
 * holders. Holders are numbers, {@linkplain SourceNetwork networks} or names; memory does not depend on how many there are,
 * see {@link CountMinSketch}. For one thread.
 */
public final class DynamicThresholdQuota {
    private final int max;
    private final int timesFree;
    private final CountMinSketch held;
    private int taken;

    /**
     * Creates a quota on a table without holders.
     *
     * @param max places of the table
     * @param timesFree how many times the free places one holder may have, 1 or more
     * @param secret decides which holders are taken for one by mistake; must be unpredictable outside of the process
     */
    public DynamicThresholdQuota(int max, int timesFree, long secret) {
        this.max = max;
        this.timesFree = timesFree;
        this.held = new CountMinSketch(secret);
    }

    /** Takes a place for a holder; returns false if the table is full or the holder has reached its threshold. */
    public boolean tryAcquire(long holder) {
        return tryAcquire(holder, max);
    }

    /**
     * Takes a place for a holder where a second resource is scarce too.
     *
     * @param room how many more places that resource is enough for
     */
    public boolean tryAcquire(long holder, int room) {
        long hash = held.hash(holder);
        int free = Math.min(max - taken, room);
        if (free <= 0 || held.count(hash) >= (long) timesFree * free) {
            return false;
        }
        held.add(hash, 1);
        taken++;
        return true;
    }

    /** Gives a place of a holder back, once for each {@link #tryAcquire} that returned true. */
    public void release(long holder) {
        held.add(held.hash(holder), -1);
        taken--;
    }

    /** Returns the number of places that are taken. */
    public int taken() {
        return taken;
    }

    /** Returns whether no place is free. */
    public boolean isFull() {
        return taken == max;
    }
}
