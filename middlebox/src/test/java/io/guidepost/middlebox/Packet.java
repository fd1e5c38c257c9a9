package io.guidepost.middlebox;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Frames made byte by byte for tests, with their checksums computed the plain way, and read again. */
public final class Packet {
    public static final int ICMP = 1;
    public static final int TCP = 6;
    public static final int UDP = 17;
    public static final int ICMPV6 = 58;

    private Packet() {}

    /** An Ethernet frame, padded to 60 bytes. */
    public static byte[] ethernet(long destination, long source, int type, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(Math.max(60, 14 + payload.length));
        frame.putShort((short) (destination >>> 32)).putInt((int) destination);
        frame.putShort((short) (source >>> 32)).putInt((int) source);
        frame.putShort((short) type).put(payload);
        return frame.array();
    }

    /** The frame with a VLAN tag. */
    public static byte[] tagged(byte[] frame, int vlan) {
        ByteBuffer longer = ByteBuffer.allocate(frame.length + 4);
        longer.put(frame, 0, 12).putShort((short) 0x8100).putShort((short) vlan).put(frame, 12, frame.length - 12);
        return longer.array();
    }

    /** An IP packet of either family between addresses as text, in a frame. */
    public static byte[] ip(String source, String destination, int protocol, byte[] payload) {
        return ip(source, destination, protocol, payload, 0, 64);
    }

    /** The same, with IPv4's flags and fragment offset field, or for IPv6 a fragment header if it is not 0. */
    public static byte[] ip(
            String source, String destination, int protocol, byte[] payload, int fragment, int hops) {
        byte[] from = InetAddress.ofLiteral(source).getAddress();
        byte[] to = InetAddress.ofLiteral(destination).getAddress();
        byte[] packet = from.length == 4
                ? ipv4(from, to, protocol, payload, fragment, hops)
                : ipv6(from, to, protocol, payload, fragment, hops);
        return ethernet(0x02_00_00_00_00_02L, 0x02_00_00_00_00_01L, from.length == 4 ? 0x0800 : 0x86dd, packet);
    }

    private static byte[] ipv4(byte[] from, byte[] to, int protocol, byte[] payload, int fragment, int hops) {
        ByteBuffer packet = ByteBuffer.allocate(20 + payload.length);
        packet.putShort((short) 0x4500).putShort((short) packet.capacity()).putShort((short) 7);
        packet.putShort((short) fragment).put((byte) hops).put((byte) protocol).putShort((short) 0).put(from).put(to);
        packet.put(payload);
        packet.putShort(10, (short) checksum(Arrays.copyOf(packet.array(), 20)));
        return packet.array();
    }

    private static byte[] ipv6(byte[] from, byte[] to, int protocol, byte[] payload, int fragment, int hops) {
        int extra = fragment == 0 ? 0 : 8;
        ByteBuffer packet = ByteBuffer.allocate(40 + extra + payload.length);
        packet.putInt(0x6000_0000).putShort((short) (extra + payload.length));
        packet.put((byte) (fragment == 0 ? protocol : 44)).put((byte) hops).put(from).put(to);
        if (fragment != 0) {
            packet.put((byte) protocol).put((byte) 0).putShort((short) fragment).putInt(99);
        }
        return packet.put(payload).array();
    }

    /** A UDP datagram in a frame, its checksum right. */
    public static byte[] udp(String source, int sourcePort, String destination, int destinationPort, String text) {
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer datagram = ByteBuffer.allocate(8 + data.length);
        datagram.putShort((short) sourcePort).putShort((short) destinationPort);
        datagram.putShort((short) datagram.capacity()).putShort((short) 0).put(data);
        int sum = transportChecksum(source, destination, UDP, datagram.array());
        datagram.putShort(6, (short) (sum == 0 ? 0xffff : sum));
        return ip(source, destination, UDP, datagram.array());
    }

    /** A TCP segment in a frame, its checksum right. */
    public static byte[] tcp(String source, int sourcePort, String destination, int destinationPort, int flags) {
        return tcp(source, sourcePort, destination, destinationPort, flags, 1, 2);
    }

    /** The same with a sequence number, and one that is acknowledged. */
    public static byte[] tcp(
            String source, int sourcePort, String destination, int destinationPort, int flags, int sequence, int acknowledged) {
        return tcp(source, sourcePort, destination, destinationPort, flags, sequence, acknowledged, 0);
    }

    /** The same with so many bytes of data. */
    public static byte[] tcp(
            String source, int sourcePort, String destination, int destinationPort, int flags, int sequence, int acknowledged, int data) {
        ByteBuffer segment = ByteBuffer.allocate(20 + data);
        segment.putShort((short) sourcePort).putShort((short) destinationPort).putInt(sequence).putInt(acknowledged);
        segment.put((byte) 0x50).put((byte) flags).putShort((short) 1000).putInt(0);
        segment.putShort(16, (short) transportChecksum(source, destination, TCP, segment.array()));
        return ip(source, destination, TCP, segment.array());
    }

    /** A TCP segment over IPv6 in a frame, its checksum right, that acknowledges so much. */
    public static byte[] tcp6(String source, int sourcePort, String destination, int destinationPort, int flags, int seen) {
        ByteBuffer segment = ByteBuffer.allocate(20);
        segment.putShort((short) sourcePort).putShort((short) destinationPort).putInt(1).putInt(seen);
        segment.put((byte) 0x50).put((byte) flags).putShort((short) 1000).putInt(0);
        segment.putShort(16, (short) transportChecksum(source, destination, TCP, segment.array()));
        return ip(source, destination, TCP, segment.array());
    }

    /** An ICMP message in a frame, its checksum right; of IPv4. */
    public static byte[] icmp(String source, String destination, int type, int code, int rest, byte[] data) {
        ByteBuffer message = ByteBuffer.allocate(8 + data.length);
        message.put((byte) type).put((byte) code).putShort((short) 0).putInt(rest).put(data);
        message.putShort(2, (short) checksum(message.array()));
        return ip(source, destination, ICMP, message.array());
    }

    /** An ICMPv6 message in a frame, its checksum right. */
    public static byte[] icmpv6(String source, String destination, int type, int rest, byte[] data, int hops) {
        ByteBuffer message = ByteBuffer.allocate(8 + data.length);
        message.put((byte) type).put((byte) 0).putShort((short) 0).putInt(rest).put(data);
        message.putShort(2, (short) transportChecksum(source, destination, ICMPV6, message.array()));
        return ip(source, destination, ICMPV6, message.array(), 0, hops);
    }

    /** A neighbour solicitation (135) or advertisement (136) in a frame, with the Ethernet address of its sender. */
    public static byte[] neighbour(int type, String source, String destination, String target, long mac) {
        ByteBuffer rest = ByteBuffer.allocate(24).put(InetAddress.ofLiteral(target).getAddress());
        rest.putLong((type == 135 ? 1L : 2L) << 56 | 1L << 48 | mac);
        byte[] frame = icmpv6(source, destination, type, type == 135 ? 0 : 0x6000_0000, rest.array(), 255);
        byte[] addresses = ethernet(type == 135 ? 0x3333_0000_0001L : 0x02_00_00_00_00_0bL, mac, 0, new byte[0]);
        System.arraycopy(addresses, 0, frame, 0, 12);
        return frame;
    }

    /** Whether the checksum of TCP, UDP or ICMPv6 in an IPv6 packet of an untagged frame is right. */
    public static boolean isRightIpv6(byte[] frame) {
        int payload = ByteBuffer.wrap(frame).getShort(18) & 0xffff;
        byte[] rest = Arrays.copyOfRange(frame, 54, 54 + payload);
        return transportChecksum(address(frame, 22), address(frame, 38), frame[20], rest) == 0;
    }

    /** The IPv6 address at a place of a frame. */
    public static String address(byte[] frame, int at) {
        ByteBuffer bytes = ByteBuffer.wrap(frame);
        return Addresses.toInetAddress(bytes.getLong(at), bytes.getLong(at + 8)).getHostAddress();
    }

    /** The frame without its VLAN tag. */
    public static byte[] untagged(byte[] frame) {
        ByteBuffer shorter = ByteBuffer.allocate(frame.length - 4);
        shorter.put(frame, 0, 12).put(frame, 16, frame.length - 16);
        return shorter.array();
    }

    /** An ARP request or answer in a frame. */
    public static byte[] arp(int operation, long senderMac, String sender, long targetMac, String target) {
        ByteBuffer message = ByteBuffer.allocate(28);
        message.putShort((short) 1).putShort((short) 0x800).put((byte) 6).put((byte) 4).putShort((short) operation);
        message.putShort((short) (senderMac >>> 32)).putInt((int) senderMac);
        message.put(InetAddress.ofLiteral(sender).getAddress());
        message.putShort((short) (targetMac >>> 32)).putInt((int) targetMac);
        message.put(InetAddress.ofLiteral(target).getAddress());
        return ethernet(operation == 1 ? 0xffff_ffff_ffffL : targetMac, senderMac, 0x806, message.array());
    }

    /** Checksum of a transport header and its data, where that of the header is zero; 0 if it is in and right. */
    public static int transportChecksum(String source, String destination, int protocol, byte[] bytes) {
        byte[] from = InetAddress.ofLiteral(source).getAddress();
        byte[] to = InetAddress.ofLiteral(destination).getAddress();
        ByteBuffer all = ByteBuffer.allocate(2 * from.length + 8 + bytes.length);
        all.put(from).put(to).putInt(bytes.length).putInt(protocol).put(bytes);
        return checksum(all.array());
    }

    /** RFC 1071, word by word. */
    public static int checksum(byte[] bytes) {
        long sum = 0;
        for (int i = 0; i < bytes.length; i += 2) {
            sum += (bytes[i] & 0xff) << 8 | (i + 1 < bytes.length ? bytes[i + 1] & 0xff : 0);
        }
        while (sum > 0xffff) {
            sum = (sum >>> 16) + (sum & 0xffff);
        }
        return (int) ~sum & 0xffff;
    }

    /** Whether the checksums of an IPv4 packet in an untagged frame are right: header, and transport if it has one. */
    public static boolean isRight(byte[] frame) {
        ByteBuffer all = ByteBuffer.wrap(frame);
        int total = all.getShort(16) & 0xffff;
        byte[] header = Arrays.copyOfRange(frame, 14, 34);
        byte[] rest = Arrays.copyOfRange(frame, 34, 14 + total);
        int protocol = frame[23];
        if (checksum(header) != 0) {
            return false;
        }
        return switch (protocol) {
            case ICMP -> checksum(rest) == 0;
            case UDP, TCP ->
                protocol == UDP && all.getShort(40) == 0
                        || transportChecksum(source(frame), destination(frame), protocol, rest) == 0;
            default -> true;
        };
    }

    /** Source address of an IPv4 packet in an untagged frame. */
    public static String source(byte[] frame) {
        return ipv4(frame, 26);
    }

    /** Destination address of an IPv4 packet in an untagged frame. */
    public static String destination(byte[] frame) {
        return ipv4(frame, 30);
    }

    /** Source port, of an IPv4 packet without options. */
    public static int sourcePort(byte[] frame) {
        return ByteBuffer.wrap(frame).getShort(34) & 0xffff;
    }

    /** Destination port, of an IPv4 packet without options. */
    public static int destinationPort(byte[] frame) {
        return ByteBuffer.wrap(frame).getShort(36) & 0xffff;
    }

    /** The IPv4 address at a place of a frame. */
    public static String ipv4(byte[] frame, int at) {
        int address = ByteBuffer.wrap(frame).getInt(at);
        return Addresses.toInetAddress(0, Addresses.ipv4Low(address)).getHostAddress();
    }

    /** Appends a frame to a burst that leaves. */
    public static void append(Burst burst, byte[] frame) {
        Memory.copy(frame, 0, burst.room(), frame.length);
        burst.append(frame.length);
    }

    /** The bytes of a frame of a burst. */
    public static byte[] bytes(Burst burst, int index) {
        byte[] bytes = new byte[burst.length(index)];
        Memory.copy(burst.offset(index), bytes, 0, bytes.length);
        return bytes;
    }
}
