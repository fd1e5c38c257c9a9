package io.guidepost.packet.netlink;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of all interfaces, and whether their links are up, kept by the events of the kernel (rtnetlink(7)). Belongs to one
 * thread at a time, and to the network namespace of the one that opened it.
 *
 * <pre>
 *  struct ifinfomsg, 16 bytes:  0 family (byte)   2 type of device (short)   4 index (int)   8 flags (int)
 *  struct ifaddrmsg, 8 bytes:   0 family (byte)   1 prefix length   2 flags (byte)   3 scope (byte)   4 index (int)
 * </pre>
 */
public final class LinkAddresses implements AutoCloseable {
    private static final int GROUP_LINK = 1;
    private static final int GROUP_IPV4_ADDRESS = 0x10;
    private static final int GROUP_IPV6_ADDRESS = 0x100;

    private static final int RTM_NEWLINK = 16;
    private static final int RTM_DELLINK = 17;
    private static final int RTM_GETLINK = 18;
    private static final int RTM_NEWADDR = 20;
    private static final int RTM_DELADDR = 21;
    private static final int RTM_GETADDR = 22;

    private static final int LINK_BYTES = 16;
    private static final int ADDRESS_BYTES = 8;
    private static final int IFLA_IFNAME = 3;
    private static final int IFA_ADDRESS = 1;
    private static final int IFA_LOCAL = 2;
    private static final int IFF_UP_AND_RUNNING = 0x41;
    private static final int ARPHRD_LOOPBACK = 772;
    private static final int ARPHRD_NONE = 0xfffe;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;

    /** IFA_F_TENTATIVE and IFA_F_DADFAILED: another host may have the address. */
    private static final int UNSURE = 0x48;

    private static final int NOT_SURE = -1;

    private record Device(String name, boolean up, boolean network) {}

    private record Key(int deviceIndex, long high, long low) {}

    private final Map<Integer, Device> devices = new LinkedHashMap<>();
    private final Map<Key, Integer> prefixes = new LinkedHashMap<>();
    private final NetlinkSocket socket;

    /**
     * Opens a socket for events, and asks for all that there is.
     *
     * @throws IOException if the kernel has no netlink
     */
    public LinkAddresses() throws IOException {
        socket = new NetlinkSocket(NetlinkSocket.ROUTE, GROUP_LINK | GROUP_IPV4_ADDRESS | GROUP_IPV6_ADDRESS);
        askForAll();
    }

    /** Returns how a worker learns of an event. */
    public Readiness readiness() {
        return socket.readiness();
    }

    /** Takes the events that have come, without waiting; returns whether there were some. */
    public boolean update() {
        int bytes = socket.receive();
        if (bytes < 0 && bytes != -SystemCall.ENOBUFS) {
            return false;
        }
        if (bytes == -SystemCall.ENOBUFS) {
            // The kernel has dropped events: what they said is asked for.
            askForAll();
        } else {
            take(socket.received(), bytes);
            readAll();
        }
        return true;
    }

    /** Returns the addresses that this host may use, those of IPv4 first. */
    public List<LinkAddress> all() {
        return prefixes.entrySet().stream()
                .filter(each -> each.getValue() >= 0)
                .map(each -> address(each.getKey(), each.getValue(), devices.get(each.getKey().deviceIndex)))
                .sorted((a, b) -> Boolean.compare(Addresses.isIpv4(b.high(), b.low()), Addresses.isIpv4(a.high(), a.low())))
                .toList();
    }

    private static LinkAddress address(Key key, int prefixBits, @Nullable Device device) {
        return device == null
                ? new LinkAddress("", key.deviceIndex, key.high, key.low, prefixBits, false, false)
                : new LinkAddress(device.name, key.deviceIndex, key.high, key.low, prefixBits, device.up, device.network);
    }

    private void askForAll() {
        devices.clear();
        prefixes.clear();
        ask(RTM_GETLINK, LINK_BYTES);
        ask(RTM_GETADDR, ADDRESS_BYTES);
    }

    private void ask(int type, int bytes) {
        readAll();
        for (int i = 0; i < bytes; i += Long.BYTES) {
            Memory.put64Le(socket.body() + i, 0);
        }
        socket.send(type, NetlinkSocket.NLM_F_DUMP, bytes);
        readAll();
    }

    private void readAll() {
        for (int bytes = socket.receive(); bytes >= 0; bytes = socket.receive()) {
            take(socket.received(), bytes);
        }
    }

    /** Takes messages of the kernel. */
    void take(long at, int bytes) {
        long end = at + bytes;
        while (end - at >= NetlinkSocket.HEADER_BYTES) {
            int length = Memory.i32Le(at);
            if (length < NetlinkSocket.HEADER_BYTES || length > end - at) {
                return;
            }
            int type = Memory.u16Le(at + NetlinkSocket.TYPE);
            long body = at + NetlinkSocket.HEADER_BYTES;
            int bodyBytes = length - NetlinkSocket.HEADER_BYTES;
            if ((type == RTM_NEWLINK || type == RTM_DELLINK) && bodyBytes >= LINK_BYTES) {
                takeLink(body, bodyBytes, type == RTM_NEWLINK);
            } else if ((type == RTM_NEWADDR || type == RTM_DELADDR) && bodyBytes >= ADDRESS_BYTES) {
                takeAddress(body, bodyBytes, type == RTM_NEWADDR);
            }
            at += NetlinkSocket.aligned(length);
        }
    }

    private void takeLink(long body, int bytes, boolean exists) {
        int index = Memory.i32Le(body + 4);
        int type = Memory.u16Le(body + 2);
        long name = attribute(body + LINK_BYTES, body + bytes, IFLA_IFNAME);
        if (!exists) {
            devices.remove(index);
            prefixes.keySet().removeIf(each -> each.deviceIndex == index);
        } else if (name != 0) {
            boolean up = (Memory.i32Le(body + 8) & IFF_UP_AND_RUNNING) == IFF_UP_AND_RUNNING;
            devices.put(index, new Device(text(name), up, type != ARPHRD_LOOPBACK && type != ARPHRD_NONE));
        }
    }

    private void takeAddress(long body, int bytes, boolean exists) {
        int family = Memory.u8(body);
        int valueBytes = family == AF_INET ? Integer.BYTES : 2 * Long.BYTES;
        long local = attribute(body + ADDRESS_BYTES, body + bytes, IFA_LOCAL);
        long found = local == 0 ? attribute(body + ADDRESS_BYTES, body + bytes, IFA_ADDRESS) : local;
        if (family != AF_INET && family != AF_INET6 || found == 0 || valueLength(found) < valueBytes) {
            return;
        }
        long value = found + NetlinkSocket.ATTRIBUTE_BYTES;
        int index = Memory.i32Le(body + 4);
        Key key = family == AF_INET
                ? new Key(index, Addresses.IPV4_HIGH, Addresses.ipv4Low(Memory.i32(value)))
                : new Key(index, Addresses.withScope(Memory.i64(value), index), Memory.i64(value + Long.BYTES));
        if (exists) {
            prefixes.put(key, (Memory.u8(body + 2) & UNSURE) == 0 ? Memory.u8(body + 1) : NOT_SURE);
        } else {
            prefixes.remove(key);
        }
    }

    /** Returns the address of an attribute; 0 if there is none. */
    private static long attribute(long at, long end, int type) {
        while (end - at >= NetlinkSocket.ATTRIBUTE_BYTES) {
            int length = Memory.u16Le(at);
            if (length < NetlinkSocket.ATTRIBUTE_BYTES || length > end - at) {
                return 0;
            }
            if (Memory.u16Le(at + 2) == type) {
                return at;
            }
            at += NetlinkSocket.aligned(length);
        }
        return 0;
    }

    private static int valueLength(long attribute) {
        return Memory.u16Le(attribute) - NetlinkSocket.ATTRIBUTE_BYTES;
    }

    /** Returns a text that ends with a zero. */
    private static String text(long attribute) {
        byte[] bytes = Memory.read(attribute + NetlinkSocket.ATTRIBUTE_BYTES, Math.max(0, valueLength(attribute) - 1));
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        socket.close();
    }
}
