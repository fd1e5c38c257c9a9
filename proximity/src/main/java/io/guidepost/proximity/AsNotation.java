package io.guidepost.proximity;

/** Notations of AS numbers. */
public enum AsNotation {
    /** Decimal, or two decimal halves with a dot between (RFC 5396 asdot): {@code 65536} and {@code 1.0} are the same. */
    PLAIN,
    /** As Java decodes numbers, which the older GNRS servers do: {@code 0x10} is 16, and {@code 010} is 8. */
    JAVA;

    /** The largest AS number (RFC 6793). */
    public static final long MAX = 0xffffffffL;

    private static final long HALF_MAX = 0xffff;

    /** Returns the expected form, for error messages. */
    public String expected() {
        return this == PLAIN
                ? "a number from 0 to 4294967295, or two halves such as 1.0"
                : "a number from 0 to 4294967295, in octal after 0 or in hexadecimal after 0x";
    }

    /** Parses the characters of a field; returns -1 if they are no number in this notation. */
    public long parse(byte[] bytes, int from, int to) {
        return this == PLAIN ? plain(bytes, from, to) : java(bytes, from, to);
    }

    private static long plain(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] == '.') {
                long high = digits(bytes, from, i, 10, HALF_MAX);
                long low = digits(bytes, i + 1, to, 10, HALF_MAX);
                return high < 0 || low < 0 ? -1 : high << 16 | low;
            }
        }
        return digits(bytes, from, to, 10, MAX);
    }

    private static long java(byte[] bytes, int from, int to) {
        boolean zero = to - from > 1 && bytes[from] == '0';
        if (zero && (bytes[from + 1] | 0x20) == 'x') {
            return digits(bytes, from + 2, to, 16, MAX);
        }
        return digits(bytes, from, to, zero ? 8 : 10, MAX);
    }

    private static long digits(byte[] bytes, int from, int to, int radix, long max) {
        long number = from < to ? 0 : -1;
        for (int i = from; i < to && number >= 0; i++) {
            int digit = Character.digit(bytes[i], radix);
            number = digit < 0 ? -1 : number * radix + digit;
            if (number > max) {
                return -1;
            }
        }
        return number;
    }
}
