package io.guidepost.middlebox.firewall;

import io.guidepost.base.Prefix;
import io.guidepost.middlebox.Packet;
import io.guidepost.packet.Burst;
import java.net.InetAddress;
import java.util.SplittableRandom;

/** Rules and packets by chance, of few addresses and ports, so that they often fit. */
final class RandomRules {
    private static final int[] LENGTHS = {0, 1, 7, 8, 9, 16, 20, 24, 31, 32};

    private final SplittableRandom random;

    /** What a packet is, for the model; notIp is what is to be found of it if rules do not decide. */
    record Facts(
            int notIp,
            int protocol,
            Prefix source,
            Prefix destination,
            int sourcePort,
            int destinationPort,
            boolean later,
            boolean acknowledges) {}

    RandomRules(SplittableRandom random) {
        this.random = random;
    }

    String text(int number) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < number; i++) {
            text.append(rule()).append('\n');
        }
        return text.toString();
    }

    private String rule() {
        boolean ipv6 = random.nextInt(4) == 0;
        StringBuilder rule = new StringBuilder(chance(2) ? "allow" : "deny");
        rule.append(chance(8) ? " out" : chance(8) ? " in" : "");
        int kind = random.nextInt(8);
        boolean ports = kind < 5;
        rule.append(kind < 2 ? " tcp" : kind < 4 ? " udp" : kind == 5 ? " icmp" : kind == 6 ? " 47" : "");
        rule.append(side(" from ", ipv6, ports)).append(side(" to ", ipv6, ports));
        if (kind < 2 && chance(10)) {
            rule.append(" established");
        } else if (kind > 4 && chance(6)) {
            rule.append(" fragment");
        }
        return rule.toString();
    }

    private String side(String name, boolean ipv6, boolean ports) {
        if (chance(4)) {
            return "";
        }
        String side = chance(6) ? "any" : prefix(ipv6);
        if (!side.equals("any") && chance(8)) {
            side += "," + prefix(ipv6);
        }
        if (ports && chance(2)) {
            side += " port " + range() + (chance(5) ? "," + range() : "");
        }
        return name + side;
    }

    private String prefix(boolean ipv6) {
        int length = LENGTHS[random.nextInt(LENGTHS.length)];
        try {
            return Prefix.parse(address(ipv6) + "/" + (ipv6 ? Math.min(128, length * 4 + random.nextInt(3)) : length))
                    .toString();
        } catch (io.guidepost.base.Malformed e) {
            throw new AssertionError(e);
        }
    }

    private String range() {
        int first = port();
        return chance(2) ? "" + first : first + "-" + Math.min(65535, first + random.nextInt(2000));
    }

    private int port() {
        return chance(30) ? 65535 : chance(30) ? 0 : random.nextInt(8) * 1000 + random.nextInt(3);
    }

    private String address(boolean ipv6) {
        if (!ipv6) {
            return (chance(2) ? 10 : 192) + "." + random.nextInt(2) + "." + random.nextInt(8) + "." + random.nextInt(256);
        }
        return (chance(2) ? "2001:db8:" : "fd00:0:") + random.nextInt(2) + "::" + (chance(2) ? "" : random.nextInt(4) + ":")
                + Integer.toHexString(random.nextInt(300));
    }

    /** Appends a packet to a burst, and tells what it is. */
    Facts append(Burst burst) {
        boolean ipv6 = random.nextInt(4) == 0;
        String source = address(ipv6);
        String destination = address(ipv6);
        int from = port();
        int to = port();
        int flags = random.nextInt(64);
        int kind = random.nextInt(12);
        int fragment = chance(8) ? (chance(2) ? (ipv6 ? 1 : 0x2000) : ipv6 ? 25 << 3 : 25) : 0;
        int protocol = kind < 5 ? Packet.TCP : kind < 9 ? Packet.UDP : kind == 9 ? Packet.ICMP : 47;
        byte[] payload = new byte[24];
        payload[0] = (byte) (from >>> 8);
        payload[1] = (byte) from;
        payload[2] = (byte) (to >>> 8);
        payload[3] = (byte) to;
        if (protocol == Packet.TCP) {
            payload[12] = 0x50;
            payload[13] = (byte) flags;
        } else {
            payload[5] = 24;
        }
        byte[] frame = Packet.ip(source, destination, protocol, payload, fragment, 64);
        int notIp = 0;
        if (kind == 11) {
            notIp = chance(2) ? PacketKeys.ARP : chance(2) ? PacketKeys.NOT_IP : PacketKeys.MALFORMED;
            frame[notIp == PacketKeys.MALFORMED ? 14 : 12] = (byte) (notIp == PacketKeys.NOT_IP ? 0x99 : 8);
            frame[13] = notIp == PacketKeys.MALFORMED ? frame[13] : 6;
        } else if (kind == 10 && ipv6) {
            notIp = PacketKeys.MALFORMED;
            System.arraycopy(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1}, 0, frame, chance(2) ? 22 : 38, 12);
        }
        Packet.append(burst, chance(4) ? Packet.tagged(frame, 7) : frame);
        boolean later = fragment != 0 && fragment != 0x2000 && fragment != 1;
        return new Facts(
                notIp, protocol, host(source), host(destination), from, to, later,
                protocol == Packet.TCP && (flags & 0x14) != 0);
    }

    private static Prefix host(String address) {
        try {
            return Prefix.parse(address + (InetAddress.ofLiteral(address).getAddress().length == 4 ? "/32" : "/128"));
        } catch (io.guidepost.base.Malformed e) {
            throw new AssertionError(e);
        }
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }
}
