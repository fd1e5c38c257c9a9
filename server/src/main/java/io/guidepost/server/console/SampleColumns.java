package io.guidepost.server.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The samples of {@code /metrics} as numbered columns, summed over workers and queues. A column begins when its value is not 0
 * for the first time and keeps its number, so that a viewer needs each name once.
 */
final class SampleColumns {
    private static final Pattern SUMMED_OVER = Pattern.compile("(?:worker|queue)=\"[^\"]*\",?");
    private static final int NONE = -1;

    /** What the console does not show, and what would be a third of all. */
    private static final String LEFT_OUT = "guidepost_port_burst_size";

    private final Map<String, Integer> columns = new HashMap<>();
    private final Map<String, Integer> names = new HashMap<>();
    private final List<String> order = new ArrayList<>();
    private double[] now = new double[256];

    /** Names by number. */
    List<String> names() {
        return order;
    }

    /** Reads a scrape; returns the values by number. */
    double[] read(String metrics) {
        Arrays.fill(now, 0);
        int from = 0;
        while (from < metrics.length()) {
            int end = metrics.indexOf('\n', from);
            end = end < 0 ? metrics.length() : end;
            // Most samples are 0 for ever: such a line changes no sum, and needs no name.
            boolean zero = metrics.startsWith(" 0", end - 2);
            if (!zero && metrics.charAt(from) != '#' && !metrics.startsWith(LEFT_OUT, from)) {
                line(metrics.substring(from, end));
            }
            from = end + 1;
        }
        return Arrays.copyOf(now, order.size());
    }

    private void line(String line) {
        int space = line.lastIndexOf(' ');
        if (space < 0) {
            return;
        }
        String sample = line.substring(0, space);
        String value = line.substring(space + 1);
        int column = columns.getOrDefault(sample, NONE);
        if (column == NONE) {
            if (value.equals("0") || value.equals("0.0")) {
                return;
            }
            String name = SUMMED_OVER.matcher(sample).replaceAll("").replace(",}", "}").replace("{}", "");
            column = names.computeIfAbsent(name, each -> {
                order.add(each);
                return order.size() - 1;
            });
            columns.put(sample, column);
            now = column < now.length ? now : Arrays.copyOf(now, 2 * now.length);
        }
        try {
            now[column] += Double.parseDouble(value);
        } catch (NumberFormatException e) {
            now[column] = Double.NaN;
        }
    }
}
