package io.guidepost.proximity.policy;

import io.guidepost.base.Prefix;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which routes of a peer are imported. Without any setting, these are refused, from whichever peer they come, if they lead out
 * of the operator's own AS:
 *
 * <ul>
 *   <li>martians: "this" network, loopback, link-local, multicast and reserved addresses, as RFC 6890 and the registries of
 *       IANA have them, and prefixes so short that they cover some (RFC 7454 section 6.1). Private and documentation
 *       addresses pass: networks of private addresses have neighbours too;
 *   <li>the operator's own prefixes, and all that are more specific (RFC 7454 section 6.1.4);
 *   <li>the default route, unless the peer's prefix list permits it.
 * </ul>
 *
 * @param list what the peer may announce; empty = all that is left
 * @param prefixesMax prefixes that it may have; 0 = no bound
 */
public record ImportPolicy(Optional<PrefixList> list, int prefixesMax) {
    /** What holds for a peer of which nothing is said. */
    public static final ImportPolicy DEFAULT = new ImportPolicy(Optional.empty(), 0);

    /** At this part of {@link #prefixesMax} the operator is warned. */
    private static final int WARNING_PERCENT = 75;

    private static final PrefixList MARTIANS = PrefixList.of("""
            0.0.0.0/0 ge 1 le 7
            0.0.0.0/8 le 32
            127.0.0.0/8 le 32
            169.254.0.0/16 le 32
            224.0.0.0/3 le 32
            ::/0 ge 1 le 15
            ::/8 le 128
            fe80::/10 le 128
            ff00::/8 le 128
            """);

    /**
     * Returns why a route is not imported; null if it is.
     *
     * @param external whether it leads out of the operator's AS
     * @param own the operator's own prefixes, and all that are more specific
     */
    public @Nullable ImportRefusal refusal(Prefix prefix, boolean external, PrefixList own) {
        if (external) {
            if (list.isEmpty() && prefix.length() == (prefix.isIpv4() ? Prefix.IPV4_BITS_BEFORE : 0)) {
                return ImportRefusal.DEFAULT_ROUTE;
            }
            if (MARTIANS.permits(prefix)) {
                return ImportRefusal.MARTIAN;
            }
            if (own.permits(prefix)) {
                return ImportRefusal.OWN_PREFIX;
            }
        }
        return list.isPresent() && !list.get().permits(prefix) ? ImportRefusal.PREFIX_LIST : null;
    }

    /** Returns the number of prefixes at which the operator is warned. */
    public int warningAt() {
        return (int) ((long) prefixesMax * WARNING_PERCENT / 100);
    }
}
