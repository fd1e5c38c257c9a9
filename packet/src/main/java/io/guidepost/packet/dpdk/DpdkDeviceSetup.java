package io.guidepost.packet.dpdk;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.guidepost.base.Memory;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Offload;
import io.guidepost.packet.PortOptions;
import io.guidepost.packet.device.NetDevice;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Configures and removes a device: probe, configure, a pair of queues for each worker, start; stop, close, remove.
 * Belongs to the thread that opens the port, then to the one that closes it.
 */
final class DpdkDeviceSetup {
    /** Ethernet header and one VLAN tag. */
    static final int HEADER_BYTES = 18;

    private static final int MTU_STANDARD = 1_500;

    /** Descriptors of a queue's ring, if the driver recommends no number. */
    private static final int DESCRIPTORS = 1_024;

    private static final int ENODEV = 19;
    private static final int ENOTSUP = 95;

    private final Eal eal;
    private final DpdkLibrary library;
    private final FrameSettings settings;
    private final PortOptions options;
    final int port;
    private final long device;
    final String driver;
    private final int mtu;
    private final boolean setsMtu;
    private final long hashes;
    private final MemorySegment info;
    private final boolean byDevice;
    private long transmits;
    private long receives;
    private boolean started;

    private DpdkDeviceSetup(Eal eal, FrameSettings settings, int port, MemorySegment info) throws IOException {
        this.eal = eal;
        this.library = eal.library;
        this.settings = settings;
        this.port = port;
        this.info = info;
        this.device = info.get(JAVA_LONG, DpdkAbi23.INFO_DEVICE);
        this.driver = library.text(info.get(JAVA_LONG, DpdkAbi23.INFO_DRIVER_NAME));
        // Some devices set only one of the two bounds and leave the other unlimited.
        long frameMax = info.get(JAVA_INT, DpdkAbi23.INFO_MAX_RX_PKTLEN) & 0xffff_ffffL;
        int mtuMax = (int) Math.min(info.get(JAVA_SHORT, DpdkAbi23.INFO_MAX_MTU) & 0xffff, frameMax - HEADER_BYTES);
        int room = Dpdk.mtuMax(settings.frameBytes());
        this.options = new PortOptions("dpdk:" + settings.device(), settings);
        this.byDevice = options.checksumsByDevice();
        this.setsMtu = settings.options().containsKey("mtu");
        this.mtu = setsMtu
                ? options.number("mtu", 0, 68, Math.min(mtuMax, room))
                : Math.min(mtuMax, settings.frameBytes() > 2_048 ? room : MTU_STANDARD);
        this.hashes = settings.queues() == 1 ? 0 : info.get(JAVA_LONG, DpdkAbi23.INFO_RSS_HASHES) & DpdkAbi23.RSS_IP_UDP_TCP;
    }

    /** Probes the device and its driver; the driver creates software devices. */
    static DpdkDeviceSetup probe(Eal eal, String name, FrameSettings settings) throws IOException {
        DpdkLibrary library = eal.library;
        try (Arena arena = Arena.ofConfined()) {
            String arguments = settings.device() + deviceArguments(settings);
            int result = (int) library.call("rte_dev_probe", arena.allocateFrom(arguments).address());
            String said = eal.said();
            if (result < 0) {
                throw refused(eal, name, "cannot be opened", result, said);
            }
            MemorySegment port = arena.allocate(JAVA_SHORT);
            int found = (int) library.call(
                    "rte_eth_dev_get_port_by_name",
                    arena.allocateFrom(settings.device()).address(),
                    port.address());
            if (found < 0) {
                throw new IOException(name + ": it is a device of DPDK, but none that has frames");
            }
            int number = port.get(JAVA_SHORT, 0) & 0xffff;
            MemorySegment info = Arena.ofAuto().allocate(DpdkAbi23.INFO_BYTES, Long.BYTES);
            library.call("rte_eth_dev_info_get", number, info.address());
            return new DpdkDeviceSetup(eal, settings, number, info);
        }
    }

    private static String deviceArguments(FrameSettings settings) {
        Map<String, String> all = new LinkedHashMap<>(settings.options());
        all.keySet().removeIf(key -> key.equals("mtu") || key.equals("checksums") || key.endsWith("-descriptors"));
        if (settings.device().startsWith("net_af_packet") && settings.queues() > 1) {
            all.putIfAbsent("qpairs", Integer.toString(settings.queues()));
        }
        if (settings.device().startsWith("net_af_xdp") && settings.queues() > 1) {
            all.putIfAbsent("queue_count", Integer.toString(settings.queues()));
        }
        StringBuilder text = new StringBuilder();
        all.forEach((key, value) -> {
            for (String each : value.split(";", -1)) {
                text.append(',').append(key);
                if (!each.isEmpty()) {
                    text.append('=').append(each);
                }
            }
        });
        return text.toString();
    }

    private static IOException refused(Eal eal, String name, String what, int error, String said) {
        String why = said.isEmpty() ? eal.library.meaning(error) : eal.library.meaning(error) + "; " + said;
        String how = error == -ENODEV ? "; its driver must be installed (apt install dpdk), its name be right" : "";
        return new IOException(name + " " + what + ": " + why + how);
    }

    /**
     * Configures and starts the device; returns its packet memory.
     *
     * @param before the memory that it had before it was lost; null for one that fits
     */
    MbufPool start(String name, @Nullable MbufPool before) throws IOException {
        int rxMax = info.get(JAVA_SHORT, DpdkAbi23.INFO_MAX_RX_QUEUES) & 0xffff;
        int txMax = info.get(JAVA_SHORT, DpdkAbi23.INFO_MAX_TX_QUEUES) & 0xffff;
        int queuesMax = Math.min(rxMax, txMax);
        if (settings.queues() > queuesMax) {
            throw new IOException(name + ": " + settings.queues() + " queues; the device has " + queuesMax);
        }
        int node = (int) library.call("rte_eth_dev_socket_id", port);
        MbufPool pool = before == null ? MbufPool.acquire(eal, settings.frames(), settings.frameBytes(), node) : before;
        if (before != null) {
            before.claim();
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment conf = arena.allocate(DpdkAbi23.CONF_BYTES, Long.BYTES);
            fill(conf.address());
            check(name, "configured", library.call(
                    "rte_eth_dev_configure", port, settings.queues(), settings.queues(), conf.address(), 0, 0, 0));
            if (setsMtu) {
                check(name, "set to this MTU", library.call("rte_eth_dev_set_mtu", port, mtu));
            }
            queues(name, node, pool, arena);
            started = true;
            check(name, "started", library.call("rte_eth_dev_start", port));
            String mode = settings.promiscuous() ? "rte_eth_promiscuous_enable" : "rte_eth_promiscuous_disable";
            int result = (int) library.call(mode, port);
            if (result != -ENOTSUP) {
                check(name, "made promiscuous or not", result);
            }
            return pool;
        } catch (IOException | RuntimeException e) {
            pool.release();
            throw e;
        }
    }

    private void fill(long conf) {
        Memory.put32Le(conf + DpdkAbi23.CONF_RX_MTU, mtu);
        if (hashes != 0) {
            Memory.put32Le(conf + DpdkAbi23.CONF_RX_MQ_MODE, DpdkAbi23.RX_MQ_RSS);
            Memory.put64Le(conf + DpdkAbi23.CONF_RSS_HASHES, hashes);
        }
        // A queue's frames come from one pool and have one owner, so a card may free them unseen.
        transmits = info.get(JAVA_LONG, DpdkAbi23.INFO_TX_OFFLOADS)
                & (DpdkAbi23.TX_OFFLOAD_FAST_FREE | (byDevice ? DpdkAbi23.TX_OFFLOAD_UDP | DpdkAbi23.TX_OFFLOAD_TCP : 0));
        Memory.put64Le(conf + DpdkAbi23.CONF_TX_OFFLOADS, transmits);
        receives = info.get(JAVA_LONG, DpdkAbi23.INFO_RX_OFFLOADS)
                & ((mtu + HEADER_BYTES > settings.frameBytes() ? DpdkAbi23.RX_OFFLOAD_SCATTER : 0)
                        | (byDevice ? DpdkAbi23.RX_OFFLOAD_UDP | DpdkAbi23.RX_OFFLOAD_TCP : 0));
        Memory.put64Le(conf + DpdkAbi23.CONF_RX_OFFLOADS, receives);
    }

    /** Returns how queues handle checksums of outgoing frames. */
    MbufChecksums leaving() {
        return new MbufChecksums(transmits, false, byDevice);
    }

    /** Returns the same for incoming frames; null if neither the device nor its driver reports or hides checksums. */
    @Nullable MbufChecksums coming() {
        boolean searches = PollModeDrivers.passesPartialChecksums(driver);
        boolean says = (receives & (DpdkAbi23.RX_OFFLOAD_UDP | DpdkAbi23.RX_OFFLOAD_TCP)) != 0;
        return says || searches ? new MbufChecksums(0, searches, byDevice) : null;
    }

    /** Returns the device's offloads. */
    Set<Offload> offloads() {
        Set<Offload> all = EnumSet.noneOf(Offload.class);
        add(all, Offload.RX_UDP_CHECKSUM, receives & DpdkAbi23.RX_OFFLOAD_UDP);
        add(all, Offload.RX_TCP_CHECKSUM, receives & DpdkAbi23.RX_OFFLOAD_TCP);
        add(all, Offload.TX_UDP_CHECKSUM, transmits & DpdkAbi23.TX_OFFLOAD_UDP);
        add(all, Offload.TX_TCP_CHECKSUM, transmits & DpdkAbi23.TX_OFFLOAD_TCP);
        add(all, Offload.RECEIVE_SIDE_SCALING, hashes);
        return all;
    }

    private static void add(Set<Offload> all, Offload one, long flags) {
        if (flags != 0) {
            all.add(one);
        }
    }

    private void queues(String name, int node, MbufPool pool, Arena arena) throws IOException {
        MemorySegment sizes = arena.allocate(2L * Short.BYTES, Short.BYTES);
        sizes.set(JAVA_SHORT, 0, (short) descriptors("rx-descriptors", DpdkAbi23.INFO_RX_RING_SIZE));
        sizes.set(JAVA_SHORT, Short.BYTES, (short) descriptors("tx-descriptors", DpdkAbi23.INFO_TX_RING_SIZE));
        library.call("rte_eth_dev_adjust_nb_rx_tx_desc", port, sizes.address(), sizes.address() + Short.BYTES);
        int rxSize = sizes.get(JAVA_SHORT, 0) & 0xffff;
        int txSize = sizes.get(JAVA_SHORT, Short.BYTES) & 0xffff;
        for (int i = 0; i < settings.queues(); i++) {
            check(name, "given a receive queue", library.call(
                    "rte_eth_rx_queue_setup", port, i, rxSize, node, 0, pool.address, 0));
            check(name, "given a transmit queue", library.call(
                    "rte_eth_tx_queue_setup", port, i, txSize, node, 0, 0, 0));
        }
    }

    private int descriptors(String key, int recommended) throws IOException {
        int standard = info.get(JAVA_SHORT, recommended) & 0xffff;
        return options.number(key, standard == 0 ? DESCRIPTORS : standard, 16, 32_768);
    }

    private void check(String name, String what, long result) throws IOException {
        String said = eal.said();
        if ((int) result < 0) {
            throw refused(eal, name, "cannot be " + what, (int) result, said);
        }
    }

    /** Returns the configured bytes of the longest frame. */
    int frameBytesMax() {
        return mtu + HEADER_BYTES;
    }

    /** Returns the Ethernet address, 0 if it has none. */
    long mac() {
        try (Arena arena = Arena.ofConfined()) {
            long address = arena.allocate(Long.BYTES, Long.BYTES).address();
            int result = (int) library.call("rte_eth_macaddr_get", port, address);
            return result < 0 ? 0 : Memory.i64(address) >>> 16;
        }
    }

    /** Returns the kernel's interface that the device is on; null if it is on none. */
    @Nullable NetDevice netDevice() {
        String named = settings.options().get("iface");
        try {
            return named == null ? null : NetDevice.named(named, driver);
        } catch (IOException e) {
            return null;
        }
    }

    /** Stops and closes it; a software device is removed. */
    void remove() {
        if (started) {
            library.call("rte_eth_dev_stop", port);
        }
        library.call("rte_eth_dev_close", port);
        library.call("rte_dev_remove", device);
        eal.said();
    }
}
