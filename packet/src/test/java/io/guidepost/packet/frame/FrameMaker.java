package io.guidepost.packet.frame;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Makes frames of all kinds that the headers know, right ones and, by {@link #mutate}, broken ones; one seed, one row. */
public final class FrameMaker {
    private static final int BYTES_MAX = 1_600;

    private final SplittableRandom random;
    private final ByteBuffer out = ByteBuffer.allocate(BYTES_MAX + 512);

    /** From a seed. */
    public FrameMaker(long seed) {
        random = new SplittableRandom(seed);
    }

    /** A frame that is right, with right checksums. */
    public byte[] make() {
        out.clear();
        putMac(random.nextInt(8) == 0 ? Ethernet.BROADCAST : 0x02_00_00_00_00_00L | random.nextInt(8));
        putMac(0x02_00_00_00_00_00L | random.nextInt(8));
        int tags = random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0;
        for (int i = 0; i < tags; i++) {
            out.putShort((short) (tags == 2 && i == 0 ? HeaderParser.SERVICE_VLAN : HeaderParser.VLAN));
            out.putShort((short) (random.nextInt(8) << 13 | random.nextInt(1, 4095)));
        }
        switch (random.nextInt(10)) {
            case 0 -> arp();
            case 1 -> out.putShort((short) 0x88b5).put(new byte[random.nextInt(100)]);
            case 2, 3, 4 -> ipv6();
            default -> ipv4();
        }
        // Ethernet's padding.
        if (random.nextBoolean() && out.position() < 60) {
            out.put(new byte[60 - out.position()]);
        }
        byte[] frame = Arrays.copyOf(out.array(), out.position());
        return withChecksums(frame);
    }

    private static byte[] withChecksums(byte[] frame) {
        Bytes bytes = Bytes.scratch(frame);
        HeaderParser headers = new HeaderParser();
        headers.read(bytes.address, frame.length);
        if (headers.isIpv4()) {
            new Ipv4().wrap(bytes.address + headers.networkOffset(), 20).fillChecksum();
        }
        InternetChecksum.fill(headers);
        bytes.read(frame);
        return frame;
    }

    /** Some bits of a frame changed, its end cut off, or bytes put behind it. */
    public byte[] mutate(byte[] right) {
        byte[] frame = right.clone();
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = random.nextInt(Math.min(frame.length, 90));
            switch (random.nextInt(4)) {
                case 0 -> frame[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> frame[at] = (byte) random.nextInt(256);
                case 2 -> frame[at] = (byte) (random.nextBoolean() ? 0 : 0xff);
                default -> frame[at] += (byte) random.nextInt(-2, 3);
            }
        }
        return switch (random.nextInt(4)) {
            case 0 -> Arrays.copyOf(frame, random.nextInt(1, frame.length + 1));
            case 1 -> Arrays.copyOf(frame, Math.min(BYTES_MAX, frame.length + random.nextInt(30)));
            default -> frame;
        };
    }

    /** Bytes without any sense. */
    public byte[] noise() {
        byte[] frame = new byte[random.nextInt(1, 128)];
        random.nextBytes(frame);
        return frame;
    }

    private void putMac(long mac) {
        out.putShort((short) (mac >>> 32)).putInt((int) mac);
    }

    private void arp() {
        out.putShort((short) HeaderParser.ARP).putLong(0x0001_0800_0604_0000L | random.nextInt(1, 3));
        putMac(0x02_00_00_00_00_01L);
        out.putInt(address4());
        putMac(0);
        out.putInt(address4());
    }

    private int address4() {
        return 0x0a00_0000 | random.nextInt(4) << 8 | random.nextInt(1, 9);
    }

    private void ipv4() {
        out.putShort((short) HeaderParser.IPV4);
        int begin = out.position();
        int options = random.nextInt(5) == 0 ? 4 * random.nextInt(1, 11) : 0;
        boolean fragment = random.nextInt(8) == 0;
        int place = fragment ? random.nextInt(2) == 0 ? 0x2000 : 0x2000 | random.nextInt(1, 200) : 0x4000;
        int protocol = protocol(HeaderParser.ICMP);
        out.putInt(0x4000_0000 | 5 + options / 4 << 24 | random.nextInt(256) << 16);
        out.putShort((short) random.nextInt(65_536)).putShort((short) place);
        out.putShort((short) (random.nextInt(1, 256) << 8 | protocol)).putShort((short) 0);
        out.putInt(address4()).putInt(address4());
        // Router alert or nothing, then nothing.
        for (int i = 0; i < options; i += 4) {
            out.putInt(i == 0 && random.nextBoolean() ? 0x9404_0000 : 0x0101_0101);
        }
        transport(protocol, (place & 0x1fff) == 0);
        out.putShort(begin + 2, (short) (out.position() - begin));
    }

    private void ipv6() {
        out.putShort((short) HeaderParser.IPV6);
        int begin = out.position();
        int protocol = protocol(HeaderParser.ICMPV6);
        out.putInt(0x6000_0000 | random.nextInt(1 << 28)).putShort((short) 0);
        int nextAt = out.position();
        out.put((byte) protocol).put((byte) random.nextInt(1, 256));
        out.putLong(0x2001_0db8_0000_0000L | random.nextInt(4)).putLong(random.nextInt(1, 9));
        out.putLong(0x2001_0db8_0000_0000L | random.nextInt(4)).putLong(random.nextInt(1, 9));
        boolean first = true;
        for (int i = random.nextInt(4) == 0 ? random.nextInt(1, 4) : 0; i > 0 && first; i--) {
            int type = switch (random.nextInt(4)) {
                case 0 -> Ipv6Extensions.HOP_BY_HOP;
                case 1 -> Ipv6Extensions.FRAGMENT;
                default -> Ipv6Extensions.DESTINATION;
            };
            if (type == Ipv6Extensions.HOP_BY_HOP && out.position() != begin + Ipv6.BYTES) {
                type = Ipv6Extensions.DESTINATION;
            }
            out.put(nextAt, (byte) type);
            nextAt = out.position();
            if (type == Ipv6Extensions.FRAGMENT) {
                int place = random.nextInt(3) << 3 | random.nextInt(2);
                first = place >>> 3 == 0;
                out.put((byte) protocol).put((byte) 0).putShort((short) place).putInt(random.nextInt());
            } else {
                int units = random.nextInt(3);
                out.put((byte) protocol).put((byte) units).put((byte) 1).put((byte) (4 + 8 * units));
                out.put(new byte[4 + 8 * units]);
            }
        }
        transport(protocol, first);
        out.putShort(begin + 4, (short) (out.position() - begin - Ipv6.BYTES));
    }

    private int protocol(int icmp) {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> HeaderParser.UDP;
            case 3, 4 -> HeaderParser.TCP;
            case 5, 6 -> icmp;
            default -> 253;
        };
    }

    private void transport(int protocol, boolean first) {
        byte[] payload = new byte[random.nextInt(4) == 0 ? random.nextInt(1_200) : random.nextInt(40)];
        // Letters, in which no dissector that guesses sees its protocol.
        for (int i = 0; i < payload.length; i++) {
            payload[i] = (byte) random.nextInt('a', 'z' + 1);
        }
        if (first) {
            // Ports that dissectors have no protocol for.
            int source = random.nextInt(40_000, 40_008);
            int destination = random.nextInt(41_000, 41_008);
            switch (protocol) {
                case HeaderParser.UDP -> out.putShort((short) source).putShort((short) destination)
                        .putShort((short) (8 + payload.length)).putShort((short) 0);
                case HeaderParser.TCP -> {
                    int options = random.nextInt(2) == 0 ? 4 * random.nextInt(1, 11) : 0;
                    out.putShort((short) source).putShort((short) destination).putLong(random.nextLong());
                    out.putInt(5 + options / 4 << 28 | 0x10_0400).putInt(0);
                    for (int i = 0; i < options; i++) {
                        out.put((byte) 1);
                    }
                }
                case HeaderParser.ICMP, HeaderParser.ICMPV6 -> out.put((byte) (protocol == HeaderParser.ICMP ? 8 : 128))
                        .put((byte) 0).putShort((short) 0).putInt(random.nextInt());
                default -> { }
            }
        }
        out.put(payload);
    }
}
