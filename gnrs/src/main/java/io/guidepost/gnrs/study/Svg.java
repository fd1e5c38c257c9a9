package io.guidepost.gnrs.study;

import java.util.Locale;

/** Writes the shapes of a picture as SVG 1.1. Not thread-safe. */
final class Svg {
    private final StringBuilder text = new StringBuilder();

    Svg(int width, int height, String title) {
        put("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" fill=\"#222222\" role=\"img\">\n",
                width, height, width, height);
        put("<title>%s</title>\n", escaped(title));
        box(0, 0, width, height, "#ffffff");
    }

    private void put(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values));
    }

    private static String escaped(String plain) {
        return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    void box(double x, double y, double width, double height, String colour) {
        put("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x, y, width, height, colour);
    }

    void line(double x1, double y1, double x2, double y2, String colour, double width, String dashes) {
        put(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"%s/>\n",
                x1, y1, x2, y2, colour, width, dashed(dashes));
    }

    private static String dashed(String dashes) {
        return dashes.isEmpty() ? "" : " stroke-dasharray=\"" + dashes + "\"";
    }

    /** Text at a point; the anchor is start, middle or end. */
    void text(double x, double y, String anchor, int size, String plain) {
        put(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\">%s</text>\n",
                x, y, anchor, size, escaped(plain));
    }

    /** Text from below to above, its middle at a point. */
    void upwards(double x, double y, int size, String plain) {
        put(
                "<text transform=\"translate(%.1f %.1f) rotate(-90)\" text-anchor=\"middle\" font-size=\"%d\">%s</text>\n",
                x, y, size, escaped(plain));
    }

    /** A line through points, each given as x and y. */
    void path(double[][] points, String colour, String dashes) {
        StringBuilder path = new StringBuilder();
        for (double[] point : points) {
            path.append(path.isEmpty() ? "M" : "L").append(String.format(Locale.ROOT, "%.1f %.1f", point[0], point[1]));
        }
        put(
                "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2.2\" stroke-linejoin=\"round\"%s/>\n",
                path, colour, dashed(dashes));
    }

    /** The whole picture. */
    String end() {
        return text + "</svg>\n";
    }
}
