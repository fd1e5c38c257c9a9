package io.guidepost.packet.frame;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;

/**
 * Parses the headers of one frame in one pass: the offset of each layer and the fields that classifiers use. Every
 * length is checked before anything behind it is read; {@link #fault} names the first malformed layer, and the layers
 * before it stay valid.
 *
 * <pre>
 *  | Ethernet 14 | 802.1Q 4, 0 to 2 of them | IPv4 20-60, or IPv6 40 and extension headers | UDP 8, TCP 20-60, ICMP 8 | ...
 *  ^ 0           ^ etherType behind tags    ^ networkOffset                                ^ transportOffset
 * </pre>
 */
public final class HeaderParser {
    /** EtherTypes (IEEE). */
    public static final int IPV4 = 0x0800;

    /** Address Resolution Protocol, RFC 826. */
    public static final int ARP = 0x0806;

    /** RFC 2464. */
    public static final int IPV6 = 0x86dd;

    /** A tag of IEEE 802.1Q. */
    public static final int VLAN = 0x8100;

    /** An outer tag of IEEE 802.1ad. */
    public static final int SERVICE_VLAN = 0x88a8;

    /** Protocol numbers (IANA). */
    public static final int ICMP = 1;

    /** RFC 9293. */
    public static final int TCP = 6;

    /** RFC 768. */
    public static final int UDP = 17;

    /** RFC 4443. */
    public static final int ICMPV6 = 58;

    /** The first fault. */
    public enum Fault {
        /** Nothing. */
        NONE,
        /** Shorter than an Ethernet header and its tags. */
        SHORT_ETHERNET,
        /** More than two VLAN tags. */
        TOO_MANY_TAGS,
        /** Truncated IP header, or invalid version, header length or total length. */
        BAD_IP,
        /** Malformed IPv6 extension headers, or more than eight of them. */
        BAD_EXTENSION,
        /** Truncated transport header, or invalid lengths. */
        BAD_TRANSPORT
    }

    /** IPv6 extension headers, by their next header numbers (RFC 8200 section 4, RFC 4302). */
    private static final int HOP_BY_HOP = 0;

    private static final int ROUTING = 43;
    private static final int FRAGMENT = 44;
    private static final int AUTHENTICATION = 51;
    private static final int DESTINATION = 60;
    /** More than any real packet has; RFC 8504 section 5.3 permits such a limit. */
    private static final int EXTENSIONS_MAX = 8;

    private static final int PLAIN_BYTES = 42;
    private static final int PLAIN_IPV6_BYTES = 54;
    private static final long PLAIN_IPV4 = 0x0800_45;
    private static final long PLAIN_IPV6 = 0x86dd_6;

    private final UncheckedFrame frame = new UncheckedFrame();
    private final Frame bounded = new Frame(frame);
    private Fault fault = Fault.NONE;
    private int etherType;
    private int vlan;
    private int networkOffset;
    private int networkEnd;
    private int protocol;
    private boolean fragment;
    private boolean firstFragment;
    private int fragmentHeader;
    private int transportOffset;
    private int payloadOffset;
    private int ports;
    private long udp;
    private long sourceHigh;
    private long sourceLow;
    private long destinationHigh;
    private long destinationLow;

    /** Parses a frame of a burst. */
    public boolean read(Burst burst, int index) {
        return read(burst.offset(index), burst.length(index));
    }

    /**
     * Parses a frame.
     *
     * @return whether no fault was found in the known layers; ARP and unknown protocols are no fault
     */
    public boolean read(long address, int length) {
        frame.wrap(address, length);
        if (length >= PLAIN_BYTES) {
            // Behind the comparison: so the compiler knows the least length, and leaves out the checks of constant offsets.
            bounded.point(address, length);
            long first = Memory.i64(address, 12);
            if (first >>> 40 == PLAIN_IPV4) {
                return readPlainIpv4(address, length, first);
            }
            if (first >>> 44 == PLAIN_IPV6 && length >= PLAIN_IPV6_BYTES) {
                return readPlainIpv6(address, length);
            }
        } else {
            bounded.point(address, length);
        }
        return readAny(length);
    }

    /** Parses a frame without tags and options, the common case, with four loads. */
    private boolean readPlainIpv4(long address, int length, long first) {
        long second = Memory.i64(address, 20);
        long addresses = Memory.i64(address, 26);
        int total = (int) first >>> 16;
        int place = (int) (second >>> 48) & 0x3fff;
        begin(IPV4, Ethernet.BYTES);
        if (total < 20 || total > length - Ethernet.BYTES) {
            return failed(Fault.BAD_IP);
        }
        protocol = (int) (second >>> 32) & 0xff;
        sourceHigh = 0;
        destinationHigh = 0;
        sourceLow = Addresses.ipv4Low((int) (addresses >>> 32));
        destinationLow = Addresses.ipv4Low((int) addresses);
        networkEnd = Ethernet.BYTES + total;
        return place == 0 && protocol == UDP ? readUdp(address, 34) : readRest(place, 34);
    }

    private boolean readPlainIpv6(long address, int length) {
        long second = Memory.i64(address, 18);
        int payload = (int) (second >>> 48);
        begin(IPV6, Ethernet.BYTES);
        if (payload > length - PLAIN_IPV6_BYTES) {
            return failed(Fault.BAD_IP);
        }
        protocol = (int) (second >>> 40) & 0xff;
        sourceHigh = Memory.i64(address, 22);
        sourceLow = Memory.i64(address, 30);
        destinationHigh = Memory.i64(address, 38);
        destinationLow = Memory.i64(address, 46);
        networkEnd = PLAIN_IPV6_BYTES + payload;
        return protocol == UDP ? readUdp(address, 54) : readIpv6Rest();
    }

    private boolean readUdp(long address, int offset) {
        int left = networkEnd - offset;
        if (left < 8) {
            return failed(Fault.BAD_TRANSPORT);
        }
        long header = Memory.i64(address, offset);
        int bytes = (int) header >>> 16;
        if (bytes < 8 || bytes > left) {
            return failed(Fault.BAD_TRANSPORT);
        }
        ports = (int) (header >>> 32);
        udp = header;
        transportOffset = offset;
        payloadOffset = offset + 8;
        return true;
    }

    private boolean readRest(int place, int offset) {
        fragment = place != 0;
        firstFragment = (place & 0x1fff) == 0;
        return readTransport(offset);
    }

    private boolean readIpv6Rest() {
        int next = isExtension(protocol) ? readExtensions(54) : 54;
        return next >= 0 && readTransport(next);
    }

    private void begin(int type, int offset) {
        fault = Fault.NONE;
        etherType = type;
        vlan = -1;
        networkOffset = offset;
        protocol = -1;
        transportOffset = -1;
        payloadOffset = -1;
        ports = 0;
        fragment = false;
        firstFragment = true;
    }

    private boolean readAny(int length) {
        begin(-1, -1);
        if (length < Ethernet.BYTES) {
            return failed(Fault.SHORT_ETHERNET);
        }
        etherType = frame.u16(12);
        int offset = Ethernet.BYTES;
        if (etherType == VLAN || etherType == SERVICE_VLAN) {
            offset = readTags(offset);
            if (offset < 0) {
                return false;
            }
        }
        networkOffset = offset;
        networkEnd = length;
        return switch (etherType) {
            case IPV4 -> readIpv4(offset, length - offset);
            case IPV6 -> readIpv6(offset, length - offset);
            default -> true;
        };
    }

    private int readTags(int first) {
        int offset = first;
        for (int i = 0; etherType == VLAN || etherType == SERVICE_VLAN; i++) {
            if (i == Ethernet.TAGS_MAX || frame.length() < offset + 4) {
                failed(i == Ethernet.TAGS_MAX ? Fault.TOO_MANY_TAGS : Fault.SHORT_ETHERNET);
                return -1;
            }
            vlan = frame.u16(offset) & 0xfff;
            etherType = frame.u16(offset + 2);
            offset += 4;
        }
        return offset;
    }

    private boolean readIpv4(int offset, int left) {
        if (left < 20) {
            return failed(Fault.BAD_IP);
        }
        long first = frame.i64(offset);
        int headerBytes = (int) (first >>> 56 & 0xf) << 2;
        int total = (int) (first >>> 32 & 0xffff);
        if (first >>> 60 != 4 || headerBytes < 20 || total < headerBytes || total > left) {
            return failed(Fault.BAD_IP);
        }
        protocol = frame.u8(offset + 9);
        long addresses = frame.i64(offset + 12);
        sourceHigh = 0;
        destinationHigh = 0;
        sourceLow = Addresses.ipv4Low((int) (addresses >>> 32));
        destinationLow = Addresses.ipv4Low((int) addresses);
        fragment = (first & 0x3fff) != 0;
        firstFragment = (first & 0x1fff) == 0;
        networkEnd = offset + total;
        return readTransport(offset + headerBytes);
    }

    private boolean readIpv6(int offset, int left) {
        if (left < 40 || frame.u8(offset) >>> 4 != 6) {
            return failed(Fault.BAD_IP);
        }
        int payload = frame.u16(offset + 4);
        if (payload > left - 40) {
            return failed(Fault.BAD_IP);
        }
        sourceHigh = frame.i64(offset + 8);
        sourceLow = frame.i64(offset + 16);
        destinationHigh = frame.i64(offset + 24);
        destinationLow = frame.i64(offset + 32);
        networkEnd = offset + 40 + payload;
        protocol = frame.u8(offset + 6);
        int next = isExtension(protocol) ? readExtensions(offset + 40) : offset + 40;
        return next >= 0 && readTransport(next);
    }

    private static boolean isExtension(int number) {
        return number == HOP_BY_HOP
                || number == ROUTING
                || number == FRAGMENT
                || number == AUTHENTICATION
                || number == DESTINATION;
    }

    private int readExtensions(int first) {
        int offset = first;
        for (int i = 0; isExtension(protocol) && firstFragment; i++) {
            if (i == EXTENSIONS_MAX || networkEnd < offset + 8) {
                failed(Fault.BAD_EXTENSION);
                return -1;
            }
            int next = frame.u8(offset);
            int size = frame.u8(offset + 1);
            int bytes;
            if (protocol == FRAGMENT) {
                int place = frame.u16(offset + 2);
                // Offset 0 without more fragments is a whole packet: an atomic fragment, RFC 6946.
                fragment = (place & ~7 | place & 1) != 0;
                firstFragment = place >>> 3 == 0;
                fragmentHeader = offset;
                bytes = 8;
            } else {
                bytes = protocol == AUTHENTICATION ? (size + 2) << 2 : (size + 1) << 3;
            }
            if (networkEnd < offset + bytes) {
                failed(Fault.BAD_EXTENSION);
                return -1;
            }
            protocol = next;
            offset += bytes;
        }
        return offset;
    }

    private boolean readTransport(int offset) {
        if (!firstFragment) {
            payloadOffset = offset;
            return true;
        }
        int left = networkEnd - offset;
        switch (protocol) {
            case UDP -> {
                if (left < 8) {
                    return failed(Fault.BAD_TRANSPORT);
                }
                long header = frame.i64(offset);
                int bytes = (int) (header >>> 16 & 0xffff);
                if (bytes < 8 || !fragment && bytes > left) {
                    return failed(Fault.BAD_TRANSPORT);
                }
                ports = (int) (header >>> 32);
                udp = header;
                payloadOffset = offset + 8;
            }
            case TCP -> {
                int bytes = left < 20 ? 0 : frame.u8(offset + 12) >>> 4 << 2;
                if (bytes < 20 || bytes > left) {
                    return failed(Fault.BAD_TRANSPORT);
                }
                ports = frame.i32(offset);
                payloadOffset = offset + bytes;
            }
            case ICMP, ICMPV6 -> {
                if (left < 8) {
                    return failed(Fault.BAD_TRANSPORT);
                }
                payloadOffset = offset + 8;
            }
            default -> payloadOffset = offset;
        }
        transportOffset = offset;
        return true;
    }

    private boolean failed(Fault why) {
        fault = why;
        return false;
    }

    /**
     * Returns a symmetric flow hash for spreading flows over queues: of addresses, protocol and ports; of fragments
     * without the ports, which only the first has; of non-IP frames of the Ethernet addresses. It is well mixed but not
     * keyed.
     */
    public int flowHash() {
        if (fault == Fault.SHORT_ETHERNET) {
            return 0;
        }
        long mixed;
        if (protocol < 0) {
            mixed = mix(frame.mac(0)) + mix(frame.mac(6)) + etherType;
        } else {
            int both = fragment ? 0 : ports;
            // Nor the protocol: an extension header may follow the first fragment's header.
            int kind = fragment ? 0 : protocol;
            mixed = mix(sourceHigh * 31 + sourceLow + ((long) (both >>> 16) << 32))
                    + mix(destinationHigh * 31 + destinationLow + ((long) (both & 0xffff) << 32))
                    + kind;
        }
        return (int) (mix(mixed) >>> 32);
    }

    private static long mix(long number) {
        // The finalizer of splitmix64 without its last step: multiplications by odd constants between shifts.
        long mixed = (number ^ number >>> 30) * 0xbf58476d1ce4e5b9L;
        return (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    }

    /** Returns the destination Ethernet address; only for frames with a whole Ethernet header. */
    public long destinationMac() {
        return bounded.mac(0);
    }

    /** Returns the source Ethernet address; only for frames with a whole Ethernet header. */
    public long sourceMac() {
        return bounded.mac(6);
    }

    /** Returns the first fault. */
    public Fault fault() {
        return fault;
    }

    /** Returns the parsed frame; an access outside of it is an exception. */
    public Frame frame() {
        return bounded;
    }

    /** Returns the parsed frame without bounds, for code that has compared lengths; see {@link UncheckedFrame}. */
    public UncheckedFrame unchecked() {
        return frame;
    }

    /** Returns the EtherType behind the tags; below 1,536 the length of an 802.3 frame; -1 if there is none. */
    public int etherType() {
        return etherType;
    }

    /** Returns the innermost VLAN, 0 to 4,095; -1 if the frame has no tag. */
    public int vlan() {
        return vlan;
    }

    /** Returns whether it has a valid IPv4 header. */
    public boolean isIpv4() {
        return etherType == IPV4 && protocol >= 0;
    }

    /** Returns whether it has a valid IPv6 header. */
    public boolean isIpv6() {
        return etherType == IPV6 && protocol >= 0;
    }

    /** Returns the offset of the network layer, -1 if there is none. */
    public int networkOffset() {
        return networkOffset;
    }

    /** Returns the end of the IP packet; an Ethernet frame may have padding behind it. */
    public int networkEnd() {
        return networkEnd;
    }

    /** Returns the protocol number of the transport layer, -1 for non-IP frames. */
    public int protocol() {
        return protocol;
    }

    /** Returns whether it is a fragment. */
    public boolean isFragment() {
        return fragment;
    }

    /** Returns whether it is unfragmented, or the first fragment, which has the transport header. */
    public boolean isFirstFragment() {
        return firstFragment;
    }

    /**
     * Returns the identification of a fragment, which all fragments of a packet have: 16 bits of IPv4 (RFC 791), 32 of IPv6 (RFC
     * 8200). Only for fragments.
     */
    public int identification() {
        return etherType == IPV4 ? bounded.u16(networkOffset + 4) : bounded.i32(fragmentHeader + 4);
    }

    /** Returns the high half of the source address; see {@link Addresses}. Only for IP packets, as the three below. */
    public long sourceHigh() {
        return sourceHigh;
    }

    /** Returns the low half of the source address. */
    public long sourceLow() {
        return sourceLow;
    }

    /** Returns the high half of the destination address. */
    public long destinationHigh() {
        return destinationHigh;
    }

    /** Returns the low half of the destination address. */
    public long destinationLow() {
        return destinationLow;
    }

    /** Returns the offset of the transport header; -1 without one, as in later fragments. */
    public int transportOffset() {
        return transportOffset;
    }

    /** Returns the offset of the transport payload; -1 if there is none. */
    public int payloadOffset() {
        return payloadOffset;
    }

    /** Returns source and destination port as one number, source in the upper half; 0 without ports. */
    public int ports() {
        return ports;
    }

    /** Returns the UDP header: source port, destination port, length, checksum, each 16 bits. Only for UDP. */
    public long udp() {
        return udp;
    }

    /** Returns the source port of UDP and TCP. */
    public int sourcePort() {
        return ports >>> 16;
    }

    /** Returns the destination port of UDP and TCP. */
    public int destinationPort() {
        return ports & 0xffff;
    }
}
