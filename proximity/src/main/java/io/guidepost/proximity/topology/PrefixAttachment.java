package io.guidepost.proximity.topology;

import io.guidepost.base.Address;

/**
 * The attachment of a prefix to the network: at a card of a router, as an internal network, or behind it as an external
 * one. An external prefix may have several exits.
 *
 * @param router id of the router
 * @param nic index of its card
 * @param internal whether it is the operator's own: clients live there, and the distance is 0
 * @param asNumber unsigned 32 bits; 0 if unknown
 * @param asDistance ASes on the path from the exit, 0 or more
 */
public record PrefixAttachment(Address router, int nic, boolean internal, long asNumber, int asDistance) {
    /** Checks the ranges. */
    public PrefixAttachment {
        if (asNumber < 0 || asNumber > 0xffffffffL || asDistance < 0 || internal && asDistance != 0) {
            throw new IllegalArgumentException(
                    "an AS number has 32 bits, and a distance is 0 or more and 0 inside: " + asNumber + " " + asDistance);
        }
    }

    /** Creates an internal attachment. */
    public static PrefixAttachment internal(Address router, int nic) {
        return new PrefixAttachment(router, nic, true, 0, 0);
    }

    /** Creates an external attachment. */
    public static PrefixAttachment external(Address router, int nic, long asNumber, int asDistance) {
        return new PrefixAttachment(router, nic, false, asNumber, asDistance);
    }
}
