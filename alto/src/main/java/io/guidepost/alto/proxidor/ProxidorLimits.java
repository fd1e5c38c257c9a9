package io.guidepost.alto.proxidor;

/** Bounds of Proxidor, each with its reason. */
final class ProxidorLimits {
    /** Candidates of one question at least: fewer have no order. */
    static final int LIST_LEAST = 2;

    /**
     * Bytes of all candidates of one question: what a packet of 1,500 bytes has left behind the longest header in front of
     * them. 363 IPv4 addresses, 90 of IPv6.
     */
    static final int LIST_BYTES_MAX = 1454;

    /** Candidates of one question: so many of the shortest. */
    static final int LIST_MAX = LIST_BYTES_MAX / 4;

    /** Lists that one question may be made of: there are four types, and nobody is known to send more than a few. */
    static final int PARTS_MAX = 64;

    /** Bytes of the longest answer: header, one list's header, all candidates. */
    static final int ANSWER_BYTES_MAX = ProxidorWire.LIST + ProxidorWire.PART_BYTES + LIST_BYTES_MAX;

    private ProxidorLimits() {}
}
