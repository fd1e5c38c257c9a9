package io.guidepost.bench.packet;

import io.guidepost.bench.load.SyntheticRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Firewall rules and matching frames, the same ones for {@code dpdk_work.c} and {@link DpdkWorkload}. Each rule has a
 * source and a destination prefix, a protocol and a range of destination ports; nine of ten frames match exactly one
 * rule, all equally often, and the tenth matches none.
 */
final class DpdkTraffic {
    /** Bytes written of each frame: Ethernet, IPv4 and TCP or UDP headers, and some more. */
    static final int TEMPLATE_BYTES = 64;

    /** One for each buffer of the packet memory. */
    static final int TEMPLATES = 16_383;

    private static final int UDP = 17;
    private static final int TCP = 6;
    private static final int PORT_FIRST = 1_000;
    private static final int PORTS = 500;

    private DpdkTraffic() {}

    /** Returns the rules in the syntax of the firewall. */
    static String rules(int number, boolean allAllowed) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < number; i++) {
            text.append(String.format(
                    Locale.ROOT,
                    "%s %s from 10.%d.%d.0/24 to 172.16.%d.0/24 port %d-%d%n",
                    isAllowed(i, allAllowed) ? "allow" : "deny",
                    protocol(i) == UDP ? "udp" : "tcp",
                    i >> 8,
                    i & 255,
                    i & 255,
                    PORT_FIRST,
                    PORT_FIRST + PORTS - 1));
        }
        return text.toString();
    }

    /** Returns the rules in the syntax of the C program. */
    static String rulesForC(int number, boolean allAllowed) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < number; i++) {
            text.append(String.format(
                    Locale.ROOT,
                    "%d %d %d %d %d %d %d %d%n",
                    source(i),
                    0xffff_ff00L,
                    destination(i),
                    0xffff_ff00L,
                    protocol(i),
                    PORT_FIRST,
                    PORT_FIRST + PORTS - 1,
                    isAllowed(i, allAllowed) ? 1 : 0));
        }
        return text.toString();
    }

    private static boolean isAllowed(int rule, boolean allAllowed) {
        return allAllowed || rule % 2 == 0;
    }

    private static int protocol(int rule) {
        return rule % 3 == 0 ? TCP : UDP;
    }

    private static long source(int rule) {
        return 10L << 24 | (long) rule << 8;
    }

    private static long destination(int rule) {
        return 172L << 24 | 16 << 16 | (rule & 255) << 8;
    }

    /** Writes frames of a length for a number of rules. */
    static void write(Path file, int rules, int frameBytes) throws IOException {
        ByteBuffer all = ByteBuffer.allocate(TEMPLATES * TEMPLATE_BYTES);
        for (int i = 0; i < TEMPLATES; i++) {
            put(all, i * TEMPLATE_BYTES, i, rules, frameBytes);
        }
        Files.write(file, all.array());
    }

    private static void put(ByteBuffer all, int at, int number, int rules, int frameBytes) {
        long mixed = SyntheticRecords.mix(number);
        int rule = (int) (mixed >>> 1 & 0x7fff_ffff) % (rules + rules / 9);
        boolean fits = rule < rules;
        int shown = fits ? rule : 0;
        int protocol = protocol(shown);
        all.putLong(at, 0x0200_0000_0001_0200L);
        all.putInt(at + 8, 2);
        all.putShort(at + 12, (short) 0x0800);
        all.putShort(at + 14, (short) 0x4500);
        all.putShort(at + 16, (short) (frameBytes - 14));
        all.put(at + 22, (byte) 64);
        all.put(at + 23, (byte) protocol);
        all.putInt(at + 26, (int) source(shown) | (int) (mixed >>> 40 & 255));
        all.putInt(at + 30, (int) destination(shown) | (int) (mixed >>> 48 & 255));
        all.putShort(at + 34, (short) 5_000);
        all.putShort(at + 36, (short) (fits ? PORT_FIRST + (mixed >>> 33 & 255) : 53));
        if (protocol == UDP) {
            all.putShort(at + 38, (short) (frameBytes - 34));
        } else {
            all.putShort(at + 46, (short) 0x5000);
        }
    }
}
