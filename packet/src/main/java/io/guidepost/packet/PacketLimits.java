package io.guidepost.packet;

import io.guidepost.packet.worker.Worker;

/** Bounds of the packet room, each with its reason. */
public final class PacketLimits {
    /** Sockets that share one address: one for each worker, and no machine has use for more. */
    public static final int QUEUES_MAX = 256;

    /** Packets in a burst: the kernel takes at most 1,024 messages in one call (UIO_MAXIOV). */
    public static final int BURST_MAX = 1024;

    /** Bytes of a datagram: the UDP length field, headers included, ends at 65,535. */
    public static final int DATAGRAM_BYTES_MAX = 65_535;

    /**
     * Bytes asked of the kernel for arrivals: at 500,000 small datagrams in a second, each charged some 800 bytes, this
     * holds about 10 ms, after which an answer would be late anyhow and a long queue would only make it later.
     */
    public static final int RECEIVE_BUFFER_BYTES = 4 << 20;

    /** Bytes asked of the kernel for departures: as for arrivals. */
    public static final int SEND_BUFFER_BYTES = 4 << 20;

    /** Datagrams in one train: what every kernel with UDP_SEGMENT takes (UDP_MAX_SEGMENTS was 64 before it was 128). */
    public static final int TRAIN_PACKETS_MAX = 64;

    /** Bytes of one train: an IPv4 datagram's 65,535 less IPv6 header and UDP header. */
    public static final int TRAIN_BYTES_MAX = 65_535 - 40 - 8;

    /** Bytes of a datagram that may be in a train: the kernel refuses those that do not fit the link, mostly 1,500. */
    public static final int TRAIN_SEGMENT_BYTES_MAX = 1_452;

    /** Processors: those that the mask of an affinity call can name here. */
    public static final int CPUS_MAX = 1024;

    /** How long a worker looks for work before it sleeps; the choice is explained at {@link Worker}. */
    public static final long SPIN_NANOS = 0;

    /** How long a worker lets arrivals gather; the choice is explained at {@link Worker}. */
    public static final long NAP_NANOS = 40_000;

    /** Packets that a nap waits for: a third saves a sixth of a wake-up more, and the first of them waits half as long again. */
    public static final int NAP_PACKETS = 2;

    /**
     * How long those wait at most that were set aside, when nothing else wakes the worker: of 100,000 in a second 20 are found
     * at once, for a tenth of the wake-ups that naps take, and whoever was set aside wrongly has lost little.
     */
    static final long ASIDE_REST_NANOS = 200_000;

    /** Packets of those aside in a turn: what comes meanwhile waits for so many, and a train is often as long. */
    static final int ASIDE_BURST = 8;

    /** How long a network stays aside after that was last asked for. */
    static final long ASIDE_NANOS = 1_000_000_000;

    /** Time between two additions: each is a program that the kernel checks and compiles, some 50 us. */
    static final long ASIDE_CHANGE_NANOS = 5_000_000;

    /** Networks aside at once: the kernel takes programs of 4,096 instructions, and runs them for each packet. */
    static final int ASIDE_NETWORKS_MAX = 64;

    /**
     * How workers stand to other threads of their processor, where the kernel allows it: whoever waits for a packet has
     * slept, and shall not wait until a flush or the compiler has used up its slice of 3 ms. Weight 9,548 to 1,024.
     */
    public static final int WORKER_NICE = -10;

    /**
     * Slice of a worker, the shortest that Linux gives. With the usual one it waited for the next tick, up to 4 ms, when it
     * woke while another thread of its processor was in the middle of its own slice, in spite of its nice value.
     */
    public static final long WORKER_SLICE_NANOS = 100_000;

    /** Of each look a worker in real time sleeps at least this share, or it leaves real time: others of its processor want some. */
    public static final double REAL_TIME_SLEEP_SHARE = 0.25;

    /** Time between two looks at that: others wait for no longer. */
    public static final long REAL_TIME_LOOK_NANOS = 10_000_000;

    /** How long it stays among the fair ones then: of all time it is before the others a tenth of, if it never sleeps. */
    public static final long REAL_TIME_PAUSE_NANOS = 100_000_000;

    /** Priority of a worker in real time, the lowest: nothing but fair threads is to wait for it. Its watchdog has the next. */
    public static final int REAL_TIME_PRIORITY = 1;

    /** Time between two looks of a watchdog: who tries for the sake of a fair thread has tried for at most two of them. */
    public static final long WATCHDOG_NANOS = 2_000_000;

    /** The same after so many looks in which the worker slept on: 20 looks in a second cost nothing. */
    public static final long WATCHDOG_IDLE_NANOS = 50_000_000;

    public static final int WATCHDOG_LOOKS_IDLE = 50;

    /** How long a worker sleeps at most: ten turns in a second cost nothing, and deadlines of duties are coarser. */
    public static final int SLEEP_MILLIS_MAX = 100;

    /** How long a worker sleeps that watches a queue which nothing reports on: as the briefest nap of a kernel timer. */
    public static final long POLL_NANOS = 50_000;

    /** After how long without packets such a worker sleeps longer: above the pauses of a client that waits for answers. */
    public static final long POLL_IDLE_NANOS = 10_000_000;

    /** How long it sleeps then at most: a thousand looks in a second cost little, and 1 ms late is not lost. */
    public static final long POLL_NANOS_MAX = 1_000_000;

    /** Milliseconds between two reports of failing duties, so that a flood of bad packets does not flood the log. */
    public static final int FAULT_REPORT_MILLIS = 1_000;

    /** Bytes of an IPv4 datagram without its headers: no address family carries more without jumbograms. */
    public static final int PAYLOAD_BYTES_MAX = 65_507;

    /** Bytes of a transmit burst for each packet but the largest: answers are mostly far below a link's 1,500. */
    static final int TRANSMIT_BYTES_EACH = 2_048;

    /** Bytes that a waiting datagram of a simulated network counts beyond its own: the objects around it. */
    public static final int MEMORY_OVERHEAD_BYTES = 64;

    private PacketLimits() {}

    /** Returns the bytes of a transmit burst: room for all packets of the usual size, and always for one of the largest. */
    public static long transmitBytes(int packets, int packetBytesMax) {
        return (long) packets * Math.min(TRANSMIT_BYTES_EACH, packetBytesMax) + packetBytesMax;
    }
}
