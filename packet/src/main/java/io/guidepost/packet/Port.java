package io.guidepost.packet;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A port: a UDP address of the kernel, a network interface, a file, a link of a simulation. It has one or more pairs of
 * queues; each queue belongs to one thread at a time.
 *
 * <p>Opening and closing is thread-safe. A port is closed after its workers; closing it under a running worker is
 * harmless: its queues receive nothing and count sent packets as {@link Drop#CLOSED}.
 */
public interface Port extends AutoCloseable {
    /** Returns the name for logs and metrics: back end and address, as {@code udp:127.0.0.1:5000}. */
    String name();

    /** Returns the layer of its packets. */
    PortLayer layer();

    /** Returns the number of pairs of queues, numbered from 0. */
    int queues();

    /** Returns a receive queue. */
    RxQueue rx(int queue);

    /** Returns the transmit queue paired with the receive queue of the same number. */
    TxQueue tx(int queue);

    /** Returns the bound address with the real port number; 0.0.0.0:0 for ports of frames. */
    InetSocketAddress localAddress();

    /** Returns the Ethernet address as 48 bits, 0 if it has none. */
    default long mac() {
        return 0;
    }

    /** Returns the longest frame, Ethernet header included and check sequence not; for datagrams 65,535. */
    default int frameBytesMax() {
        return PacketLimits.DATAGRAM_BYTES_MAX;
    }

    /** Returns the current state of the link, queried from the device; not for the hot path. */
    default LinkState link() {
        return LinkState.ALWAYS;
    }

    /** Returns the device's offloads. */
    default Set<Offload> offloads() {
        return Set.of();
    }

    /** Returns the packet memory of its frames, if it is a {@link FramePool}; perhaps shared with other ports. */
    default Optional<FramePool> framePool() {
        return Optional.empty();
    }

    /** Returns the sockets of the kernel that share its address; empty if it has none. */
    default Optional<ReuseportGroup> reuseportGroup() {
        return Optional.empty();
    }

    /** Returns the device's own counters by its own names, as the kernel or DPDK reports them; not for the hot path. */
    default Map<String, Long> deviceCounters() {
        return Map.of();
    }

    /**
     * Returns which frames of its device the kernel gets and may forward, and by which setting, in one line; empty if none passes
     * by the port. Not for the hot path.
     */
    default Optional<String> bypass() {
        return Optional.empty();
    }

    /** Returns why it stopped receiving or sending early, in one line, such as a truncated file; empty if it did not. */
    default Optional<String> failure() {
        return Optional.empty();
    }

    /** Closes the port; idempotent. */
    @Override
    void close();
}
