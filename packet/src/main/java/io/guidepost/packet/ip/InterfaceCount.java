package io.guidepost.packet.ip;

/** Counts of an interface of IPv4 and IPv6 beyond packets and drops. The names are those that metrics show. */
public enum InterfaceCount {
    /** ARP requests for an address of ours that were answered. */
    ARP_ANSWERED,
    /** Neighbour solicitations (RFC 4861) for an address of ours that were answered. */
    NEIGHBOUR_ANSWERED,
    /** Echo requests that were answered, of ICMP and ICMPv6. */
    ECHO_ANSWERED,
    /** ICMP errors that were sent, as port unreachable. */
    UNREACHABLE_ANSWERED,
    /** ICMP errors that the rate limit withheld. */
    UNREACHABLE_WITHHELD,
    /** ARP requests and neighbour solicitations that were sent. */
    NEIGHBOUR_ASKED,
    /** Frames that waited for a neighbour's Ethernet address. */
    NEIGHBOUR_AWAITED,
    /** Frames given up as that did not come, or as too many waited for it. */
    NEIGHBOUR_MISSING,
    /** Frames given to the port for exceptions. */
    PASSED,
    /** Frames taken from the port for exceptions. */
    RETURNED,
    /** Frames not passed as the port for exceptions had no room. */
    PASS_FULL,
    /** Frames to the Ethernet address of another station. */
    OTHER_STATION,
    /** Fragments, which are not put together. */
    FRAGMENT,
    /** Frames whose layers do not fit. */
    BAD_LAYERS,
    /** IPv4 headers with a wrong checksum. */
    BAD_IP_CHECKSUM,
    /** Datagrams and ICMP messages with a wrong checksum. */
    BAD_CHECKSUM,
    /** Datagrams whose checksum was left to a device that has none: only that of their addresses. */
    PARTIAL_CHECKSUM,
    /** Datagrams whose checksum the device or the kernel had found right: it was not computed again. */
    CHECKSUM_BY_DEVICE,
    /** Packets from an address that no host sends from, such as a group's. */
    BAD_SOURCE,
    /** Answers that could not be sent as the port of frames had no room. */
    ANSWER_NO_ROOM
}
