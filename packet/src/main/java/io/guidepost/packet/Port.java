package io.guidepost.packet;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Optional;
import java.util.Set;

/**
 * A way in and out for packets: a UDP address of the kernel, a network interface, a file, a link of a simulation. It
 * has one or more queues; each receive queue and each transmit queue belongs to one thread at a time.
 *
 * <p>Opening and closing is for any thread. A port is closed after the workers that use it; one that is closed under a
 * running worker does no harm: its queues receive nothing and count what they are given as {@link Drop#CLOSED}.
 */
public interface Port extends AutoCloseable {
    /** Returns the name for logs and metrics: back end and address, as {@code udp:127.0.0.1:5000}. */
    String name();

    /** Returns what its packets are. */
    PortLayer layer();

    /** Returns the number of queues: as many that receive as that transmit, numbered from 0. */
    int queues();

    /** Returns a queue that receives. */
    RxQueue rx(int queue);

    /** Returns the queue that transmits beside the receive queue of the same number. */
    TxQueue tx(int queue);

    /** Returns the address and port number that it is bound to, the real number if 0 was asked for; of frames 0.0.0.0:0. */
    InetSocketAddress localAddress();

    /** Returns the Ethernet address as 48 bits, 0 if it has none. */
    default long mac() {
        return 0;
    }

    /**
     * Returns the bytes of the longest frame it takes, Ethernet header included and check sequence not; of datagrams
     * 65,535.
     */
    default int frameBytesMax() {
        return PacketLimits.DATAGRAM_BYTES_MAX;
    }

    /** Returns its link, asked of the device now; not for the hot path. */
    default LinkState link() {
        return LinkState.ALWAYS;
    }

    /** Returns what the device does by itself. */
    default Set<Offload> offloads() {
        return Set.of();
    }

    /** Returns the packet memory of its frames, if it is one of ours; shared with other ports if it was opened so. */
    default Optional<FramePool> framePool() {
        return Optional.empty();
    }

    /** Returns where it can receive what some networks send apart from the rest; empty if it cannot. */
    default Optional<Aside> aside() {
        return Optional.empty();
    }

    /**
     * Returns the counters of the device itself by its own names, as the kernel or DPDK tells them; not for the hot
     * path.
     */
    default Map<String, Long> deviceCounters() {
        return Map.of();
    }

    /**
     * Returns what ended its receiving or sending before its time, in one line, as a file that breaks off; empty if
     * nothing did.
     */
    default Optional<String> failure() {
        return Optional.empty();
    }

    /** Closes it; a second call does nothing. */
    @Override
    void close();
}
