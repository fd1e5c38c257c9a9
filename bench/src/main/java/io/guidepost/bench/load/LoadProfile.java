package io.guidepost.bench.load;

import java.util.concurrent.TimeUnit;

/**
 * What a generator asks of a server.
 *
 * @param lookups which records are looked up
 * @param changes which records are inserted or updated
 * @param insertShare how many of a thousand requests are INSERTs
 * @param updateShare how many of a thousand requests are UPDATEs; the rest are LOOKUPs
 * @param perSecond requests a second of an open loop; 0 for a closed loop
 * @param outstanding requests that may wait at once: what a closed loop keeps, and the most that an open loop lets
 *     pile up
 * @param burst requests that leave in one call at most
 * @param burstLeast requests that must be due before any leaves: above 1 they leave in trains
 * @param timeoutNanos after this a request counts as lost
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
    /** Requests in a thousand: what the shares are of. */
    public static final int WHOLE = 1000;

    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int BURST = 64;

    /** Checks ranges. */
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

    /** Lookups in a closed loop: a window of requests is always waiting. */
    public static LoadProfile closed(KeyDistribution keys, int outstanding) {
        return new LoadProfile(keys, keys, 0, 0, 0, outstanding, BURST, 1, TIMEOUT_NANOS, false);
    }

    /** Lookups in an open loop: requests leave when they are due, whatever the server does. */
    public static LoadProfile open(KeyDistribution keys, double perSecond) {
        int pile = (int) Math.clamp(perSecond * 1.25, 4096, 1 << 22);
        return new LoadProfile(keys, keys, 0, 0, perSecond, pile, BURST, 1, TIMEOUT_NANOS, false);
    }

    /** The same with changes among the lookups, in shares of a thousand. */
    public LoadProfile withChanges(KeyDistribution of, int inserts, int updates) {
        return new LoadProfile(lookups, of, inserts, updates, perSecond, outstanding, burst, burstLeast, timeoutNanos, recursive);
    }

    /** The same with requests that leave in trains of a length. */
    public LoadProfile withTrains(int length) {
        return new LoadProfile(
                lookups, changes, insertShare, updateShare, perSecond, outstanding, length, length, timeoutNanos, recursive);
    }

    /** The same with another time-out. */
    LoadProfile withTimeoutNanos(long nanos) {
        return new LoadProfile(lookups, changes, insertShare, updateShare, perSecond, outstanding, burst, burstLeast, nanos, recursive);
    }

    /** The same with requests for which the server may ask other servers. */
    public LoadProfile withRecursion() {
        return new LoadProfile(
                lookups, changes, insertShare, updateShare, perSecond, outstanding, burst, burstLeast, timeoutNanos, true);
    }
}
