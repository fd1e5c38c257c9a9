package io.guidepost.handle.door;

import io.guidepost.names.Exchange;
import java.util.Arrays;

/**
 * Bounds what is sent to sources that have not shown that they asked: a datagram's source can be forged, and an answer of
 * many packets is a hundred times as long as its question. Each network has a bucket of bytes that fills at a steady rate
 * and holds {@link #BURST_SECONDS} of it; what it does not hold is not sent. Answers of one packet cost nothing, as they
 * are not much longer than their questions.
 *
 * <p>Networks share buckets by a hash with a secret, so that nobody can choose whose bucket they empty. Allocates nothing
 * after it is made. Not thread-safe.
 */
final class SourceBudget {
    /** Networks that can be told apart, more or less: with as many busy ones, one in three shares a bucket. */
    private static final int BUCKETS = 1 << 14;

    /** Seconds of silence that may be spent at once. */
    private static final int BURST_SECONDS = 2;

    private static final long MIX = 0x9e3779b97f4a7c15L;

    private final long bytesPerSecond;
    private final long secret;
    private final long[] bytes;
    private final long[] filledMillis;

    /**
     * Full buckets.
     *
     * @param bytesPerSecond of each network; 0 = any number
     * @param secret a number that nobody outside can guess
     */
    SourceBudget(long bytesPerSecond, long secret) {
        this.bytesPerSecond = bytesPerSecond;
        this.secret = secret;
        int buckets = bytesPerSecond == 0 ? 0 : BUCKETS;
        this.bytes = new long[buckets];
        this.filledMillis = new long[buckets];
        Arrays.fill(bytes, BURST_SECONDS * bytesPerSecond);
    }

    /** Takes so many bytes out of the bucket of an address; false if it does not hold them. */
    boolean take(long high, long low, int length, long nowMillis) {
        if (bytesPerSecond == 0) {
            return true;
        }
        int bucket = bucket(high, low);
        long sinceMillis = Math.clamp(nowMillis - filledMillis[bucket], 0, 1000L * BURST_SECONDS);
        filledMillis[bucket] = nowMillis;
        long there = Math.min(
                BURST_SECONDS * bytesPerSecond, bytes[bucket] + sinceMillis * bytesPerSecond / 1000);
        boolean enough = there >= length;
        bytes[bucket] = enough ? there - length : there;
        return enough;
    }

    private int bucket(long high, long low) {
        long network = Exchange.isIpv4(high, low) ? low >>> 8 : high >>> 16;
        long mixed = (network ^ secret) * MIX;
        mixed = (mixed ^ mixed >>> 29) * MIX;
        return (int) (mixed >>> 32) & BUCKETS - 1;
    }
}
