package io.guidepost.alto.protocol;

import io.guidepost.base.AddressText;
import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A JSON writer into a byte array. It exists beside the library's because a map of a million prefixes, or an answer
 * with a hundred costs, consists of few kinds of text, and a general writer would dominate the time of each. The caller
 * writes brackets and commas. Not thread-safe.
 */
public final class AltoJsonWriter {
    /** Digits after the decimal point of a cost, where that is exact enough. */
    private static final long MILLI = 1000;

    /** Largest whole number that is written without an exponent. */
    private static final double WHOLE_MAX = 1L << 53;

    private byte[] bytes;
    private int length;

    /** Creates an empty text that grows as needed. */
    public AltoJsonWriter(int bytesExpected) {
        bytes = new byte[Math.max(16, bytesExpected)];
    }

    /** Returns the number of bytes written. */
    public int length() {
        return length;
    }

    /** Truncates the text to a length that it had before. */
    public void cut(int to) {
        length = to;
    }

    /** Returns the bytes written. */
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

    /** Writes one ASCII character. */
    public AltoJsonWriter put(char one) {
        room(1);
        bytes[length++] = (byte) one;
        return this;
    }

    /** Writes ASCII text that needs no escapes. */
    public AltoJsonWriter put(String ascii) {
        int more = ascii.length();
        room(more);
        for (int i = 0; i < more; i++) {
            bytes[length + i] = (byte) ascii.charAt(i);
        }
        length += more;
        return this;
    }

    /** Writes bytes that are JSON already. */
    public AltoJsonWriter put(byte[] from, int at, int count) {
        room(count);
        System.arraycopy(from, at, bytes, length, count);
        length += count;
        return this;
    }

    /** Writes a string with quotes and escapes. */
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

    /** Writes an integer. */
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

    /** Writes a finite number in its shortest form. */
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

    /** Writes a block of addresses with its prefix length. */
    public AltoJsonWriter block(Prefix block) {
        return block.isIpv4()
                ? ipv4((int) block.low()).put('/').number((long) block.length() - Prefix.IPV4_BITS_BEFORE)
                : ipv6(block.high(), block.low()).put('/').number((long) block.length());
    }

    /** Writes an address with its type, without quotes. */
    public AltoJsonWriter address(long high, long low) {
        return Addresses.isIpv4(high, low)
                ? put("ipv4:").ipv4((int) low)
                : put("ipv6:").ipv6(high, low);
    }

    private AltoJsonWriter ipv4(int address) {
        room(AddressText.BYTES_MAX);
        length = AddressText.ipv4(address, bytes, length);
        return this;
    }

    private AltoJsonWriter ipv6(long high, long low) {
        room(AddressText.BYTES_MAX);
        length = AddressText.ipv6(high, low, bytes, length);
        return this;
    }
}
