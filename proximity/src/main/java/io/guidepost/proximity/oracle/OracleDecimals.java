package io.guidepost.proximity.oracle;

/** Decimal numbers in the syntax of the Oracle's files and console. */
public final class OracleDecimals {
    private static final double WHOLE_MAX = 1e15;

    private OracleDecimals() {}

    /** Parses digits with an optional sign, point and exponent; returns NaN for anything else. */
    public static double parse(String text) {
        for (int i = 0; i < text.length(); i++) {
            // The library would also accept NaN, 0x1p3 and 1d.
            if ("0123456789.+-eE".indexOf(text.charAt(i)) < 0) {
                return Double.NaN;
            }
        }
        try {
            double number = Double.parseDouble(text);
            return Double.isInfinite(number) ? Double.NaN : number;
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** Formats a number so that {@link #parse} gives the same, and whole ones without a point. */
    public static String text(double number) {
        return number == Math.rint(number) && Math.abs(number) < WHOLE_MAX
                ? Long.toString((long) number)
                : Double.toString(number);
    }
}
