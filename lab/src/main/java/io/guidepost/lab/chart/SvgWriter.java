package io.guidepost.lab.chart;

import java.util.Locale;

/** Writes shapes as SVG 1.1. Not thread-safe. */
final class SvgWriter {
    private final StringBuilder text = new StringBuilder();

    SvgWriter(int width, int height, String title) {
        open(
                "svg",
                "xmlns", "http://www.w3.org/2000/svg",
                "width", width,
                "height", height,
                "viewBox", "0 0 " + width + " " + height,
                "font-family", "sans-serif",
                "fill", "#222222",
                "role", "img");
        text.append(">\n<title>").append(escaped(title)).append("</title>\n");
        box(0, 0, width, height, "#ffffff");
    }

    /** Begins an element with its attributes, names and values in turn; empty ones are left out. */
    private void open(String name, Object... attributes) {
        text.append('<').append(name);
        for (int i = 0; i < attributes.length; i += 2) {
            String value = attributes[i + 1] instanceof Double number ? tenth(number) : attributes[i + 1].toString();
            if (!value.isEmpty()) {
                text.append(' ').append(attributes[i]).append("=\"").append(escaped(value)).append('"');
            }
        }
    }

    private static String tenth(double number) {
        return String.format(Locale.ROOT, "%.1f", number);
    }

    private static String escaped(String plain) {
        return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    void box(double x, double y, double width, double height, String colour) {
        open("rect", "x", x, "y", y, "width", width, "height", height, "fill", colour);
        text.append("/>\n");
    }

    void line(double x1, double y1, double x2, double y2, String colour, double width, String dashes) {
        open(
                "line",
                "x1", x1, "y1", y1, "x2", x2, "y2", y2,
                "stroke", colour, "stroke-width", width, "stroke-dasharray", dashes);
        text.append("/>\n");
    }

    /** Writes text at a point; the anchor is start, middle or end. */
    void text(double x, double y, String anchor, int size, String plain) {
        open("text", "x", x, "y", y, "text-anchor", anchor, "font-size", size);
        text.append('>').append(escaped(plain)).append("</text>\n");
    }

    /** Writes text from below to above, its middle at a point. */
    void upwards(double x, double y, int size, String plain) {
        String turned = "translate(" + tenth(x) + " " + tenth(y) + ") rotate(-90)";
        open("text", "transform", turned, "text-anchor", "middle", "font-size", size);
        text.append('>').append(escaped(plain)).append("</text>\n");
    }

    /** Writes a line through points, each given as x and y. */
    void path(double[][] points, String colour, String dashes) {
        StringBuilder path = new StringBuilder();
        for (double[] point : points) {
            path.append(path.isEmpty() ? "M" : "L").append(tenth(point[0])).append(' ').append(tenth(point[1]));
        }
        open(
                "path",
                "d", path, "fill", "none", "stroke", colour, "stroke-width", 2.2,
                "stroke-linejoin", "round", "stroke-dasharray", dashes);
        text.append("/>\n");
    }

    /** Returns the whole image. */
    String end() {
        return text + "</svg>\n";
    }
}
