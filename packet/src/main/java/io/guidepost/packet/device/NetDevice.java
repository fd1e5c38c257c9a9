package io.guidepost.packet.device;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.LinkState;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A network interface of the Linux kernel, as {@code ip link} shows it: properties, counters, and the few settings that
 * a port changes. Thread-safe; not for the hot path.
 *
 * <p>Why not read /sys/class/net? In a network namespace without a mount namespace of its own, as after {@code unshare
 * -rn}, it shows the devices of another one. The calls below and /proc/self/net always use the process's namespace.
 *
 * <pre>
 *  struct ifreq, 40 bytes:        0 name, 16 bytes with a zero at the end   16 what is asked for or set (netdevice(7))
 *  struct in6_ifreq, 24 bytes:    0 address   16 prefix length (int)   20 interface (int)
 *  struct ethtool_cmd, 44 bytes:  0 command   12 speed, low 16 bits   14 duplex (byte)   28 speed, high 16 bits
 *  struct ethtool_channels, 36:   0 command   20 receive queues   24 transmit   32 of both kinds
 * </pre>
 */
public final class NetDevice {
    /** Bytes of an Ethernet header. */
    public static final int ETHERNET_BYTES = 14;

    private static final int NAME_BYTES_MAX = 15;
    private static final int REQUEST_BYTES = 40;
    private static final int VALUE = 16;
    private static final int COMMAND_BYTES = 44;

    private static final int SIOCGIFNAME = 0x8910;
    private static final int SIOCGIFFLAGS = 0x8913;
    private static final int SIOCSIFFLAGS = 0x8914;
    private static final int SIOCSIFADDR = 0x8916;
    private static final int SIOCSIFNETMASK = 0x891c;
    private static final int SIOCGIFMTU = 0x8921;
    private static final int SIOCSIFMTU = 0x8922;
    private static final int SIOCSIFHWADDR = 0x8924;
    private static final int SIOCGIFHWADDR = 0x8927;
    private static final int SIOCGIFINDEX = 0x8933;
    private static final int SIOCETHTOOL = 0x8946;
    private static final int ETHTOOL_GSET = 1;
    private static final int ETHTOOL_GCHANNELS = 0x3c;

    private static final int IFF_UP = 0x1;
    private static final int IFF_RUNNING = 0x40;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int IPV6_REQUEST_BYTES = 24;
    private static final int SOCK_DGRAM_CLOEXEC = 0x80002;
    private static final int ARPHRD_ETHER = 1;
    private static final int SPEED_UNKNOWN = -1;
    private static final long MAC_MASK = 0xffff_ffff_ffffL;

    /** Names of the columns of /proc/net/dev, as /sys/class/net/NAME/statistics calls them. */
    private static final List<String> COUNTERS = List.of(
            "rx_bytes",
            "rx_packets",
            "rx_errors",
            "rx_dropped",
            "rx_fifo_errors",
            "rx_frame_errors",
            "rx_compressed",
            "multicast",
            "tx_bytes",
            "tx_packets",
            "tx_errors",
            "tx_dropped",
            "tx_fifo_errors",
            "collisions",
            "tx_carrier_errors",
            "tx_compressed");

    private final String name;
    private final int index;

    private NetDevice(String name, int index) {
        this.name = name;
        this.index = index;
    }

    /**
     * Finds an interface by name.
     *
     * @param user the port, for the message: {@code packet:eth0}
     * @throws NoSuchInterfaceException if there is none of that name; lists those that exist
     * @throws IOException if this system has no such devices
     */
    public static NetDevice named(String name, String user) throws IOException {
        if (!SystemCall.AVAILABLE) {
            throw new IOException(user + ": such ports need Linux on x86-64 or aarch64");
        }
        if (!name.isEmpty() && name.getBytes(StandardCharsets.UTF_8).length <= NAME_BYTES_MAX) {
            try (Arena arena = Arena.ofConfined()) {
                long request = request(arena, name);
                if (ask(arena, SIOCGIFINDEX, request) == 0) {
                    return new NetDevice(name, Memory.i32Le(request + VALUE));
                }
            }
        }
        throw new NoSuchInterfaceException(user + ": no interface \"" + name + "\"; there are " + String.join(", ", names()));
    }

    /** Returns the names of all devices. */
    public static List<String> names() {
        return statisticsLines().stream()
                .map(line -> line.substring(0, line.indexOf(':')).strip())
                .toList();
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the kernel's interface index. */
    public int index() {
        return index;
    }

    /** Returns the Ethernet address as 48 bits, 0 if it has none. */
    public long mac() {
        try (Arena arena = Arena.ofConfined()) {
            long request = request(arena, name);
            boolean ethernet = ask(arena, SIOCGIFHWADDR, request) == 0 && Memory.u16Le(request + VALUE) == ARPHRD_ETHER;
            return ethernet ? Memory.i64(request + VALUE) & MAC_MASK : 0;
        }
    }

    /** Returns the MTU; 0 if the device is gone. */
    public int mtu() {
        return number(SIOCGIFMTU);
    }

    /** Returns the current state of its link. */
    public LinkState link() {
        if (isGone()) {
            return LinkState.GONE;
        }
        int flags = number(SIOCGIFFLAGS) & 0xffff;
        if ((flags & IFF_UP) == 0 || (flags & IFF_RUNNING) == 0) {
            return LinkState.DOWN;
        }
        try (Arena arena = Arena.ofConfined()) {
            long command = ethtool(arena, ETHTOOL_GSET);
            if (command == 0) {
                return LinkState.ALWAYS;
            }
            int speed = Memory.u16Le(command + 28) << 16 | Memory.u16Le(command + 12);
            return new LinkState(true, speed == SPEED_UNKNOWN ? 0 : speed);
        }
    }

    /** Returns whether the interface was removed. A later one of its name has another index. */
    public boolean isGone() {
        try (Arena arena = Arena.ofConfined()) {
            long request = request(arena, "");
            Memory.put32Le(request + VALUE, index);
            return ask(arena, SIOCGIFNAME, request) == SystemCall.ENODEV;
        }
    }

    /** Returns the setting by which the kernel forwards packets that come in here, as sysctl writes it; empty if it does not. */
    public Optional<String> forwarding() {
        if (isSet("ipv4/conf/" + name + "/forwarding")) {
            return Optional.of("net.ipv4.conf." + name + ".forwarding=1");
        }
        // Of IPv6 the setting for all interfaces decides.
        return isSet("ipv6/conf/all/forwarding") && !isSet("ipv6/conf/" + name + "/disable_ipv6")
                ? Optional.of("net.ipv6.conf.all.forwarding=1")
                : Optional.empty();
    }

    private static boolean isSet(String setting) {
        try {
            return Files.readString(Path.of("/proc/sys/net", setting)).strip().equals("1");
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns over how many receive queues it spreads frames, 1 or more; ethtool -l shows and ethtool -L sets them. */
    public int receiveQueues() {
        try (Arena arena = Arena.ofConfined()) {
            long channels = ethtool(arena, ETHTOOL_GCHANNELS);
            if (channels != 0) {
                return Math.max(1, Memory.i32Le(channels + 20) + Memory.i32Le(channels + 32));
            }
        }
        // Drivers without that call, as tun's, tell it here.
        Path folder = Path.of("/sys/class/net", name);
        try (Stream<Path> queues = isListedAt(folder) ? Files.list(folder.resolve("queues")) : Stream.empty()) {
            return (int) Math.max(1, queues.filter(each -> each.getFileName().toString().startsWith("rx-")).count());
        } catch (IOException e) {
            return 1;
        }
    }

    /** Returns whether that folder is of this interface, and not of one of its name in another namespace. */
    private boolean isListedAt(Path folder) throws IOException {
        return Files.readString(folder.resolve("ifindex")).strip().equals(Integer.toString(index));
    }

    /** Returns the address of the answer to a command of ethtool; 0 if the driver does not have it. */
    private long ethtool(Arena arena, int command) {
        long request = request(arena, name);
        long answer = arena.allocate(COMMAND_BYTES, Long.BYTES).address();
        Memory.put32Le(answer, command);
        Memory.put64Le(request + VALUE, answer);
        return ask(arena, SIOCETHTOOL, request) == 0 ? answer : 0;
    }

    /** Returns the kernel's counters, by the names of /sys/class/net/NAME/statistics. */
    public Map<String, Long> counters() {
        Map<String, Long> counters = new LinkedHashMap<>();
        for (String line : statisticsLines()) {
            int colon = line.indexOf(':');
            if (line.substring(0, colon).strip().equals(name)) {
                String[] columns = line.substring(colon + 1).strip().split(" +", -1);
                for (int i = 0; i < Math.min(columns.length, COUNTERS.size()); i++) {
                    counters.put(COUNTERS.get(i), Long.parseLong(columns[i]));
                }
            }
        }
        return counters;
    }

    /** Returns the nearest NUMA node, -1 if it is no hardware or the machine has no nodes. */
    public int numaNode() {
        try {
            Path folder = Path.of("/sys/class/net", name);
            return isListedAt(folder) ? Integer.parseInt(Files.readString(folder.resolve("device/numa_node")).strip()) : -1;
        } catch (IOException | NumberFormatException e) {
            return -1;
        }
    }

    /**
     * Brings the interface up.
     *
     * @throws IOException if this is not permitted
     */
    public void up() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            long request = request(arena, name);
            require(ask(arena, SIOCGIFFLAGS, request), "its flags");
            Memory.put16Le(request + VALUE, Memory.u16Le(request + VALUE) | IFF_UP);
            require(ask(arena, SIOCSIFFLAGS, request), "it up");
        }
    }

    /** Returns whether the interface is up. */
    public boolean isUp() {
        return (number(SIOCGIFFLAGS) & IFF_UP) != 0;
    }

    /**
     * Sets an address: an IPv4 address replaces the current one, an IPv6 address is added.
     *
     * @param prefixBits 0 to 32, or to 128
     * @throws IOException if this is not permitted
     */
    public void address(InetAddress address, int prefixBits) throws IOException {
        if (address instanceof Inet4Address) {
            long mask = prefixBits == 0 ? 0 : -1L << 32 - prefixBits;
            set(SIOCSIFADDR, internetAddress(Addresses.low(address)), "the address");
            set(SIOCSIFNETMASK, internetAddress(mask), "the prefix length");
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            long request = arena.allocate(IPV6_REQUEST_BYTES, Long.BYTES).address();
            Memory.put64(request, Addresses.withoutScope(Addresses.high(address)));
            Memory.put64(request + 8, Addresses.low(address));
            Memory.put32Le(request + 16, prefixBits);
            Memory.put32Le(request + 20, index);
            int error = ask(arena, AF_INET6, SIOCSIFADDR, request);
            require(error == SystemCall.EEXIST ? 0 : error, "the address");
        }
    }

    /**
     * Sets the Ethernet address.
     *
     * @throws IOException if the device or the kernel refuses
     */
    public void mac(long mac) throws IOException {
        set(SIOCSIFHWADDR, mac, "the Ethernet address");
    }

    /**
     * Sets the MTU.
     *
     * @throws IOException if the device or the kernel refuses
     */
    public void mtu(int bytes) throws IOException {
        set(SIOCSIFMTU, (long) Integer.reverseBytes(bytes) << 32, "an MTU of " + bytes);
    }

    @Override
    public String toString() {
        return name;
    }

    /** Returns the first eight bytes of a struct sockaddr_in. */
    private static long internetAddress(long address) {
        return (long) Short.reverseBytes((short) AF_INET) << 48 | address & 0xffff_ffffL;
    }

    private void set(int command, long value, String what) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            long request = request(arena, name);
            Memory.put64(request + VALUE, value);
            if (command == SIOCSIFHWADDR) {
                Memory.put16Le(request + VALUE, ARPHRD_ETHER);
            }
            require(ask(arena, command, request), what);
        }
    }

    private int number(int command) {
        try (Arena arena = Arena.ofConfined()) {
            long request = request(arena, name);
            return ask(arena, command, request) == 0 ? Memory.i32Le(request + VALUE) : 0;
        }
    }

    private void require(int error, String what) throws IOException {
        if (error != 0) {
            throw new IOException(name + ": " + what + " could not be set: " + SystemCall.meaning(error)
                    + (error == SystemCall.EPERM ? "; it takes root or the capability CAP_NET_ADMIN" : ""));
        }
    }

    private static long request(Arena arena, String name) {
        MemorySegment request = arena.allocate(REQUEST_BYTES, Long.BYTES);
        request.setString(0, name);
        return request.address();
    }

    /** Calls ioctl on a temporary socket; returns the error number, or 0. */
    private static int ask(Arena arena, int command, long request) {
        return ask(arena, AF_INET, command, request);
    }

    private static int ask(Arena arena, int family, int command, long request) {
        MemorySegment errno = SystemCall.errno(arena);
        long socket = SystemCall.call(errno, SystemCall.SOCKET, family, SOCK_DGRAM_CLOEXEC, 0);
        if (socket < 0) {
            return (int) -socket;
        }
        long result = SystemCall.call(errno, SystemCall.IOCTL, socket, command, request);
        SystemCall.call(errno, SystemCall.CLOSE, socket, 0, 0);
        return (int) -Math.min(0, result);
    }

    private static List<String> statisticsLines() {
        try {
            List<String> lines = new ArrayList<>(Files.readAllLines(Path.of("/proc/self/net/dev")));
            lines.removeIf(line -> line.contains("|"));
            return lines;
        } catch (IOException e) {
            return List.of();
        }
    }
}
