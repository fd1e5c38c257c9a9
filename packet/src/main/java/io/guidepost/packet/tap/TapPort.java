package io.guidepost.packet.tap;

import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.PortOptions;
import io.guidepost.packet.device.DevicePort;
import io.guidepost.packet.device.NetDevice;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.device.VirtioNetHeader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * A port whose other end is an interface of the kernel: {@code tap:NAME} with Ethernet frames, {@code tun:NAME} with IP
 * packets, for which the port adds and strips an Ethernet header. The interface is created and removed with the port,
 * unless it existed before ({@code ip tuntap add}).
 *
 * <p>Options: {@code address} (with prefix length, {@code 10.0.0.1/24}; several with + between) and {@code mtu} configure the kernel's end;
 * {@code mac} is the port's own Ethernet address, the neighbour of the kernel's end. With {@code persistent=true} the
 * interface stays when the port, or its process, ends, and with it routes and connections. With {@code trains=true} the
 * kernel gives and takes TCP packets of many segments, which the queues cut and join: a system call for each instead of one
 * for each segment. A {@code tun} port accepts any destination address; non-IP frames, ARP included, count as refused. With
 * {@code checksums=software} each sender completes its checksums.
 */
public final class TapPort extends DevicePort<TapRx, TapTx> {
    static final int IPV4 = 0x0800;
    static final int IPV6 = 0x86dd;

    private static final int MTU_MAX = 65_521;

    /** Synthetic neighbours of a port of IP packets: locally administered addresses. */
    private static final long TUN_MAC = 0x02_67_70_00_00_01L;

    private static final long TUN_PEER_MAC = 0x02_67_70_00_00_02L;

    private static final long LOCAL_BIT = 0x02_00_00_00_00_00L;

    private record Options(String address, int mtu, String mac, boolean persistent, boolean trains, boolean byDevice) {
        static Options of(String asked, FrameSettings settings) throws IOException {
            PortOptions options = new PortOptions(asked, settings);
            Options read = new Options(
                    options.text("address", ""),
                    options.number("mtu", 0, 0, MTU_MAX),
                    options.text("mac", ""),
                    options.flag("persistent", false),
                    options.flag("trains", false),
                    options.checksumsByDevice());
            options.refuseOthers();
            return read;
        }
    }

    private TapPort(FrameSettings settings, String kind, boolean ethernet) throws IOException {
        String asked = kind + ":" + settings.device();
        Options options = Options.of(asked, settings);
        int headerBytes = ethernet ? 0 : NetDevice.ETHERNET_BYTES;
        FramePool shared = settings.pool();
        int headroom = shared == null ? FrameSettings.HEADROOM_BYTES : shared.headroomBytes();
        boolean partial = options.byDevice && headerBytes + headroom >= VirtioNetHeader.BYTES;
        boolean trains = options.trains && partial;
        List<SharedDescriptor> sockets = new ArrayList<>();
        String name;
        NetDevice end;
        long mac;
        try {
            String made = settings.device();
            for (int queue = 0; queue < settings.queues(); queue++) {
                TunDevice.Queue opened = TunDevice.open(asked, made, ethernet, settings.queues() > 1, partial, trains);
                sockets.add(opened.socket());
                if (options.persistent) {
                    TunDevice.keep(asked, opened);
                }
                made = opened.device();
            }
            name = kind + ":" + made;
            end = NetDevice.named(made, name);
            setUp(end, name, options);
            mac = options.mac.isEmpty() ? neighbourMac(end, ethernet) : readMac(name, options.mac);
        } catch (IOException e) {
            sockets.forEach(SharedDescriptor::close);
            throw e;
        }
        super(name, end, mac, settings, partial, sockets);
        for (int queue = 0; queue < sockets.size(); queue++) {
            SharedDescriptor socket = sockets.get(queue);
            // The kernel counts queue overflows for the whole interface.
            LongSupplier overflow = queue > 0 ? () -> 0 : () -> device.counters().getOrDefault("tx_dropped", 0L);
            int burst = settings.burstMax();
            rx.add(new TapRx(socket, pool.view(name + "/rx" + queue), burst, headerBytes, mac, TUN_PEER_MAC, partial, trains, overflow));
            tx.add(new TapTx(socket, pool.view(name + "/tx" + queue), burst, headerBytes, partial, trains));
        }
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

    private static void setUp(NetDevice device, String name, Options options) throws IOException {
        if (options.mtu > 0) {
            device.mtu(options.mtu);
        }
        if (!device.isUp()) {
            device.up();
        }
        if (!options.address.isEmpty()) {
            for (String each : options.address.split("\\+", -1)) {
                setAddress(device, name, each);
            }
        }
    }

    private static void setAddress(NetDevice device, String name, String text) throws IOException {
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
    private static long neighbourMac(NetDevice device, boolean ethernet) {
        return ethernet ? (device.mac() ^ 1) | LOCAL_BIT : TUN_MAC;
    }

    private static long readMac(String name, String text) throws IOException {
        String digits = text.replace(":", "");
        if (!text.matches("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}") || (Long.parseLong(digits, 16) >>> 40 & 1) != 0) {
            throw new IOException(name + ": mac is \"" + text + "\"; it must be the address of one device, as 02:00:00:00:00:01");
        }
        return Long.parseLong(digits, 16);
    }
}
