package io.guidepost.scaffold.flow;

import io.guidepost.packet.bpf.FlowOffload;

/** Where a gateway's machine sends packets and datagrams. The bytes are the caller's again when a method returns. */
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

    /** Returns the table by which the kernel gives packets labels, and takes them off, by itself; it may take none. */
    default FlowOffload offload() {
        return FlowOffload.NONE;
    }
}
