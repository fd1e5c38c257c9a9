package io.guidepost.proximity.topology;

import io.guidepost.base.Address;

/**
 * Where a prefix hangs on the network: at a card of a router, as a network of the operator's own, or behind it as one of
 * somebody else's. The same external prefix may be known at several exits.
 *
 * @param router id of the router
 * @param nic index of its card
 * @param internal whether it is the operator's own: clients live there, and the distance is 0
 * @param asNumber of the system it belongs to, unsigned 32 bits; 0 if that is not known
 * @param asDistance systems on the way from the exit, 0 or more
 */
public record PrefixAttachment(Address router, int nic, boolean internal, long asNumber, int asDistance) {
    /** Checks the ranges. */
    public PrefixAttachment {
        if (asNumber < 0 || asNumber > 0xffffffffL || asDistance < 0 || internal && asDistance != 0) {
            throw new IllegalArgumentException(
                    "an AS number has 32 bits, and a distance is 0 or more and 0 inside: " + asNumber + " " + asDistance);
        }
    }

    /** A network of the operator's own. */
    public static PrefixAttachment internal(Address router, int nic) {
        return new PrefixAttachment(router, nic, true, 0, 0);
    }

    /** A network behind an exit. */
    public static PrefixAttachment external(Address router, int nic, long asNumber, int asDistance) {
        return new PrefixAttachment(router, nic, false, asNumber, asDistance);
    }
}
