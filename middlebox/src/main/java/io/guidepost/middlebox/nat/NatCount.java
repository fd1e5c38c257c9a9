package io.guidepost.middlebox.nat;

/** What a translator counts. */
public enum NatCount {
    /** Packets from the inside that were translated and sent outside. */
    OUTWARD,
    /** Packets from the outside that were translated and sent inside. */
    INWARD,
    /** Packets from the inside to a mapping of the inside. */
    HAIRPIN,
    /** Errors by ICMP that were translated with the packet in them. */
    ERRORS,
    /** Mappings made. */
    MAPPINGS,
    /** Mappings that ended because nothing used them. */
    EXPIRED,
    /** Dropped: every port is in use. */
    PORTS_EXHAUSTED,
    /** Dropped: to a port that no mapping has. */
    NO_MAPPING,
    /** Dropped: from an address that the mapping has not spoken to. */
    FILTERED,
    /** Dropped: a later fragment whose first was not seen. */
    FRAGMENT_UNKNOWN,
    /** Dropped: neither TCP nor UDP nor ICMP, or an ICMP message that is neither query nor error. */
    UNSUPPORTED,
    /** Dropped: from an address that is not of the inside. */
    NOT_INSIDE
}
