package io.guidepost.server.cli.admin;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The samples of one scrape of {@code /metrics}, as this program writes them. */
final class MetricsSamples {
    private final Map<String, Map<String, Double>> families = new LinkedHashMap<>();

    /** Reads the text; lines that are no samples are passed over. */
    static MetricsSamples read(String text) {
        MetricsSamples metrics = new MetricsSamples();
        text.lines().filter(each -> !each.startsWith("#")).forEach(metrics::line);
        return metrics;
    }

    private void line(String line) {
        int space = line.lastIndexOf(' ');
        int brace = line.indexOf('{');
        if (space < 0) {
            return;
        }
        String name = line.substring(0, brace < 0 ? space : brace);
        String labels = brace < 0 ? "" : line.substring(brace + 1, line.lastIndexOf('}'));
        try {
            families.computeIfAbsent(name, each -> new LinkedHashMap<>())
                    .put(labels, Double.valueOf(line.substring(space + 1)));
        } catch (NumberFormatException e) {
            families.computeIfAbsent(name, each -> new LinkedHashMap<>()).put(labels, Double.NaN);
        }
    }

    /** The sum of a family's samples that carry all the labels given as {@code name="value"}; 0 if there are none. */
    double sum(String name, String... labels) {
        double sum = 0;
        for (Map.Entry<String, Double> each : family(name).entrySet()) {
            if (java.util.Arrays.stream(labels).allMatch(each.getKey()::contains)) {
                sum += each.getValue();
            }
        }
        return sum;
    }

    Set<String> names() {
        return families.keySet();
    }

    Map<String, Double> family(String name) {
        return families.getOrDefault(name, Map.of());
    }

    Set<String> values(String name, String label) {
        Set<String> values = new LinkedHashSet<>();
        for (String labels : family(name).keySet()) {
            String value = value(labels, label);
            if (value != null) {
                values.add(value);
            }
        }
        return values;
    }

    private static @Nullable String value(String labels, String label) {
        String start = label + "=\"";
        int from = labels.startsWith(start) ? 0 : labels.indexOf("," + start) + 1;
        if (!labels.startsWith(start, from)) {
            return null;
        }
        return labels.substring(from + start.length(), labels.indexOf('"', from + start.length()));
    }

    /**
     * A percentile of what a histogram took in since an earlier scrape: the upper bound of its bucket.
     *
     * @param share such as 0.99
     * @param own a label that the samples carry
     * @return NaN if nothing came in
     */
    double percentile(MetricsSamples before, String name, double share, String own) {
        Map<Double, Double> buckets = new java.util.TreeMap<>();
        family(name + "_bucket").forEach((labels, count) -> {
            if (!labels.contains(own)) {
                return;
            }
            Double was = before.family(name + "_bucket").get(labels);
            String bound = value(labels, "le");
            double upper = bound == null || bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound);
            buckets.merge(upper, count - (was == null ? 0 : was), Double::sum);
        });
        double all = buckets.getOrDefault(Double.POSITIVE_INFINITY, 0.0);
        for (Map.Entry<Double, Double> each : buckets.entrySet()) {
            if (all > 0 && each.getValue() >= share * all) {
                return each.getKey();
            }
        }
        return Double.NaN;
    }
}
