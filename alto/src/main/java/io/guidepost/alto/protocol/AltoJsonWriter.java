package io.guidepost.alto.protocol;

import io.guidepost.base.Prefix;
import io.guidepost.names.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * JSON as it is written into bytes, by hand: maps of a million prefixes and answers of a hundred costs are made of few
 * kinds of text, and a general writer would take longer for each than all else takes. The caller writes brackets and
 * commas. Not thread-safe.
 */
public final class AltoJsonWriter {
    private static final int GROUPS = 8;
    private static final int IPV4_BITS_BEFORE = 96;

    /** Digits after the point that a cost is written with, where that is exact enough. */
    private static final long MILLI = 1000;

    /** Up to here a whole number is written as one. */
    private static final double WHOLE_MAX = 1L << 53;

    private byte[] bytes;
    private int length;

    /** An empty text; it grows as needed. */
    public AltoJsonWriter(int bytesExpected) {
        bytes = new byte[Math.max(16, bytesExpected)];
    }

    /** Bytes written. */
    public int length() {
        return length;
    }

    /** Forgets all after a length that it had before. */
    public void cut(int to) {
        length = to;
    }

    /** What was written. */
    public byte[] bytes() {
        return Arrays.copyOf(bytes, length);
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }

    private void room(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }

    /** One character of ASCII. */
    public AltoJsonWriter put(char one) {
        room(1);
        bytes[length++] = (byte) one;
        return this;
    }

    /** Text of ASCII that needs no escapes. */
    public AltoJsonWriter put(String ascii) {
        int more = ascii.length();
        room(more);
        for (int i = 0; i < more; i++) {
            bytes[length + i] = (byte) ascii.charAt(i);
        }
        length += more;
        return this;
    }

    /** Bytes that are JSON already. */
    public AltoJsonWriter put(byte[] from, int at, int count) {
        room(count);
        System.arraycopy(from, at, bytes, length, count);
        length += count;
        return this;
    }

    /** A string of any characters, with its quotes. */
    public AltoJsonWriter text(String text) {
        put('"');
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        for (byte each : utf8) {
            if (each == '"' || each == '\\') {
                put('\\').put((char) each);
            } else if (each >= 0 && each < ' ') {
                put("\\u00").put(Character.forDigit(each >> 4, 16)).put(Character.forDigit(each & 15, 16));
            } else {
                room(1);
                bytes[length++] = each;
            }
        }
        return put('"');
    }

    /** A whole number. */
    public AltoJsonWriter number(long number) {
        if (number < 0) {
            return put(Long.toString(number));
        }
        int digits = 1;
        for (long rest = number / 10; rest != 0; rest /= 10) {
            digits++;
        }
        room(digits);
        long rest = number;
        for (int i = length + digits - 1; i >= length; i--) {
            bytes[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += digits;
        return this;
    }

    /** A number as it is, shortest; it must be finite. */
    public AltoJsonWriter number(double number) {
        if (number == Math.rint(number) && Math.abs(number) < WHOLE_MAX) {
            return number((long) number);
        }
        double thousandfold = number * MILLI;
        if (thousandfold == Math.rint(thousandfold) && thousandfold > 0 && thousandfold < WHOLE_MAX / MILLI
                && Math.rint(thousandfold) / MILLI == number) {
            long parts = (long) thousandfold;
            number(parts / MILLI).put('.');
            int fraction = (int) (parts % MILLI);
            put((char) ('0' + fraction / 100));
            if (fraction % 100 != 0) {
                put((char) ('0' + fraction / 10 % 10));
            }
            return fraction % 10 == 0 ? this : put((char) ('0' + fraction % 10));
        }
        return put(Double.toString(number));
    }

    /** A block of addresses with the length of its prefix. */
    public AltoJsonWriter block(Prefix block) {
        return block.isIpv4()
                ? ipv4((int) block.low()).put('/').number((long) block.length() - IPV4_BITS_BEFORE)
                : ipv6(block.high(), block.low()).put('/').number((long) block.length());
    }

    /** An address with its type, without quotes. */
    public AltoJsonWriter address(long high, long low) {
        return Exchange.isIpv4(high, low)
                ? put("ipv4:").ipv4((int) low)
                : put("ipv6:").ipv6(high, low);
    }

    /** An IPv4 address in dotted form. */
    public AltoJsonWriter ipv4(int address) {
        return number(address >>> 24 & 0xffL).put('.').number(address >>> 16 & 0xffL).put('.')
                .number(address >>> 8 & 0xffL).put('.').number(address & 0xffL);
    }

    /** An IPv6 address in the canonical form of RFC 5952: the first longest row of zeroes is left out. */
    public AltoJsonWriter ipv6(long high, long low) {
        int gap = -1;
        int gapGroups = 1;
        for (int i = 0; i < GROUPS; i++) {
            int end = i;
            while (end < GROUPS && group(high, low, end) == 0) {
                end++;
            }
            if (end - i > gapGroups) {
                gap = i;
                gapGroups = end - i;
            }
        }
        for (int i = 0; i < GROUPS; i++) {
            if (i == gap) {
                put("::");
                i += gapGroups - 1;
                continue;
            }
            if (i > 0 && i != gap + gapGroups) {
                put(':');
            }
            hex(group(high, low, i));
        }
        return this;
    }

    private static int group(long high, long low, int at) {
        return (int) ((at < 4 ? high : low) >>> 48 - 16 * (at & 3)) & 0xffff;
    }

    private void hex(int group) {
        for (int shift = group > 0xfff ? 12 : group > 0xff ? 8 : group > 0xf ? 4 : 0; shift >= 0; shift -= 4) {
            put(Character.forDigit(group >>> shift & 15, 16));
        }
    }
}
