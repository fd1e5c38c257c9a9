package io.guidepost.packet.dpdk;

import io.guidepost.base.Memory;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.LinkState;
import io.guidepost.packet.Offload;
import io.guidepost.packet.Port;
import io.guidepost.packet.PortLayer;
import io.guidepost.packet.QueuePort;
import io.guidepost.packet.device.NetDevice;
import io.guidepost.packet.device.NoSuchInterfaceException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A started device of DPDK. One that was lost, and closed for that, is {@linkplain #reopen opened again} with the same queues,
 * counters and packet memory, so that bursts of its user stay what they are.
 */
final class DpdkPort extends QueuePort<DpdkRx, DpdkTx> {
    /** Frames drained from a queue at most when it is closed: all that rings of devices hold. */
    static final int DRAIN_MAX = 65_536;

    /** More counter names than any card has. */
    private static final int COUNTERS_MAX = 4_096;

    /** Goes before the names of the counters of an interface of the kernel. */
    private static final String INTERFACE = "iface_";

    private final String name;
    private final Eal eal;
    private final DpdkLibrary library;
    private final FrameSettings settings;
    private final MbufPool pool;
    private final long mac;
    private volatile DpdkDeviceSetup setup;

    /** The kernel's interface below the device, which knows more of its link than most drivers; null if there is none. */
    private @Nullable NetDevice below;

    private boolean closed;
    private long missed;
    private long missedBefore;
    private Map<String, Long> counters = Map.of();

    private DpdkPort(String name, Eal eal, DpdkDeviceSetup setup, FrameSettings settings) throws IOException {
        super(PortLayer.FRAME);
        this.name = name;
        this.eal = eal;
        this.library = eal.library;
        this.settings = settings;
        this.setup = setup;
        this.pool = setup.start(name, null);
        this.mac = setup.mac();
        String driver = setup.driver;
        for (int i = 0; i < settings.queues(); i++) {
            LongSupplier overflow = i == 0 ? this::missed : () -> 0;
            rx.add(new DpdkRx(library, pool, i, settings.burstMax(), driver, setup.coming(), overflow));
            tx.add(new DpdkTx(pool, i, settings.burstMax(), setup.frameBytesMax(), driver, setup.leaving()));
        }
        attach();
    }

    private void attach() {
        below = setup.netDevice();
        long row = library.find("rte_eth_fp_ops").address() + (long) setup.port * DpdkAbi23.FAST_BYTES;
        rx.forEach(queue -> queue.attach(row));
        tx.forEach(queue -> queue.attach(row));
    }

    /** Opens a device; only {@link DpdkDeviceSetup} interprets options. */
    static Port open(Eal eal, FrameSettings settings) throws IOException {
        String name = "dpdk:" + settings.device();
        DpdkDeviceSetup setup = DpdkDeviceSetup.probe(eal, name, settings);
        try {
            return new DpdkPort(name, eal, setup, settings);
        } catch (IOException | RuntimeException e) {
            setup.remove();
            throw e;
        }
    }

    /**
     * Opens a closed port's device again.
     *
     * @throws NoSuchInterfaceException if the interface below it is not there yet
     * @throws IOException in one line: what the device refuses
     */
    synchronized void reopen() throws IOException {
        if (!closed) {
            return;
        }
        NetDevice before = below;
        if (before != null && !PollModeDrivers.makesInterface(setup.driver)) {
            NetDevice.named(before.name(), name);
        }
        DpdkDeviceSetup next = DpdkDeviceSetup.probe(eal, name, settings);
        try {
            next.start(name, pool);
        } catch (IOException | RuntimeException e) {
            next.remove();
            throw e;
        }
        setup = next;
        missedBefore = missed;
        closed = false;
        attach();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long mac() {
        return mac;
    }

    @Override
    public int frameBytesMax() {
        return setup.frameBytesMax();
    }

    @Override
    public Set<Offload> offloads() {
        return setup.offloads();
    }

    @Override
    public synchronized LinkState link() {
        if (closed) {
            return LinkState.DOWN;
        }
        if ((int) library.call("rte_eth_dev_is_removed", setup.port) == 1) {
            return LinkState.GONE;
        }
        // The driver of memif connects to its peer in this call.
        LinkState told = told();
        NetDevice kernel = below;
        return kernel != null ? kernel.link() : !told.up() && PollModeDrivers.hasPeer(setup.driver) ? LinkState.NO_PEER : told;
    }

    private LinkState told() {
        try (Arena arena = Arena.ofConfined()) {
            long link = arena.allocate(DpdkAbi23.LINK_BYTES, Long.BYTES).address();
            library.call("rte_eth_link_get_nowait", setup.port, link);
            int bits = Memory.i32Le(link + DpdkAbi23.LINK_BITS);
            // 0xffffffff is an unknown speed.
            int speed = Memory.i32Le(link + DpdkAbi23.LINK_SPEED);
            return new LinkState((bits & DpdkAbi23.LINK_UP) != 0, Math.max(0, speed));
        }
    }

    @Override
    public synchronized Map<String, Long> deviceCounters() {
        if (closed) {
            return counters;
        }
        Map<String, Long> all = new LinkedHashMap<>();
        try (Arena arena = Arena.ofConfined()) {
            int number = (int) library.call("rte_eth_xstats_get_names", setup.port, 0, 0);
            number = Math.clamp(number, 0, COUNTERS_MAX);
            MemorySegment names = arena.allocate((long) DpdkAbi23.XSTAT_NAME_BYTES * number + 1);
            long values = arena.allocate((long) DpdkAbi23.XSTAT_BYTES * number + 1, Long.BYTES).address();
            library.call("rte_eth_xstats_get_names", setup.port, names.address(), number);
            int got = (int) library.call("rte_eth_xstats_get", setup.port, values, number);
            for (int i = 0; i < Math.min(got, number); i++) {
                long value = values + (long) i * DpdkAbi23.XSTAT_BYTES;
                long id = Memory.i64Le(value + DpdkAbi23.XSTAT_ID);
                all.put(
                        names.getString(id * DpdkAbi23.XSTAT_NAME_BYTES),
                        Memory.i64Le(value + DpdkAbi23.XSTAT_VALUE));
            }
        }
        NetDevice kernel = below;
        if (kernel != null) {
            kernel.counters().forEach((counter, value) -> all.put(INTERFACE + counter, value));
        }
        counters = all;
        return all;
    }

    /** Returns the device's count of frames lost because the queue was full, and that of those before it was lost. */
    private synchronized long missed() {
        if (!closed) {
            try (Arena arena = Arena.ofConfined()) {
                long stats = arena.allocate(DpdkAbi23.STATS_BYTES, Long.BYTES).address();
                if ((int) library.call("rte_eth_stats_get", setup.port, stats) == 0) {
                    missed = missedBefore + Memory.i64Le(stats + DpdkAbi23.STATS_IMISSED);
                }
            }
        }
        return missed;
    }

    /** Returns the packet memory, for tests. */
    MbufPool pool() {
        return pool;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        missed();
        deviceCounters();
        closed = true;
        rx.forEach(DpdkRx::shut);
        tx.forEach(DpdkTx::shut);
        rx.forEach(DpdkRx::drain);
        setup.remove();
        pool.release();
        eal.said();
    }
}
