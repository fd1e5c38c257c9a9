package io.guidepost.gnrs;

/**
 * Shares out the places of a bounded table, such as the writes that may be under way. Whoever holds some may take one
 * more as long as it then holds at most so many times what is free (dynamic thresholds: Choudhury, Hahne, 1998):
 *
 * <pre>
 *  greedy holders     each holds, of the table, with 3 times what is free    always free for others
 *  none               -                                                      all
 *  1                  3/4                                                    1/4
 *  2                  3/7                                                    1/7
 *  n                  3/(3n+1)                                               1/(3n+1)
 * </pre>
 *
 * <p>So one that takes all it gets never shuts the others out, and one that is alone gets nearly all; nothing must be
 * known of who is there. Holders are numbers, {@linkplain SourcePrefix networks} or names; memory does not depend on how
 * many there are, see {@link Sketch}. For one thread.
 */
public final class Shares {
    private final int max;
    private final int timesFree;
    private final Sketch held;
    private int taken;

    /**
     * A table without holders.
     *
     * @param max its places
     * @param timesFree how many times what is free one holder may have, 1 or more
     * @param secret decides which holders are taken for one by mistake; not to be guessed outside
     */
    public Shares(int max, int timesFree, long secret) {
        this.max = max;
        this.timesFree = timesFree;
        this.held = new Sketch(secret);
    }

    /** Takes a place for a holder; false if the table is full or the holder has its share. */
    public boolean enter(long holder) {
        return enter(holder, max);
    }

    /**
     * The same where what is needed besides the place is scarce too.
     *
     * @param room for how many more there is enough of that
     */
    public boolean enter(long holder, int room) {
        long hash = held.hash(holder);
        int free = Math.min(max - taken, room);
        if (free <= 0 || held.count(hash) >= (long) timesFree * free) {
            return false;
        }
        held.add(hash, 1);
        taken++;
        return true;
    }

    /** Gives a holder's place back, once for each time that {@link #enter} was true. */
    public void leave(long holder) {
        held.add(held.hash(holder), -1);
        taken--;
    }

    /** Places that are taken. */
    public int taken() {
        return taken;
    }

    /** Whether no place is left for anyone. */
    public boolean full() {
        return taken == max;
    }
}
