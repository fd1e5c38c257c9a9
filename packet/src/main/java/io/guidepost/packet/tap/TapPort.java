package io.guidepost.packet.tap;

import io.guidepost.packet.FramePool;
import io.guidepost.packet.FramePort;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.LinkState;
import io.guidepost.packet.Offload;
import io.guidepost.packet.Port;
import io.guidepost.packet.PortOptions;
import io.guidepost.packet.device.NetDevice;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.device.VirtioNetHeader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * A port whose other end is an interface of the kernel: {@code tap:NAME} with Ethernet frames, {@code tun:NAME} with IP
 * packets, for which the port adds and strips an Ethernet header. The interface is created and removed with the port,
 * unless it existed before ({@code ip tuntap add}).
 *
 * <p>Options: {@code address} (with prefix length, {@code 10.0.0.1/24}) and {@code mtu} configure the kernel's end;
 * {@code mac} is the port's own Ethernet address, the neighbour of the kernel's end. A {@code tun} port accepts any
 * destination address; non-IP frames, ARP included, count as refused. With {@code checksums=software} each sender
 * completes its checksums.
 */
public final class TapPort extends FramePort<TapRx, TapTx> {
    static final int IPV4 = 0x0800;
    static final int IPV6 = 0x86dd;

    /** Frames of packet memory for each queue, and at least: each holds some 500 in bursts, messages and views. */
    private static final int FRAMES_EACH = 1024;

    private static final int FRAMES_MIN = 8192;
    private static final int MTU_MAX = 65_521;

    /** Synthetic neighbours of a port of IP packets: locally administered addresses. */
    private static final long TUN_MAC = 0x02_67_70_00_00_01L;

    private static final long TUN_PEER_MAC = 0x02_67_70_00_00_02L;

    private static final long LOCAL_BIT = 0x02_00_00_00_00_00L;

    private final String name;
    private final NetDevice device;
    private final FramePool pool;
    private final boolean ownPool;
    private final int headerBytes;
    private final boolean partial;
    private final long mac;
    private final List<SharedDescriptor> sockets = new ArrayList<>();

    private record Options(String address, int mtu, String mac, boolean byDevice) {
        static Options of(String asked, FrameSettings settings) throws IOException {
            PortOptions options = new PortOptions(asked, settings);
            Options read = new Options(
                    options.text("address", ""),
                    options.number("mtu", 0, 0, MTU_MAX),
                    options.text("mac", ""),
                    options.checksumsByDevice());
            options.refuseOthers();
            return read;
        }
    }

    private TapPort(FrameSettings settings, String kind, boolean ethernet) throws IOException {
        String asked = kind + ":" + settings.device();
        Options options = Options.of(asked, settings);
        headerBytes = ethernet ? 0 : NetDevice.ETHERNET_BYTES;
        FramePool shared = settings.pool();
        ownPool = shared == null;
        int headroom = shared == null ? FrameSettings.HEADROOM_BYTES : shared.headroomBytes();
        partial = options.byDevice && headerBytes + headroom >= VirtioNetHeader.BYTES;
        String made = settings.device();
        try {
            for (int queue = 0; queue < settings.queues(); queue++) {
                TunDevice.Queue opened = TunDevice.open(asked, made, ethernet, settings.queues() > 1, partial);
                sockets.add(opened.socket());
                made = opened.device();
            }
            name = kind + ":" + made;
            device = NetDevice.named(made, name);
            setUp(options.address, options.mtu);
            mac = options.mac.isEmpty() ? neighbourMac(ethernet) : readMac(options.mac);
        } catch (IOException e) {
            sockets.forEach(SharedDescriptor::close);
            throw e;
        }
        pool = settings.poolOr(Math.max(FRAMES_MIN, settings.queues() * FRAMES_EACH));
        addQueues(settings.burstMax());
    }

    /**
     * Checks options of its own, and opens nothing.
     *
     * @throws IOException in one line: which option is wrong, and what would be right
     */
    public static void check(FrameSettings settings) throws IOException {
        Options.of("tap:" + settings.device(), settings);
    }

    /**
     * Opens a port of Ethernet frames.
     *
     * @throws IOException in one line: what is missing or refused
     */
    public static Port open(FrameSettings settings) throws IOException {
        return new TapPort(settings, "tap", true);
    }

    /**
     * Opens a port of IP packets.
     *
     * @throws IOException in one line: what is missing or refused
     */
    public static Port openTun(FrameSettings settings) throws IOException {
        return new TapPort(settings, "tun", false);
    }

    private void addQueues(int burstMax) {
        for (int queue = 0; queue < sockets.size(); queue++) {
            SharedDescriptor socket = sockets.get(queue);
            // The kernel counts queue overflows for the whole interface.
            LongSupplier overflow = queue > 0 ? () -> 0 : () -> device.counters().getOrDefault("tx_dropped", 0L);
            rx.add(new TapRx(
                    socket, pool.view(name + "/rx" + queue), burstMax, headerBytes, mac, TUN_PEER_MAC, partial, overflow));
            tx.add(new TapTx(socket, pool.view(name + "/tx" + queue), burstMax, headerBytes, partial));
        }
    }

    private void setUp(String address, int mtu) throws IOException {
        if (mtu > 0) {
            device.mtu(mtu);
        }
        if (!device.isUp()) {
            device.up();
        }
        if (!address.isEmpty()) {
            setAddress(address);
        }
    }

    private void setAddress(String text) throws IOException {
        int slash = text.indexOf('/');
        try {
            InetAddress address = InetAddress.ofLiteral(text.substring(0, slash));
            int bits = Integer.parseInt(text.substring(slash + 1));
            if (bits >= 0 && bits <= (address instanceof Inet4Address ? 32 : 128)) {
                device.address(address, bits);
                return;
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            // Refused below, as a prefix length out of range.
        }
        throw new IOException(name + ": address is \"" + text + "\"; it must be one with its prefix length, as 10.0.0.1/24");
    }

    /** Returns an address that differs from that of the kernel's end. */
    private long neighbourMac(boolean ethernet) {
        return ethernet ? (device.mac() ^ 1) | LOCAL_BIT : TUN_MAC;
    }

    private long readMac(String text) throws IOException {
        String digits = text.replace(":", "");
        if (!text.matches("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}") || (Long.parseLong(digits, 16) >>> 40 & 1) != 0) {
            throw new IOException(name + ": mac is \"" + text + "\"; it must be the address of one device, as 02:00:00:00:00:01");
        }
        return Long.parseLong(digits, 16);
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
        return Math.min(device.mtu() + NetDevice.ETHERNET_BYTES, pool.frameBytes() - pool.headroomBytes());
    }

    @Override
    public LinkState link() {
        return device.link();
    }

    @Override
    public Set<Offload> offloads() {
        Set<Offload> offloads = partial ? Offload.checksums() : EnumSet.noneOf(Offload.class);
        if (rx.size() > 1) {
            offloads.add(Offload.RECEIVE_SIDE_SCALING);
        }
        if (frameBytesMax() > 1_518) {
            offloads.add(Offload.JUMBO);
        }
        return offloads;
    }

    @Override
    public Optional<FramePool> framePool() {
        return Optional.of(pool);
    }

    @Override
    public Map<String, Long> deviceCounters() {
        return device.counters();
    }

    @Override
    public void close() {
        sockets.forEach(SharedDescriptor::close);
        if (ownPool) {
            pool.close();
        }
    }
}
