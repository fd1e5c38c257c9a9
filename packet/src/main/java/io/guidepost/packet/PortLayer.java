package io.guidepost.packet;

/** What a port's packets are. */
public enum PortLayer {
    /** Payloads of UDP datagrams; who sent them and whom they go to stands beside them in the burst. */
    DATAGRAM,

    /** Whole Ethernet frames; addresses are inside them, and those of the burst are not used. */
    FRAME
}
