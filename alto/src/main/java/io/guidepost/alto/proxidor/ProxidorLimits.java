package io.guidepost.alto.proxidor;

/** Bounds of Proxidor, each with its reason. */
final class ProxidorLimits {
    /** Fewest candidates of one request: fewer have no order. */
    static final int LIST_LEAST = 2;

    /**
     * Bytes of all candidates of one request: what a packet of 1,500 bytes leaves after the longest headers. 363 IPv4
     * addresses, 90 of IPv6.
     */
    static final int LIST_BYTES_MAX = 1454;

    /** Most candidates of one request: the shortest ones. */
    static final int LIST_MAX = LIST_BYTES_MAX / 4;

    /** Lists of one request: there are four types, and known clients send a few. */
    static final int PARTS_MAX = 64;

    private ProxidorLimits() {}
}
