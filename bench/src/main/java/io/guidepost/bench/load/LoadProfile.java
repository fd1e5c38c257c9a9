package io.guidepost.bench.load;

import java.util.concurrent.TimeUnit;

/**
 * A load profile.
 *
 * @param lookups records of LOOKUPs
 * @param changes records of INSERTs and UPDATEs
 * @param insertShare INSERTs in a thousand requests
 * @param updateShare UPDATEs in a thousand requests; the rest are LOOKUPs
 * @param perSecond rate of an open loop; 0 for a closed loop
 * @param outstanding requests in flight: the window of a closed loop, and the bound of an open one
 * @param burst most requests of one call
 * @param burstLeast requests that must be due before any is sent: above 1 they leave in trains
 * @param timeoutNanos time after which a request counts as lost
 * @param recursive whether the server may ask other servers
 */
public record LoadProfile(
        KeyDistribution lookups,
        KeyDistribution changes,
        int insertShare,
        int updateShare,
        double perSecond,
        int outstanding,
        int burst,
        int burstLeast,
        long timeoutNanos,
        boolean recursive) {
    /** The shares are in thousandths. */
    public static final int WHOLE = 1000;

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int BURST = 64;

    /** Checks the ranges. */
    public LoadProfile {
        if (insertShare < 0 || updateShare < 0 || insertShare + updateShare > WHOLE) {
            throw new IllegalArgumentException("shares of inserts and updates are 0 to " + WHOLE + " together, not "
                    + insertShare + " and " + updateShare);
        }
        if (perSecond < 0 || outstanding < 1 || burst < 1 || burstLeast < 1 || burstLeast > burst) {
            throw new IllegalArgumentException("a load needs a rate of 0 or more, a window and bursts of 1 or more,"
                    + " not " + perSecond + ", " + outstanding + ", " + burstLeast + " to " + burst);
        }
        if (burstLeast > outstanding) {
            throw new IllegalArgumentException("trains of " + burstLeast + " never fit a window of " + outstanding);
        }
    }

    /** Returns LOOKUPs in a closed loop with a window of requests. */
    public static LoadProfile closed(KeyDistribution keys, int outstanding) {
        return new LoadProfile(keys, keys, 0, 0, 0, outstanding, BURST, 1, TIMEOUT_NANOS, false);
    }

    /** Returns LOOKUPs in an open loop: requests leave on schedule, whatever the server does. */
    public static LoadProfile open(KeyDistribution keys, double perSecond) {
        int pile = (int) Math.clamp(perSecond * 1.25, 4096, 1 << 22);
        return new LoadProfile(keys, keys, 0, 0, perSecond, pile, BURST, 1, TIMEOUT_NANOS, false);
    }

    /** Returns a copy with changes among the lookups, in shares of a thousand. */
    public LoadProfile withChanges(KeyDistribution of, int inserts, int updates) {
        return new LoadProfile(lookups, of, inserts, updates, perSecond, outstanding, burst, burstLeast, timeoutNanos, recursive);
    }

    /** Returns a copy with trains of requests. */
    public LoadProfile withTrains(int length) {
        return new LoadProfile(
                lookups, changes, insertShare, updateShare, perSecond, outstanding, length, length, timeoutNanos, recursive);
    }

    /** Returns a copy with another time-out. */
    LoadProfile withTimeoutNanos(long nanos) {
        return new LoadProfile(lookups, changes, insertShare, updateShare, perSecond, outstanding, burst, burstLeast, nanos, recursive);
    }

    /** Returns a copy whose requests are recursive. */
    public LoadProfile withRecursion() {
        return new LoadProfile(
                lookups, changes, insertShare, updateShare, perSecond, outstanding, burst, burstLeast, timeoutNanos, true);
    }
}
