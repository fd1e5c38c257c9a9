package io.guidepost.packet.netlink;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.device.NetDevice;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;

/**
 * Sets routes to an interface, and what the kernel takes them for (rtnetlink(7)).
 *
 * <pre>
 *  struct rtmsg, 12 bytes:  0 family   1 prefix length   4 table   5 protocol   6 scope   7 type   8 flags (int)
 * </pre>
 */
public final class RouteMetrics {
    private static final int RTM_NEWROUTE = 24;
    private static final int ROUTE_BYTES = 12;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int RT_TABLE_MAIN = 254;
    private static final int RTPROT_KERNEL = 2;
    private static final int RT_SCOPE_LINK = 253;
    private static final int RTN_UNICAST = 1;
    private static final int RTA_DST = 1;
    private static final int RTA_OIF = 4;
    private static final int RTA_PRIORITY = 6;
    private static final int RTA_PREFSRC = 7;
    private static final int RTA_METRICS = 8;
    private static final int RTPROT_STATIC = 4;

    /** The kernel's priority of a route that came with an IPv6 address; those of IPv4 have 0. */
    private static final int IPV6_PRIORITY = 256;

    private static final int RTAX_LOCK = 1;
    private static final int RTAX_MTU = 2;
    private static final int RTAX_RTO_MIN = 13;

    private RouteMetrics() {}

    /**
     * Gives the route to an interface's own network, which the kernel made with the address, a lower bound of TCP's retransmission
     * timeout.
     *
     * @param device name of the interface
     * @param high high half of its address, as in {@link Addresses}
     * @param prefixBits of the network, 1 to 32 or 128
     * @throws IOException in one line: what the kernel refuses
     */
    public static void retransmissionTimeoutMin(String device, long high, long low, int prefixBits, int millis) throws IOException {
        set(device, high, low, prefixBits, true, RTAX_RTO_MIN, millis);
    }

    /**
     * Leads a network of IPv6 to an interface.
     *
     * @param device name of the interface
     * @param high first half of all addresses of the network
     * @param mtu of the route, which may be more than the interface's own
     * @throws IOException in one line: what the kernel refuses
     */
    public static void lead(String device, long high, int mtu) throws IOException {
        set(device, high, 0, Long.SIZE, false, RTAX_MTU, mtu);
    }

    private static void set(String device, long high, long low, int prefixBits, boolean own, int metric, int value) throws IOException {
        boolean ipv4 = Addresses.isIpv4(high, low);
        int bits = ipv4 ? prefixBits + 96 : prefixBits;
        int index = NetDevice.named(device, "route").index();
        try (NetlinkSocket socket = new NetlinkSocket(NetlinkSocket.ROUTE, 0)) {
            long body = socket.body();
            Memory.put64Le(body, 0);
            Memory.put64Le(body + 4, 0);
            Memory.put8(body, ipv4 ? AF_INET : AF_INET6);
            Memory.put8(body + 1, prefixBits);
            Memory.put8(body + 4, RT_TABLE_MAIN);
            Memory.put8(body + 5, own ? RTPROT_KERNEL : RTPROT_STATIC);
            Memory.put8(body + 6, RT_SCOPE_LINK);
            Memory.put8(body + 7, RTN_UNICAST);
            long at = body + ROUTE_BYTES;
            at = NetlinkSocket.putAddress(at, RTA_DST, ipv4, high & Addresses.highMask(bits), low & Addresses.lowMask(bits));
            at = NetlinkSocket.putInt(at, RTA_OIF, index);
            at = NetlinkSocket.putInt(at, RTA_PRIORITY, ipv4 ? 0 : IPV6_PRIORITY);
            // The kernel gives its own routes of IPv6 no source, and refuses an address that is tentative (RFC 4862 5.4) as one.
            if (own && ipv4) {
                at = NetlinkSocket.putAddress(at, RTA_PREFSRC, true, high, low);
            }
            long metrics = at;
            at = NetlinkSocket.putInt(at + NetlinkSocket.ATTRIBUTE_BYTES, RTAX_LOCK, 1 << metric);
            at = NetlinkSocket.putInt(at, metric, value);
            Memory.put16Le(metrics, (int) (at - metrics));
            Memory.put16Le(metrics + 2, RTA_METRICS);
            int flags = NetlinkSocket.NLM_F_ACK | NetlinkSocket.NLM_F_REPLACE | NetlinkSocket.NLM_F_CREATE;
            int error = socket.send(RTM_NEWROUTE, flags, (int) (at - body));
            if (error == 0 && socket.receive() >= NetlinkSocket.HEADER_BYTES + Integer.BYTES) {
                error = Memory.i32Le(socket.received() + NetlinkSocket.HEADER_BYTES);
            }
            if (error < 0) {
                throw new IOException(device + ": the kernel does not change its routes: " + SystemCall.meaning(-error));
            }
        }
    }
}
