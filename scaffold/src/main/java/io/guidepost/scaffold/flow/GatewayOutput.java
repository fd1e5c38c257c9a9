package io.guidepost.scaffold.flow;

import io.guidepost.packet.bpf.FlowOffload;
import io.guidepost.scaffold.segment.FlowTuple;

/**
 * Where a gateway's machine sends packets and datagrams, and what it asks of its host. The bytes are the caller's again when a method
 * returns.
 */
public interface GatewayOutput {
    /**
     * Gives a packet to the local kernel.
     *
     * @param packet address of its IP header
     * @param length its bytes
     */
    void toKernel(long packet, int length);

    /**
     * Sends a datagram to another host's gateway, or to an object router.
     *
     * @param way index of the own socket, see {@link FlowMachine#way}
     * @param peerHigh high half of the destination's address, as in {@link io.guidepost.base.Addresses}
     * @param datagram address of its first byte
     */
    void toNetwork(int way, long peerHigh, long peerLow, int peerPort, long datagram, int length);

    /**
     * Returns whether a socket of this host listens at a port, or is bound to it. Asked at the beginning and the end of a connection: it
     * may ask the kernel.
     *
     * @param protocol number of TCP or UDP
     * @param ipv4 whether at this host's IPv4 address, else at its IPv6 address
     */
    default boolean listens(int protocol, boolean ipv4, int port) {
        return true;
    }

    /**
     * Returns whether the local kernel still has a connection of TCP. It may have ended one while there was no gateway, or its reset may
     * have been lost.
     */
    default boolean hasConnection(FlowTuple tuple) {
        return true;
    }

    /** Returns the table by which the kernel gives packets labels, and takes them off, by itself; it may take none. */
    default FlowOffload offload() {
        return FlowOffload.NONE;
    }
}
