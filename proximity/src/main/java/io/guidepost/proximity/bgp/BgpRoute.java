package io.guidepost.proximity.bgp;

import io.guidepost.base.Address;

/**
 * The part of a route that is kept.
 *
 * @param origin AS number of the prefix, unsigned 32 bits; 0 if unknown
 * @param distance ASes on the path, with repetitions; 0 = the peer's own AS
 * @param aggregated whether the path ends with a set: then it has no origin by which it could be valid (RFC 6811 section 2)
 * @param nextHop where traffic is sent; {@link #NOWHERE} if the message does not have it
 */
record BgpRoute(long origin, int distance, boolean aggregated, Address nextHop) {
    /** The next hop of a route without one. */
    public static final Address NOWHERE = new Address(0, 0);
}
