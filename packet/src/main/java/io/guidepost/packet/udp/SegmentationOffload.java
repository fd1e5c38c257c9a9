package io.guidepost.packet.udp;

/**
 * UDP segmentation offload: whether the kernel may pass several datagrams of one sender as one (GRO), and take several
 * responses to one peer as one (GSO).
 *
 * <p>Why is AUTO the default? Where peers send segments it saves more than ten times the CPU (measured on loopback:
 * 0.07-0.09 microseconds of the server for a datagram against 3.3). Where one peer sends single datagrams fast, joined
 * responses take 2.1-2.8 against 3.3. Where many peers send single datagrams nothing is joined, and it costs nothing
 * (3.27 against 3.27): the kernel adds a control message only to segments, and a batched call avoids the path where GRO
 * was seen to cost a third.
 */
public enum SegmentationOffload {
    /** Never. */
    OFF,
    /** Always; a port does not open if the kernel lacks it. */
    ON,
    /** Wherever the kernel supports it. */
    AUTO
}
