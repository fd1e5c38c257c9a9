package io.guidepost.gnrs;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * One option of a message, in object form.
 *
 * @param code its number on the wire, 0 to 127, see {@link OptionType}; numbers that are not there are kept as they are
 * @param value its value, at most 255 bytes; treated as immutable
 */
public record Option(int code, byte[] value) {
    /** Bytes of padding in one option: receivers that read a length as a signed byte skip it too. */
    private static final int PADDING_BYTES_MAX = 127;

    /** Checks number and length. */
    public Option {
        if (code < 0 || code > 0x7f || value.length > 255) {
            throw new IllegalArgumentException("an option has a number of 0 to 127 and a value of at most 255 bytes, not "
                    + code + " and " + value.length);
        }
    }

    /** Says whether the server may follow links and ask other servers. */
    public static Option recursion(boolean wanted) {
        return new Option(OptionType.RECURSION.code(), new byte[] {0, (byte) (wanted ? 1 : 0)});
    }

    /** The cache lifetime of each binding, in milliseconds. */
    public static Option ttls(long... millis) {
        return new Option(OptionType.TTL.code(), bytes(millis));
    }

    /** The end of each binding, in milliseconds since 1970. */
    public static Option expiries(long... millis) {
        return new Option(OptionType.EXPIRATION.code(), bytes(millis));
    }

    /** Says how many bindings there are, where not all are given. */
    public static Option partial(int total) {
        return new Option(
                OptionType.PARTIAL.code(),
                new byte[] {(byte) (total >> 24), (byte) (total >> 16), (byte) (total >> 8), (byte) total});
    }

    /** Says that the asker reads IPv6 and URL addresses. */
    public static Option accept() {
        return new Option(OptionType.ACCEPT.code(), new byte[0]);
    }

    /** Says that the asker reads IPv6 and URL addresses, and answers of so many bytes, at most 65,535. */
    public static Option accept(int answerBytesMax) {
        if (answerBytesMax < 0 || answerBytesMax > 0xffff) {
            throw new IllegalArgumentException("an answer has at most 65535 bytes, not " + answerBytesMax);
        }
        return new Option(OptionType.ACCEPT.code(), new byte[] {(byte) (answerBytesMax >> 8), (byte) answerBytesMax});
    }

    /** Options that lengthen a message by at least so many bytes. */
    public static List<Option> padding(int bytes) {
        List<Option> options = new ArrayList<>();
        for (int left = bytes; left > 0; left -= Wire.OPTION_HEADER_BYTES + PADDING_BYTES_MAX) {
            int length = Math.clamp(left - Wire.OPTION_HEADER_BYTES, 0, PADDING_BYTES_MAX);
            options.add(new Option(OptionType.PADDING.code(), new byte[length]));
        }
        return options;
    }

    /** Whether this is an option of a type. */
    public boolean is(OptionType type) {
        return code == type.code();
    }

    /** The number in the first two bytes of the value, or 0 if there are none. */
    int number16() {
        return value.length < 2 ? 0 : Short.toUnsignedInt(MemorySegment.ofArray(value).get(Wire.SHORT, 0));
    }

    /** The number in the first four bytes of the value. */
    int number32() {
        return MemorySegment.ofArray(value).get(Wire.INT, 0);
    }

    /** The time of a binding. */
    long time(int binding) {
        return MemorySegment.ofArray(value).get(Wire.LONG, 8L * binding);
    }

    private static byte[] bytes(long... millis) {
        byte[] bytes = new byte[8 * millis.length];
        for (int i = 0; i < millis.length; i++) {
            MemorySegment.ofArray(bytes).set(Wire.LONG, 8L * i, millis[i]);
        }
        return bytes;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Option that && code == that.code && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return 31 * code + Arrays.hashCode(value);
    }

    /** Its name or number, and the bytes of its value. */
    @Override
    public String toString() {
        OptionType type = OptionType.ofCode(code);
        return (type == null ? "option " + code : type.name()) + "=" + HexFormat.of().formatHex(value);
    }
}
