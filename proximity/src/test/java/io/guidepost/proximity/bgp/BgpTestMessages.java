package io.guidepost.proximity.bgp;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.List;

/** Writes messages as routers do, for tests. */
final class BgpTestMessages {
    private BgpTestMessages() {}

    static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
    }

    /** A message with its header. */
    static byte[] message(int type, byte[] body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(hex("ff".repeat(16)));
        put(out, 2, 19 + body.length);
        out.write(type);
        out.writeBytes(body);
        return out.toByteArray();
    }

    static void put(ByteArrayOutputStream out, int bytes, long value) {
        for (int i = bytes - 1; i >= 0; i--) {
            out.write((int) (value >>> 8 * i));
        }
    }

    static byte[] prefix(Prefix prefix) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int bits = prefix.isIpv4() ? prefix.length() - 96 : prefix.length();
        out.write(bits);
        byte[] base = address(new Address(prefix.high(), prefix.low()));
        out.write(base, 0, (bits + 7) / 8);
        return out.toByteArray();
    }

    static byte[] prefixes(List<Prefix> all) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        all.forEach(each -> out.writeBytes(prefix(each)));
        return out.toByteArray();
    }

    /** Four bytes of an IPv4 address, or sixteen. */
    static byte[] address(Address address) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (address.isIpv4()) {
            put(out, 4, address.ipv4());
        } else {
            put(out, 8, address.high());
            put(out, 8, address.low());
        }
        return out.toByteArray();
    }

    static byte[] attribute(int flags, int type, byte[] value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        boolean isLong = value.length > 255;
        out.write(isLong ? flags | 0x10 : flags);
        out.write(type);
        put(out, isLong ? 2 : 1, value.length);
        out.writeBytes(value);
        return out.toByteArray();
    }

    /** An AS_PATH of one sequence. */
    static byte[] path(int width, long... numbers) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (numbers.length > 0) {
            out.write(2);
            out.write(numbers.length);
            for (long each : numbers) {
                put(out, width, each);
            }
        }
        return out.toByteArray();
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] each : parts) {
            out.writeBytes(each);
        }
        return out.toByteArray();
    }

    static byte[] body(byte[] withdrawn, byte[] attributes, byte[] announced) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        put(out, 2, withdrawn.length);
        out.writeBytes(withdrawn);
        put(out, 2, attributes.length);
        out.writeBytes(attributes);
        out.writeBytes(announced);
        return out.toByteArray();
    }

    /** ORIGIN, AS_PATH and NEXT_HOP. */
    static byte[] attributes(long... numbers) {
        return join(
                attribute(0x40, 1, new byte[] {0}),
                attribute(0x40, 2, path(4, numbers)),
                attribute(0x40, 3, hex("0a000001")));
    }

    /** An UPDATE's body that announces prefixes of one family with a path of 32-bit numbers. */
    static byte[] announce(List<Prefix> prefixes, long... numbers) {
        if (prefixes.get(0).isIpv4()) {
            return body(new byte[0], attributes(numbers), prefixes(prefixes));
        }
        byte[] reached = join(hex("000201 10 20010db8000000000000000000000001 00"), prefixes(prefixes));
        return body(new byte[0], join(attributes(numbers), attribute(0x80, 14, reached)), new byte[0]);
    }

    /** An UPDATE's body that withdraws prefixes of one family. */
    static byte[] withdraw(List<Prefix> prefixes) {
        if (prefixes.get(0).isIpv4()) {
            return body(prefixes(prefixes), new byte[0], new byte[0]);
        }
        return body(new byte[0], attribute(0x80, 15, join(hex("000201"), prefixes(prefixes))), new byte[0]);
    }
}
