package io.guidepost.proximity.ranking;

/**
 * Brings candidates into order, nearest first, by counting: each worker has one of its own. Not thread-safe. Allocates
 * nothing.
 *
 * <p>Ranks are small numbers that are dense, so they are counted rather than compared. A tree of bits says which ranks occur
 * among the candidates, so that only those are visited: the time goes by the number of candidates, and not by how many
 * places or routers the network has. Candidates of equal rank stay in the order in which they were given.
 */
public final class Ranker {
    /** The most candidates in one list: what the largest datagram has room for, four bytes each. */
    public static final int CANDIDATES_MAX = 1 << 14;

    private static final int RANKS = 1 << 16;

    /** First how many candidates have each rank, then where the next of them goes. All zero between calls. */
    private final char[] counts = new char[RANKS];

    /** A bit for each rank that occurs, and a bit for each word of those that is not zero. All zero between calls. */
    private final long[] present = new long[RANKS / Long.SIZE];

    private final long[] words = new long[RANKS / Long.SIZE / Long.SIZE];

    /** The rank of each candidate, so that places are looked up once. */
    private final char[] found = new char[CANDIDATES_MAX];

    /** Makes one for one worker: about 180 KiB. */
    public Ranker() {}

    /**
     * Orders candidates by their places, those of no rank last.
     *
     * @param ranks of all places, for who asks: {@link Ranking#ranks}
     * @param places of the candidates, each less than the length of the ranks
     * @param count of candidates, at most {@link #CANDIDATES_MAX}
     * @param order room for the answer: the numbers of the candidates, from 0, nearest first
     * @return how many of them have a rank; these are the first
     */
    public int rank(char[] ranks, int[] places, int count, int[] order) {
        int unranked = 0;
        for (int i = 0; i < count; i++) {
            char rank = ranks[places[i]];
            found[i] = rank;
            counts[rank]++;
            present[rank >>> 6] |= 1L << rank;
            words[rank >>> 12] |= 1L << (rank >>> 6);
            unranked += rank == Ranking.UNRANKED ? 1 : 0;
        }
        if (count > 0) {
            turnCountsIntoStarts();
        }
        for (int i = 0; i < count; i++) {
            order[counts[found[i]]++] = i;
        }
        for (int i = 0; i < count; i++) {
            counts[found[i]] = 0;
        }
        return count - unranked;
    }

    /** Visits the ranks that occur, nearest first, and clears what says so. */
    private void turnCountsIntoStarts() {
        int start = 0;
        for (int top = 0; top < words.length; top++) {
            for (long word = words[top]; word != 0; word &= word - 1) {
                int at = top << 6 | Long.numberOfTrailingZeros(word);
                for (long bits = present[at]; bits != 0; bits &= bits - 1) {
                    int rank = at << 6 | Long.numberOfTrailingZeros(bits);
                    int here = counts[rank];
                    counts[rank] = (char) start;
                    start += here;
                }
                present[at] = 0;
            }
            words[top] = 0;
        }
    }
}
