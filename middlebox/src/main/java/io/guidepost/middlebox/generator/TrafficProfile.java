package io.guidepost.middlebox.generator;

import io.guidepost.base.Addresses;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;

/**
 * What to generate: UDP datagrams that carry a {@link ProbePayload}, cycling through the sizes.
 *
 * @param sizes bytes on the wire with the check sequence of 4, as benchmarks count them: 64 to 16,000
 * @param source first source address; IPv4 or IPv6, as is the destination
 * @param sources number of consecutive source addresses, 1 to 65,536
 * @param destinations number of destination addresses, likewise
 * @param sourcePort first source port
 * @param sourcePorts number of source ports
 * @param destinationPorts number of destination ports
 * @param vlan number of the VLAN of a tag, -1 for none
 * @param sourceMac Ethernet address
 * @param destinationMac Ethernet address
 * @param pattern value of the bytes behind the probe
 */
public record TrafficProfile(
        List<Integer> sizes,
        InetAddress source,
        int sources,
        InetAddress destination,
        int destinations,
        int sourcePort,
        int sourcePorts,
        int destinationPort,
        int destinationPorts,
        int vlan,
        long sourceMac,
        long destinationMac,
        int pattern) {
    /** Simple IMIX: of 12 frames 7 of 64 bytes, 4 of 570 and 1 of 1,518. */
    private static final List<Integer> MIX = List.of(64, 570, 64, 64, 570, 64, 1518, 64, 570, 64, 64, 570);

    /** Bytes of the check sequence, which the device adds. */
    public static final int CHECK_BYTES = 4;

    private static final int TAG_BYTES = 4;
    private static final int SIZE_MAX = 16_000;

    /** Checks ranges. */
    public TrafficProfile {
        if (source instanceof Inet4Address != destination instanceof Inet4Address) {
            throw new IllegalArgumentException("source and destination must be both IPv4 or both IPv6");
        }
        boolean ipv4 = source instanceof Inet4Address;
        int least = sizeMin(ipv4, vlan >= 0);
        for (int size : sizes) {
            check("the size", size, least, SIZE_MAX);
        }
        check("the number of sizes", sizes.size(), 1, 1_024);
        check("sources", sources, 1, 1 << 16);
        check("destinations", destinations, 1, 1 << 16);
        check("the source port", sourcePort, 0, 65_535);
        check("source ports", sourcePorts, 1, 65_536 - sourcePort);
        check("the destination port", destinationPort, 0, 65_535);
        check("destination ports", destinationPorts, 1, 65_536 - destinationPort);
        check("the VLAN", vlan, -1, 4_095);
        check("the pattern", pattern, 0, 255);
        sizes = List.copyOf(sizes);
    }

    private static int sizeMin(boolean ipv4, boolean tagged) {
        return Math.max(64, 14 + (tagged ? TAG_BYTES : 0) + (ipv4 ? 20 : 40) + 8 + ProbePayload.BYTES + CHECK_BYTES);
    }

    /**
     * Returns the sizes of the simple IMIX, for frames of this family: a tag makes each longer, and the shortest are as long as
     * headers and probe need, 82 bytes of IPv6.
     */
    public static List<Integer> mix(boolean ipv4, boolean tagged) {
        int least = sizeMin(ipv4, tagged);
        return MIX.stream().map(each -> Math.max(least, each + (tagged ? TAG_BYTES : 0))).toList();
    }

    private static void check(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " is " + value + "; it must be " + min + " to " + max);
        }
    }

    boolean isIpv4() {
        return source instanceof Inet4Address;
    }

    /** Returns the low 32 bits of the first source address, which differ between flows. */
    int sourceLow() {
        return (int) Addresses.low(source);
    }

    int destinationLow() {
        return (int) Addresses.low(destination);
    }
}
