package io.guidepost.packet;

import io.guidepost.packet.worker.Worker;

/** Bounds of the packet module, each with its reason. */
public final class PacketLimits {
    /** Sockets that share one address: one for each worker. */
    public static final int QUEUES_MAX = 256;

    /** Packets in a burst: the kernel takes at most 1,024 messages in one call (UIO_MAXIOV). */
    public static final int BURST_MAX = 1024;

    /** Bytes of a datagram: the UDP length field, headers included, ends at 65,535. */
    public static final int DATAGRAM_BYTES_MAX = 65_535;

    /**
     * Kernel receive buffer: at 500,000 small datagrams in a second, each charged some 800 bytes, this holds about 10
     * ms; a longer queue would only add latency.
     */
    public static final int RECEIVE_BUFFER_BYTES = 4 << 20;

    /** Sleep of a worker whose queues are held: what it still has to answer waits no longer. */
    public static final long HELD_NANOS = 200_000;

    /** Kernel send buffer: as for receiving. */
    public static final int SEND_BUFFER_BYTES = 4 << 20;

    /**
     * Datagrams in one GSO segment: what every kernel with UDP_SEGMENT takes (UDP_MAX_SEGMENTS was 64 before it was
     * 128).
     */
    public static final int TRAIN_PACKETS_MAX = 64;

    /** Bytes of one GSO segment: an IPv4 datagram's 65,535 less IPv6 header and UDP header. */
    public static final int TRAIN_BYTES_MAX = 65_535 - 40 - 8;

    /** Bytes of a datagram in a GSO segment: the kernel refuses those above the link's MTU, mostly 1,500. */
    public static final int TRAIN_SEGMENT_BYTES_MAX = 1_452;

    /** Processors: as many as the mask of an affinity call has bits here. */
    public static final int CPUS_MAX = 1024;

    /** How long a worker busy-polls before it sleeps; the choice is explained at {@link Worker}. */
    public static final long SPIN_NANOS = 0;

    /** Interrupt coalescing: how long a worker lets arrivals gather; the choice is explained at {@link Worker}. */
    public static final long NAP_NANOS = 40_000;

    /**
     * Packets that end a coalescing sleep: a third saves a sixth of a wake-up more, and the first of them waits half as
     * long again.
     */
    public static final int NAP_PACKETS = 2;

    /**
     * Nice value of workers, where the kernel allows it: a waking worker must not wait until a flush or the compiler
     * has used up its slice of 3 ms. Weight 9,548 to 1,024.
     */
    public static final int WORKER_NICE = -10;

    /**
     * Slice of a worker, the shortest that Linux gives. With the default one a waking worker waited for the next tick,
     * up to 4 ms, in spite of its nice value.
     */
    public static final long WORKER_SLICE_NANOS = 100_000;

    /**
     * Share of each check period that a real-time worker must sleep, or it leaves SCHED_FIFO: other threads of its
     * processor need some.
     */
    public static final double REAL_TIME_SLEEP_SHARE = 0.25;

    /** Period of that check: the longest time that others wait. */
    public static final long REAL_TIME_LOOK_NANOS = 10_000_000;

    /** How long the worker then stays in the normal class: if it never sleeps, it has a tenth of the time in SCHED_FIFO. */
    public static final long REAL_TIME_PAUSE_NANOS = 100_000_000;

    /** SCHED_FIFO priority of a worker, the lowest: only normal threads wait for it. Its watchdog has the next. */
    public static final int REAL_TIME_PRIORITY = 1;

    /** Period of the watchdog: a worker that spins for a normal thread's sake is stopped after two of them. */
    public static final long WATCHDOG_NANOS = 2_000_000;

    /** Period of the watchdog of a worker that is idle: 20 checks in a second cost nothing. */
    public static final long WATCHDOG_IDLE_NANOS = 50_000_000;

    /** Looks after which a worker is idle that took no more turns in their time than the next number: it sleeps nearly always. */
    public static final int WATCHDOG_LOOKS = 50;

    public static final int WATCHDOG_TURNS_IDLE = 10;

    /** Longest sleep of a worker: ten turns in a second cost nothing, and deadlines of duties are coarser. */
    public static final int SLEEP_MILLIS_MAX = 100;

    /** Shortest sleep of a worker that polls a queue without notification: the granularity of a kernel timer. */
    public static final long POLL_NANOS = 50_000;

    /** Idle time after which such a worker backs off: above the pauses of a client that waits for responses. */
    public static final long POLL_IDLE_NANOS = 10_000_000;

    /** Its longest sleep then: a thousand polls in a second cost little, and 1 ms of latency is acceptable. */
    public static final long POLL_NANOS_MAX = 1_000_000;

    /** How long a turn may take before its worker counts as stuck: turns take microseconds, and a paused machine seconds. */
    public static final int TURN_MILLIS_MAX = 5_000;

    /** Milliseconds between two reports of failing duties: rate limits the log under a flood of bad packets. */
    public static final int FAULT_REPORT_MILLIS = 1_000;

    /** Bytes of an IPv4 datagram without its headers: no address family carries more without jumbograms. */
    public static final int PAYLOAD_BYTES_MAX = 65_507;

    /** Bytes of a transmit burst for each packet but the largest: responses are mostly far below a link's 1,500. */
    static final int TRANSMIT_BYTES_EACH = 2_048;

    private PacketLimits() {}

    /**
     * Checks a setting.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public static void check(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be " + min + " to " + max);
        }
    }

    /** Returns the bytes of a transmit burst: room for all packets of the usual size, and at least one of the largest. */
    public static long transmitBytes(int packets, int packetBytesMax) {
        return (long) packets * Math.min(TRANSMIT_BYTES_EACH, packetBytesMax) + packetBytesMax;
    }
}
