package io.guidepost.packet;

/** Why a packet was dropped. The names are those that metrics and console show. */
public enum Drop {
    /** Received: the datagram was longer than the room for it. */
    TRUNCATED,
    /** Received: the kernel's or the link's queue was full before we came to read it. */
    OVERFLOW,
    /** Received: the handler threw an exception on it. */
    FAULT,
    /** Received: no packet memory was free to take it into. */
    NO_MEMORY,
    /** Received: broken below what the port's packets are: lengths, versions or checksums that cannot be. */
    MALFORMED,
    /** Received: not for this port's address, and nobody to pass it on to. */
    NOT_OURS,
    /** Received: a rule of a middlebox forbids it. */
    DENIED,
    /** Received: a middlebox has no place for what it would have to remember of it. */
    TABLE_FULL,
    /** Received: as many hops as it may have are behind it. */
    HOPS_EXCEEDED,
    /** Transmitted: given up because the port had no place for it. */
    NO_ROOM,
    /** Transmitted: the kernel had no memory for it. */
    NO_BUFFERS,
    /** Transmitted: longer than the network or the protocol takes. */
    TOO_LARGE,
    /** Transmitted: no way to its destination. */
    UNREACHABLE,
    /** Destination or source address are not ones that can be used, or a firewall or a handler forbids it. */
    REFUSED,
    /** Transmitted: the port was closed. */
    CLOSED,
    /** Transmitted: lost by a simulated network, on purpose. */
    SIMULATED,
    /** Transmitted: an error with no row of its own here. */
    OTHER
}
