package io.guidepost.packet.udp;

/**
 * Whether the kernel may hand over many datagrams of one sender as one (UDP GRO) and take many answers to one peer as
 * one (UDP GSO).
 *
 * <p>Why is AUTO the default, and not off? Where peers send in trains it is worth more than ten times the CPU (measured
 * on loopback: 0.07-0.09 microseconds of the server for a datagram against 3.3). Where one peer sends single datagrams
 * fast, answers joined to trains take 2.1-2.8 against 3.3. Where many peers send single datagrams nothing is joined, and
 * it costs nothing (3.27 against 3.27): the kernel says something only of messages that are trains, and a batched call
 * does not read one message at a time, where GRO was seen to cost a third. So there is nothing to find out by trying.
 */
public enum SegmentationOffload {
    /** Never. */
    OFF,
    /** Always; a port does not open if the kernel cannot. */
    ON,
    /** Wherever the kernel can. */
    AUTO
}
