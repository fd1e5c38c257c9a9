package io.guidepost.packet.ip;

import io.guidepost.packet.PacketLimits;
import io.guidepost.packet.Port;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a host shall be.
 *
 * @param addresses its own, 1 to 16, of IPv4, IPv6 or both
 * @param gateways routers for addresses that are not on its link, at most one of IPv4 and one of IPv6
 * @param udpPorts whose datagrams it takes, 1 to 16 different ones from 1 to 65,535; each has queues of its own
 * @param mac its Ethernet address as 48 bits; 0 takes that of the port of frames
 * @param burstMax datagrams in a burst, 1 to 1024
 * @param exception where frames go that are for others here, and come from that these send; null drops them. It has as
 *     many queues as the port of frames
 */
record HostPortSettings(
        List<InterfaceAddress> addresses,
        List<InetAddress> gateways,
        List<Integer> udpPorts,
        long mac,
        int burstMax,
        @Nullable Port exception) {
    /** Addresses of one host: looked through one by one for each frame. */
    public static final int ADDRESSES_MAX = 16;

    /** UDP ports of one host: looked through one by one for each datagram. */
    static final int UDP_PORTS_MAX = 16;

    /** Checks ranges. */
    public HostPortSettings {
        addresses = List.copyOf(addresses);
        gateways = List.copyOf(gateways);
        PacketLimits.check("addresses", addresses.size(), 1, ADDRESSES_MAX);
        PacketLimits.check("gateways", gateways.size(), 0, 2);
        udpPorts = List.copyOf(udpPorts);
        PacketLimits.check("udpPorts", udpPorts.size(), 1, UDP_PORTS_MAX);
        udpPorts.forEach(each -> PacketLimits.check("udpPort", each, 1, 65_535));
        if (udpPorts.stream().distinct().count() < udpPorts.size()) {
            throw new IllegalArgumentException("UDP ports " + udpPorts + " are not different ones");
        }
        PacketLimits.check("burstMax", burstMax, 1, 1024);
        if (mac >>> 48 != 0 || (mac & InterfaceQueue.GROUP_BIT) != 0) {
            throw new IllegalArgumentException(
                    "0x" + Long.toHexString(mac) + " is not the Ethernet address of one station");
        }
    }

    /** A host with an address, and everything else as is best for most. */
    public static HostPortSettings of(int udpPort, InterfaceAddress... addresses) {
        return new HostPortSettings(List.of(addresses), List.of(), List.of(udpPort), 0, 64, null);
    }

    /** The same with other UDP ports. */
    public HostPortSettings withUdpPorts(List<Integer> numbers) {
        return new HostPortSettings(addresses, gateways, numbers, mac, burstMax, exception);
    }

    /** The same with a port for what is not for it. */
    public HostPortSettings withException(@Nullable Port other) {
        return new HostPortSettings(addresses, gateways, udpPorts, mac, burstMax, other);
    }
}
