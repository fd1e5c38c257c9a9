package io.guidepost.packet.admission;

/**
 * Hears of source networks that overload a worker, again and again while they do. The listener can have what such a network
 * sends received apart from the others for a while.
 */
@FunctionalInterface
interface OverloadListener {
    /** Ignores what it hears. */
    OverloadListener NONE = (high, low, bits) -> {};

    /**
     * Hears of a network. Called by workers in the middle of a turn, so it must be quick.
     *
     * @param high high half of an address of the network, as in {@link io.guidepost.base.Addresses}
     * @param low low half of that address
     * @param bits length of the network's prefix, of 32 in IPv4 and of 128 in IPv6
     */
    void overloaded(long high, long low, int bits);
}
