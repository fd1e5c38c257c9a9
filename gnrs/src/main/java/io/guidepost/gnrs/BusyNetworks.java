package io.guidepost.gnrs;

/**
 * Told of networks that ask so much that their questions wait behind those of others, again and again while they do: who
 * can keep what they send apart before it comes here does so for a while.
 */
@FunctionalInterface
public interface BusyNetworks {
    /** Nobody wants to know. */
    BusyNetworks NOBODY = (high, low, bits) -> {};

    /**
     * A network asks too much. Called by workers in the middle of a turn: it must be quick.
     *
     * @param high high half of an address of it, as in {@link io.guidepost.names.Exchange}
     * @param low low half of that address
     * @param bits length of its prefix, of 32 in IPv4 and of 128 in IPv6
     */
    void busy(long high, long low, int bits);
}
