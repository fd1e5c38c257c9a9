package io.guidepost.middlebox.nat;

/** Counters of a translator. */
enum NatCount {
    /** Packets translated from the inside to the outside. */
    OUTWARD,
    /** Packets translated from the outside to the inside. */
    INWARD,
    /** Packets from the inside to a mapping of the inside. */
    HAIRPIN,
    /** ICMP errors translated together with the quoted packet. */
    ERRORS,
    /** Mappings created. */
    MAPPINGS,
    /** Mappings expired. */
    EXPIRED,
    /** Later fragments that came before their first, and were held for it. */
    FRAGMENTS_HELD,
    /** Dropped: every port is in use. */
    PORTS_EXHAUSTED,
    /** Dropped: the protocol shares ports, and every port tried is in use to the destination. */
    DESTINATION_EXHAUSTED,
    /** Dropped: the protocol shares ports, and has as many mappings as it may. */
    TABLE_EXHAUSTED,
    /** Dropped: the inside host has as many mappings as it may. */
    HOST_EXHAUSTED,
    /** Dropped: no mapping for the destination port, and for the source if the protocol shares ports. */
    NO_MAPPING,
    /** Dropped: the mapping has not sent to this source address. */
    FILTERED,
    /** Dropped: a later fragment whose first did not come in time, or for which there was no room to wait. */
    FRAGMENT_UNKNOWN,
    /** Dropped: neither TCP nor UDP nor ICMP, or an ICMP message that is neither query nor error. */
    UNSUPPORTED,
    /** Dropped: the source address is not an inside address. */
    NOT_INSIDE
}
