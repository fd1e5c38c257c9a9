package io.guidepost.packet.backend;

import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.Port;
import io.guidepost.packet.device.NetDevice;
import io.guidepost.packet.dpdk.Dpdk;
import io.guidepost.packet.memory.MemoryLink;
import io.guidepost.packet.pcap.PcapPort;
import io.guidepost.packet.raw.RawPort;
import io.guidepost.packet.tap.TapPort;
import io.guidepost.packet.xdp.XdpPort;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Opens ports of frames by name: {@code KIND:DEVICE[,KEY=VALUE]...}, as {@code xdp:eth0,queues=2,mode=generic}.
 *
 * <p>The keys {@code queues}, {@code burst}, {@code frames}, {@code frame-bytes} and {@code promiscuous} hold for all
 * back ends; others are passed to the back end, which refuses unknown ones. Without {@code queues} a port takes all that its
 * device spreads frames over.
 */
public final class FramePortOpener {
    /**
     * A row of the table of back ends.
     *
     * @param name the part before the colon
     * @param purpose one-line description
     * @param needs requirements on the machine
     * @param mtuMax returns the largest MTU that a size of frames takes ({@code frame-bytes}); 0 if the back end does not take the size
     * @param checker refuses wrong options before a port is opened
     * @param opener opens a port
     */
    public record Kind(String name, String purpose, String needs, IntUnaryOperator mtuMax, Checker checker, Opener opener) {}

    /** Checks the options of ports of one kind. */
    @FunctionalInterface
    public interface Checker {
        /**
         * Checks them.
         *
         * @throws IOException in one line: which option is wrong, and what would be right
         */
        void check(FrameSettings settings) throws IOException;
    }

    /** Opens ports of one kind. */
    @FunctionalInterface
    public interface Opener {
        /**
         * Opens a port.
         *
         * @throws IOException in one line: what is missing, and how to get it
         */
        Port open(FrameSettings settings) throws IOException;
    }

    /** All back ends. */
    public static final List<Kind> KINDS = List.of(
            new Kind(
                    "memory",
                    "a link inside of this process; the other end discards",
                    "nothing",
                    FramePortOpener::mtuMax,
                    _ -> {},
                    FramePortOpener::memory),
            new Kind(
                    "pcap",
                    "files of packets, read and written: pcap, pcapng",
                    "a file",
                    FramePortOpener::mtuMax,
                    PcapPort::check,
                    PcapPort::open),
            new Kind(
                    "packet",
                    "an interface by the kernel's packet sockets, beside its own stack",
                    "Linux; root or CAP_NET_RAW, or a namespace of your own (unshare -rn)",
                    FramePortOpener::mtuMax,
                    RawPort::check,
                    RawPort::open),
            new Kind(
                    "tap",
                    "an interface of the kernel whose other end is this program, with Ethernet frames",
                    "Linux with /dev/net/tun; root or CAP_NET_ADMIN, or a namespace of your own (unshare -rn)",
                    FramePortOpener::mtuMax,
                    TapPort::check,
                    TapPort::open),
            new Kind("tun", "as tap, with IP packets", "as tap", FramePortOpener::mtuMax, TapPort::check, TapPort::openTun),
            new Kind(
                    "xdp",
                    "a network interface, before the kernel's network stack",
                    "Linux 5.9; root, or CAP_BPF, CAP_NET_ADMIN and CAP_NET_RAW",
                    XdpPort::mtuMax,
                    XdpPort::check,
                    XdpPort::open),
            new Kind(
                    "dpdk",
                    "a device of DPDK, as net_tap0 or 0000:00:05.0",
                    "DPDK 22.11 (apt: dpdk)",
                    Dpdk::mtuMax,
                    Dpdk::check,
                    Dpdk::open));

    /** Kinds whose device may be lost. */
    private static final List<String> LOSABLE = List.of("packet", "xdp", "tap", "tun", "dpdk");

    private FramePortOpener() {}

    /**
     * Opens a port by its name.
     *
     * @throws IOException in one line: a fault of the name, or what is missing and how to get it
     */
    public static Port open(String name) throws IOException {
        return open(name, null);
    }

    /**
     * Opens a port with packet memory shared with other ports, so that frames pass between them without a copy; back
     * ends with memory of their own ignore it.
     *
     * @throws IOException as above
     */
    public static Port open(String name, @Nullable FramePool pool) throws IOException {
        return open(name, pool, FrameSettings.ALL_QUEUES);
    }

    /** Opens a port with a number of queues, unless its name sets another. */
    static Port open(String name, @Nullable FramePool pool, int queues) throws IOException {
        Kind kind = kind(name);
        FrameSettings read = settings(name);
        FrameSettings settings = read.isAllQueues() ? read.withQueues(queues) : read;
        return kind.opener().open(pool == null ? settings : settings.withPool(pool));
    }

    private static FrameSettings settings(String name) throws IOException {
        return settings(name, name.substring(kind(name).name().length() + 1));
    }

    /** Opens a port again whose device was lost; before that it was closed. */
    static Port reopen(String name, FramePool pool, int queues, Port before) throws IOException {
        return Dpdk.reopen(before) ? before : open(name, pool, queues);
    }

    /** Returns whether a port is on a device that may be removed and come back. */
    static boolean isLosable(String name) throws IOException {
        return LOSABLE.contains(kind(name).name());
    }

    /**
     * Returns the number of queues for ports that are to have as many: the one that names set, or that of their devices.
     *
     * @throws IOException in one line: a fault of a name, or that they do not agree
     */
    static int queues(List<String> names) throws IOException {
        Map<String, Integer> own = new LinkedHashMap<>();
        for (String name : names) {
            FrameSettings settings = settings(name);
            if (!settings.isAllQueues()) {
                own.put(name, settings.queues());
            } else if (name.startsWith("xdp:")) {
                own.put(name, XdpPort.queues(settings));
            }
        }
        if (own.values().stream().distinct().count() > 1) {
            throw new IOException("the ports need as many queues: " + own.entrySet().stream()
                    .map(each -> each.getKey() + " has " + each.getValue())
                    .collect(Collectors.joining(", ")) + "; set as many on each device (ethtool -L), or queues= on the other ports");
        }
        return own.isEmpty() ? 1 : own.values().iterator().next();
    }

    /**
     * Checks a name, and opens nothing.
     *
     * @throws IOException in one line: a fault of the name, and what would be right
     */
    public static void check(String name) throws IOException {
        Kind kind = kind(name);
        kind.checker().check(settings(name));
    }

    private static Kind kind(String name) throws IOException {
        for (Kind each : KINDS) {
            if (name.startsWith(each.name() + ":")) {
                return each;
            }
        }
        throw new IOException("\"" + name + "\" is no port; write KIND:DEVICE, where KIND is one of "
                + String.join(", ", KINDS.stream().map(Kind::name).toList()));
    }

    /** Parses the part behind the colon. */
    static FrameSettings settings(String name, String text) throws IOException {
        String[] parts = text.split(",", -1);
        FrameSettings standard = FrameSettings.of(parts[0]);
        int queues = FrameSettings.ALL_QUEUES;
        int burst = standard.burstMax();
        int frames = standard.frames();
        int frameBytes = standard.frameBytes();
        boolean promiscuous = standard.promiscuous();
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            String key = equals < 0 ? parts[i] : parts[i].substring(0, equals);
            String value = equals < 0 ? "" : parts[i].substring(equals + 1);
            try {
                switch (key) {
                    case "queues" -> queues = Integer.parseInt(value);
                    case "burst" -> burst = Integer.parseInt(value);
                    case "frames" -> frames = Integer.parseInt(value);
                    case "frame-bytes" -> frameBytes = Integer.parseInt(value);
                    case "promiscuous" -> promiscuous = Boolean.parseBoolean(value);
                    default -> options.put(key, value);
                }
            } catch (NumberFormatException e) {
                throw new IOException(name + ": " + key + " is \"" + value + "\"; it must be a number");
            }
        }
        try {
            return new FrameSettings(parts[0], queues, burst, frames, frameBytes, promiscuous, null, options);
        } catch (IllegalArgumentException e) {
            throw new IOException(name + ": " + e.getMessage());
        }
    }

    /** Returns the MTU whose frames fit behind the standard headroom; a VLAN tag goes into that. */
    private static int mtuMax(int frameBytes) {
        return frameBytes - FrameSettings.HEADROOM_BYTES - NetDevice.ETHERNET_BYTES;
    }

    private static Port memory(FrameSettings settings) {
        return new MemoryLink(settings).left();
    }
}
