package io.guidepost.proximity.bgp;

import io.guidepost.base.Address;

/**
 * What is kept of a way that a peer told.
 *
 * @param origin number of the AS that the prefix belongs to, unsigned 32 bits; 0 if that is not known
 * @param distance ASes on the path, repeated ones counted as often as they stand there; 0 = the peer's own system
 * @param nextHop where traffic is sent; {@link #NOWHERE} if it is not said
 */
public record BgpRoute(long origin, int distance, Address nextHop) {
    /** The next hop of a way that says none. */
    public static final Address NOWHERE = new Address(0, 0);
}
