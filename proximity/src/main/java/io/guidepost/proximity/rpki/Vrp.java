package io.guidepost.proximity.rpki;

import io.guidepost.base.Prefix;
import java.util.Comparator;

/**
 * A Validated ROA Payload (RFC 6811 section 2): an AS may announce a prefix, and parts of it.
 *
 * @param prefix that may be announced
 * @param maxLength of the longest part, counted as {@link Prefix#length}: that of the prefix to 128
 * @param as unsigned 32 bits; 0 = no AS may announce it (RFC 6483 section 4)
 */
public record Vrp(Prefix prefix, int maxLength, long as) implements Comparable<Vrp> {
    private static final Comparator<Vrp> ORDER =
            Comparator.comparing(Vrp::prefix, Prefix.ORDER).thenComparingInt(Vrp::maxLength).thenComparingLong(Vrp::as);

    /** Checks ranges. */
    public Vrp {
        if (maxLength < prefix.length() || maxLength > 128 || as < 0 || as > 0xffffffffL) {
            throw new IllegalArgumentException("a VRP of " + prefix + " for AS" + as + " has a length of at most " + maxLength);
        }
    }

    /** In the order of the prefixes. */
    @Override
    public int compareTo(Vrp other) {
        return ORDER.compare(this, other);
    }
}
