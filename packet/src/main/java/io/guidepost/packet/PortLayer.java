package io.guidepost.packet;

/** The layer of a port's packets. */
public enum PortLayer {
    /** Payloads of UDP datagrams; the burst holds their addresses. */
    DATAGRAM,

    /** Whole Ethernet frames; they contain their addresses, and those of the burst are unused. */
    FRAME
}
