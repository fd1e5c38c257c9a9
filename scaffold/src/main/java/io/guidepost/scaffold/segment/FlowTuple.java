package io.guidepost.scaffold.segment;

import io.guidepost.base.Addresses;

/**
 * A flow as the local kernel sees it: its own address and port, those of the other end, and the protocol.
 *
 * @param ownHigh high half of the address of this host, as in {@link io.guidepost.base.Addresses}
 * @param ownLow low half of it
 * @param peerHigh high half of the address that stands for the other end
 * @param peerLow low half of it
 * @param ports own port (16 bits), the other end's (16)
 * @param protocol number of TCP or UDP
 */
public record FlowTuple(long ownHigh, long ownLow, long peerHigh, long peerLow, int ports, int protocol) {
    /** Returns whether the addresses are of IPv4. */
    public boolean isIpv4() {
        return Addresses.isIpv4(ownHigh, ownLow);
    }

    /** Returns the port of this host. */
    public int ownPort() {
        return ports >>> 16;
    }

    /** Returns the port of the other end. */
    public int peerPort() {
        return ports & 0xffff;
    }

    /** Returns the flow with another port of this host. */
    public FlowTuple withOwnPort(int port) {
        return new FlowTuple(ownHigh, ownLow, peerHigh, peerLow, port << 16 | peerPort(), protocol);
    }

    /** Returns the flow as the other end has it. */
    FlowTuple turned() {
        return new FlowTuple(
                /* ownHigh= */ peerHigh,
                /* ownLow= */ peerLow,
                /* peerHigh= */ ownHigh,
                /* peerLow= */ ownLow,
                Integer.rotateLeft(ports, 16),
                protocol);
    }

    @Override
    public int hashCode() {
        long mixed = ((ownHigh ^ peerHigh * 0x94d0_49bb_1331_11ebL ^ ports) * 0x9e37_79b9_7f4a_7c15L ^ ownLow ^ protocol)
                * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ peerLow) * 0x9e37_79b9_7f4a_7c15L;
        return (int) (mixed >>> 32);
    }
}
