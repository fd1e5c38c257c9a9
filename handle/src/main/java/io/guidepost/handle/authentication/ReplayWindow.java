package io.guidepost.handle.authentication;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Anti-replay window over the counters of a session's messages: a bitmap over the last 64 Ki below the highest. Clients
 * number their messages 1, 2, 3 and send many concurrently, so that they arrive out of order. A counter far behind the
 * highest is refused, as it can no longer be told from a replay. A page of the bitmap is allocated when a counter falls
 * into it. Not thread-safe.
 */
public final class ReplayWindow {
    private static final int PAGE_BITS = 1024;
    private static final int PAGES = 64;

    private final long[] @Nullable [] pages = new long[PAGES][];
    private long highestPage;

    /**
     * Marks a counter as used. To be called only after the message's MAC was verified: a sender without the key must
     * not use up counters.
     *
     * @param counter of the message, 32 bits without a sign
     * @return false if it was used before, or is more than about 64,000 behind the highest
     */
    public boolean use(int counter) {
        long number = Integer.toUnsignedLong(counter);
        long page = number / PAGE_BITS;
        if (page <= highestPage - PAGES) {
            return false;
        }
        if (page > highestPage) {
            advance(page);
        }
        int slot = (int) (page % PAGES);
        long[] bits = pages[slot];
        if (bits == null) {
            bits = new long[PAGE_BITS / Long.SIZE];
            pages[slot] = bits;
        }
        int word = (int) (number % PAGE_BITS) / Long.SIZE;
        long bit = 1L << number % Long.SIZE;
        if ((bits[word] & bit) != 0) {
            return false;
        }
        bits[word] |= bit;
        return true;
    }

    private void advance(long page) {
        if (page - highestPage >= PAGES) {
            Arrays.fill(pages, null);
        } else {
            for (long each = highestPage + 1; each <= page; each++) {
                pages[(int) (each % PAGES)] = null;
            }
        }
        highestPage = page;
    }
}
