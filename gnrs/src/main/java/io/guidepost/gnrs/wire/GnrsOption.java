package io.guidepost.gnrs.wire;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * One option of a message, in object form.
 *
 * @param code its number on the wire, 0 to 127, see {@link GnrsOptionType}; unknown numbers are kept as they are
 * @param value its value, at most 255 bytes; treated as immutable
 */
public record GnrsOption(int code, byte[] value) {
    /** Bytes of padding in one option: receivers that read a length as a signed byte skip it too. */
    private static final int PADDING_BYTES_MAX = 127;

    /** Checks number and length. */
    public GnrsOption {
        if (code < 0 || code > 0x7f || value.length > 255) {
            throw new IllegalArgumentException("an option has a number of 0 to 127 and a value of at most 255 bytes, not "
                    + code + " and " + value.length);
        }
    }

    /** Returns the option that allows or forbids the server to follow links and query other servers. */
    public static GnrsOption recursion(boolean wanted) {
        return new GnrsOption(GnrsOptionType.RECURSION.code(), new byte[] {0, (byte) (wanted ? 1 : 0)});
    }

    /** Returns the option with the cache TTL of each binding, in milliseconds. */
    public static GnrsOption ttls(long... millis) {
        return new GnrsOption(GnrsOptionType.TTL.code(), bytes(millis));
    }

    /** Returns the option with the expiry of each binding, in milliseconds since 1970. */
    public static GnrsOption expiries(long... millis) {
        return new GnrsOption(GnrsOptionType.EXPIRATION.code(), bytes(millis));
    }

    /** Returns the option with the number of bindings, where not all are given. */
    public static GnrsOption partial(int total) {
        return new GnrsOption(
                GnrsOptionType.PARTIAL.code(),
                new byte[] {(byte) (total >> 24), (byte) (total >> 16), (byte) (total >> 8), (byte) total});
    }

    /** Returns the option of a client that reads IPv6 and URL addresses. */
    public static GnrsOption accept() {
        return new GnrsOption(GnrsOptionType.ACCEPT.code(), new byte[0]);
    }

    /**
     * Returns the option of a client that reads IPv6 and URL addresses, and answers of {@code answerBytesMax} bytes, at
     * most 65,535.
     */
    public static GnrsOption accept(int answerBytesMax) {
        if (answerBytesMax < 0 || answerBytesMax > 0xffff) {
            throw new IllegalArgumentException("an answer has at most 65535 bytes, not " + answerBytesMax);
        }
        return new GnrsOption(GnrsOptionType.ACCEPT.code(), new byte[] {(byte) (answerBytesMax >> 8), (byte) answerBytesMax});
    }

    /** Returns options that lengthen a message by at least {@code bytes}. */
    public static List<GnrsOption> padding(int bytes) {
        List<GnrsOption> options = new ArrayList<>();
        for (int left = bytes; left > 0; left -= GnrsWire.OPTION_HEADER_BYTES + PADDING_BYTES_MAX) {
            int length = Math.clamp(left - GnrsWire.OPTION_HEADER_BYTES, 0, PADDING_BYTES_MAX);
            options.add(new GnrsOption(GnrsOptionType.PADDING.code(), new byte[length]));
        }
        return options;
    }

    /** Returns whether this is an option of a type. */
    public boolean is(GnrsOptionType type) {
        return code == type.code();
    }

    /** Returns the number in the first byte of the value. */
    public int number8() {
        return Byte.toUnsignedInt(value[0]);
    }

    /** Returns the number in the first two bytes of the value, or 0 if there are none. */
    int number16() {
        return value.length < 2 ? 0 : Short.toUnsignedInt(MemorySegment.ofArray(value).get(GnrsWire.SHORT, 0));
    }

    /** Returns the number in the first four bytes of the value. */
    public int number32() {
        return MemorySegment.ofArray(value).get(GnrsWire.INT, 0);
    }

    long time(int binding) {
        return MemorySegment.ofArray(value).get(GnrsWire.LONG, 8L * binding);
    }

    private static byte[] bytes(long... millis) {
        byte[] bytes = new byte[8 * millis.length];
        for (int i = 0; i < millis.length; i++) {
            MemorySegment.ofArray(bytes).set(GnrsWire.LONG, 8L * i, millis[i]);
        }
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GnrsOption that && code == that.code && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return 31 * code + Arrays.hashCode(value);
    }

    /** Returns its name or number, and the bytes of its value. */
    @Override
    public String toString() {
        GnrsOptionType type = GnrsOptionType.ofCode(code);
        return (type == null ? "option " + code : type.name()) + "=" + HexFormat.of().formatHex(value);
    }
}
