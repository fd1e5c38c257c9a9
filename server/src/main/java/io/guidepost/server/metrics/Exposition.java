package io.guidepost.server.metrics;

import java.util.Arrays;
import java.util.Locale;

/**
 * Writes metrics as OpenMetrics 1.0 text: families one after another, each with its samples.
 *
 * <pre>
 * # TYPE guidepost_gnrs_answers counter
 * # HELP guidepost_gnrs_answers Answers sent.
 * guidepost_gnrs_answers_total{worker="0"} 17
 * # EOF
 * </pre>
 */
public final class Exposition {
    /** What a scraper is told. */
    public static final String CONTENT_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final StringBuilder text = new StringBuilder(16384);
    private String family = "";
    private String suffix = "";

    /** Starts a family whose samples only grow. */
    public Exposition counter(String name, String help) {
        return start(name, "counter", "_total", help);
    }

    /** Starts a family whose samples go up and down. */
    public Exposition gauge(String name, String help) {
        return start(name, "gauge", "", help);
    }

    /** Starts a family of one sample of value 1, whose labels say something. */
    public Exposition info(String name, String help) {
        return start(name, "info", "_info", help);
    }

    /** Starts a family of histograms. */
    public Exposition histogram(String name, String help) {
        return start(name, "histogram", "", help);
    }

    private Exposition start(String name, String type, String sampleSuffix, String help) {
        family = name;
        suffix = sampleSuffix;
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        for (String unit : new String[] {"seconds", "bytes"}) {
            if (name.endsWith("_" + unit)) {
                text.append("# UNIT ").append(name).append(' ').append(unit).append('\n');
            }
        }
        text.append("# HELP ").append(name).append(' ').append(escape(help)).append('\n');
        return this;
    }

    /** Adds a sample; labels are names and values in turn. */
    public Exposition sample(long value, String... labels) {
        line(suffix, Long.toString(value), labels);
        return this;
    }

    /** Adds a sample that need not be whole. */
    public Exposition sample(double value, String... labels) {
        line(suffix, Double.toString(value), labels);
        return this;
    }

    /**
     * Adds a histogram whose buckets double: bucket {@code i} counts the values up to {@code 2^i} units that are above
     * those of the bucket before, and the last all that are larger. The sum is not known, so the count is left to the
     * last bucket: OpenMetrics wants both or none.
     *
     * @param buckets counts, not cumulated
     * @param unit what one unit is in the family's unit, such as 1e-9 for nanoseconds in seconds
     * @param labels names and values in turn
     */
    public Exposition doubling(long[] buckets, double unit, String... labels) {
        long count = 0;
        String[] bounded = Arrays.copyOf(labels, labels.length + 2);
        bounded[labels.length] = "le";
        for (int i = 0; i < buckets.length; i++) {
            count += buckets[i];
            boolean last = i == buckets.length - 1;
            bounded[labels.length + 1] = last ? "+Inf" : Double.toString(Math.scalb(unit, i));
            line("_bucket", Long.toString(count), bounded);
        }
        return this;
    }

    /** Adds a histogram as above, of which the sum is known too, in the family's unit. */
    public Exposition doubling(long[] buckets, double unit, double sum, String... labels) {
        doubling(buckets, unit, labels);
        line("_sum", Double.toString(sum), labels);
        line("_count", Long.toString(Arrays.stream(buckets).sum()), labels);
        return this;
    }

    private void line(String sampleSuffix, String value, String... labels) {
        text.append(family).append(sampleSuffix);
        for (int i = 0; i < labels.length; i += 2) {
            text.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"").append(escape(labels[i + 1])).append('"');
        }
        text.append(labels.length == 0 ? " " : "} ").append(value).append('\n');
    }

    private static String escape(String value) {
        return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\"", "\\\"");
    }

    /** The label or name of a constant: lower case with underscores. */
    public static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** Everything, with the mark of its end. */
    public String finish() {
        return text + "# EOF\n";
    }
}
