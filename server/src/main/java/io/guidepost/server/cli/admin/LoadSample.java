package io.guidepost.server.cli.admin;

import io.guidepost.server.cli.support.TextTable;
import io.guidepost.web.JsonWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a server did between two scrapes. */
record LoadSample(MetricsSamples before, MetricsSamples now, double seconds) {
    private static final Pattern COUNTED =
            Pattern.compile("guidepost_((?:gnrs|peer|handle|proxidor|alto|scaffold|dns|gateway)_.*|port_drops)_total");
    private static final Pattern SUMMED_OVER = Pattern.compile("(?:worker|port|queue)=\"[^\"]*\",?");
    private static final String DROPS = "guidepost_port_drops_total";
    private static final String PACKETS = "guidepost_port_packets_total";
    private static final String BYTES = "guidepost_port_bytes_total";
    private static final int BITS = 8;
    private static final int REASONS_SHOWN = 3;
    private static final String SERVICE = "guidepost_worker_service_seconds";
    private static final String WRITE = "guidepost_gnrs_write_seconds";
    private static final String OUTAGE = "guidepost_gateway_outage_seconds";

    private double rate(String name, String... labels) {
        return (now.sum(name, labels) - before.sum(name, labels)) / seconds;
    }

    private static String label(String name, String value) {
        return name + "=\"" + value + '"';
    }

    private static String whole(double number) {
        return String.format(Locale.ROOT, "%,.0f", number);
    }

    private static String micros(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        return Double.isInfinite(value) ? "long" : String.format(Locale.ROOT, "≤ %,.0f µs", value * 1e6);
    }

    private static String bytes(double number) {
        return String.format(Locale.ROOT, "%,.1f MiB", number / (1 << 20));
    }

    /** Datagrams in a second, over the sockets of the kernel and the hosts; the frames below hosts are not counted again. */
    private double datagrams(String direction, String... more) {
        double sum = 0;
        for (String port : now.values(PACKETS, "port")) {
            if (port.startsWith("udp") || port.startsWith("host:")) {
                String[] labels = Arrays.copyOf(more, more.length + 2);
                labels[more.length] = label("direction", direction);
                labels[more.length + 1] = label("port", port);
                sum += rate(PACKETS, labels);
            }
        }
        return sum;
    }

    String screen(boolean live) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "Guidepost  %s/s in  %s/s out  processor %.0f %%  heap %s%s%n%n",
                whole(datagrams("in")),
                whole(datagrams("out")),
                100 * rate("process_cpu_seconds_total"),
                bytes(now.sum("guidepost_jvm_heap_bytes", label("state", "used"))),
                live ? "     (q quits)" : ""));
        now.values("guidepost_condition", "condition").forEach(each -> text.append("degraded: ").append(each).append('\n'));
        boolean gateway = now.names().contains("guidepost_gateway_open_flows");
        text.append(workers()).append('\n').append(ports()).append('\n');
        return text.append(gateway ? gateway() : store()).append('\n').append(counters()).toString();
    }

    private TextTable gateway() {
        return new TextTable("flows", "hosts", "routers", "silent", "links down", "resumed", "reset", "outage p50", "p99", "longest")
                .row(
                        whole(now.sum("guidepost_gateway_open_flows")),
                        whole(now.sum("guidepost_gateway_hosts")),
                        whole(now.sum("guidepost_gateway_routers")),
                        whole(now.sum("guidepost_gateway_routers", label("state", "silent"))),
                        whole(now.sum("guidepost_gateway_links", label("state", "down"))),
                        whole(now.sum("guidepost_gateway_resumed_total")),
                        whole(now.sum("guidepost_gateway_reset_total")),
                        outage(0.5),
                        outage(0.99),
                        outage(1));
    }

    /** Outages since the start, in milliseconds: of an interval there are too few. */
    private String outage(double share) {
        double seconds = now.percentile(MetricsSamples.read(""), OUTAGE, share, "");
        return Double.isNaN(seconds) ? "-" : String.format(Locale.ROOT, "≤ %,.1f ms", seconds * 1e3);
    }

    private TextTable workers() {
        TextTable table = new TextTable("worker", "in/s", "out/s", "turn p50", "p99", "write p50", "p99", "sleeps/s");
        for (String worker : now.values("guidepost_worker_moved_total", "worker")) {
            String own = label("worker", worker);
            table.row(
                    worker,
                    whole(datagrams("in", label("queue", worker))),
                    whole(datagrams("out", label("queue", worker))),
                    micros(now.percentile(before, SERVICE, 0.5, own)),
                    micros(now.percentile(before, SERVICE, 0.99, own)),
                    micros(now.percentile(before, WRITE, 0.5, own)),
                    micros(now.percentile(before, WRITE, 0.99, own)),
                    whole(rate("guidepost_worker_sleeps_total", own)));
        }
        return table;
    }

    private TextTable ports() {
        TextTable table = new TextTable("port", "queue", "in/s", "out/s", "Mbit/s in", "out", "burst p50", "drops/s", "why");
        for (String port : now.values(PACKETS, "port")) {
            for (String queue : now.values(PACKETS, "queue")) {
                String in = queueLabels(port, queue, "in");
                String out = queueLabels(port, queue, "out");
                if (now.family(PACKETS).containsKey(in)) {
                    table.row(
                            port,
                            queue,
                            whole(rate(PACKETS, in)),
                            whole(rate(PACKETS, out)),
                            whole(rate(BYTES, in) * BITS / 1e6),
                            whole(rate(BYTES, out) * BITS / 1e6),
                            burst(in),
                            whole(rate(DROPS, in) + rate(DROPS, out)),
                            why(in, out));
                }
            }
        }
        return table;
    }

    private static String queueLabels(String port, String queue, String direction) {
        return label("port", port) + "," + label("queue", queue) + "," + label("direction", direction);
    }

    private String burst(String in) {
        double size = now.percentile(before, "guidepost_port_burst_size", 0.5, in);
        return Double.isNaN(size) ? "-" : "≤ " + whole(size);
    }

    /** The reasons for which a queue drops now, the commonest first. */
    private String why(String in, String out) {
        Map<String, Double> reasons = drops(in, out);
        return reasons.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(REASONS_SHOWN)
                .map(each -> each.getKey() + " " + whole(each.getValue()))
                .collect(Collectors.joining(", "));
    }

    private Map<String, Double> drops(String in, String out) {
        Map<String, Double> reasons = new TreeMap<>();
        for (String reason : now.values(DROPS, "reason")) {
            double perSecond = rate(DROPS, in, label("reason", reason)) + rate(DROPS, out, label("reason", reason));
            if (perSecond > 0) {
                reasons.put(reason, perSecond);
            }
        }
        return reasons;
    }

    private List<Object> portsJson() {
        List<Object> rows = new ArrayList<>();
        for (String port : now.values(PACKETS, "port")) {
            for (String queue : now.values(PACKETS, "queue")) {
                String in = queueLabels(port, queue, "in");
                String out = queueLabels(port, queue, "out");
                if (now.family(PACKETS).containsKey(in)) {
                    rows.add(JsonWriter.object(
                            "port", port,
                            "queue", queue,
                            "inPerSecond", rate(PACKETS, in),
                            "outPerSecond", rate(PACKETS, out),
                            "inBytesPerSecond", rate(BYTES, in),
                            "outBytesPerSecond", rate(BYTES, out),
                            "dropsPerSecond", drops(in, out)));
                }
            }
        }
        return rows;
    }

    private TextTable store() {
        return new TextTable("store", "records", "index", "writes/s", "per group", "failed", "queue full", "expired")
                .row(
                        now.sum("guidepost_store_writable") > 0 ? "writable" : "READ ONLY",
                        whole(now.sum("guidepost_store_records")),
                        bytes(now.sum("guidepost_store_index_bytes")),
                        whole(rate("guidepost_store_writes_total")),
                        perGroup(),
                        whole(now.sum("guidepost_store_writes_failed_total")),
                        whole(now.sum("guidepost_store_queue_full_total")),
                        whole(now.sum("guidepost_store_expired_total")));
    }

    private String perGroup() {
        double groups = rate("guidepost_store_groups_total");
        return groups == 0 ? "-" : String.format(Locale.ROOT, "%.1f", rate("guidepost_store_writes_total") / groups);
    }

    private TextTable counters() {
        TextTable table = new TextTable("counter", "per second", "in all");
        totals(now).forEach((name, total) -> table.row(name, whole(rates().getOrDefault(name, 0.0)), whole(total)));
        return table;
    }

    /** What the doors counted and the ports dropped, by the names of the metrics; summed over workers, ports and queues. */
    private static Map<String, Double> totals(MetricsSamples scrape) {
        Map<String, Double> totals = new TreeMap<>();
        for (String name : scrape.names()) {
            Matcher counted = COUNTED.matcher(name);
            if (counted.matches()) {
                scrape.family(name).forEach((labels, value) -> {
                    String left = SUMMED_OVER.matcher(labels).replaceAll("");
                    totals.merge(counted.group(1) + (left.isEmpty() ? "" : '{' + left + '}'), value, Double::sum);
                });
            }
        }
        totals.values().removeIf(each -> each == 0);
        return totals;
    }

    private Map<String, Double> rates() {
        Map<String, Double> was = totals(before);
        Map<String, Double> rates = totals(now);
        rates.replaceAll((name, total) -> (total - was.getOrDefault(name, 0.0)) / seconds);
        return rates;
    }

    Map<String, Object> json() {
        List<Object> workers = new ArrayList<>();
        for (String worker : now.values("guidepost_worker_moved_total", "worker")) {
            String own = label("worker", worker);
            workers.add(JsonWriter.object(
                    "worker", worker,
                    "turnSecondsP50", now.percentile(before, SERVICE, 0.5, own),
                    "turnSecondsP99", now.percentile(before, SERVICE, 0.99, own),
                    "writeSecondsP50", now.percentile(before, WRITE, 0.5, own),
                    "writeSecondsP99", now.percentile(before, WRITE, 0.99, own)));
        }
        return JsonWriter.object(
                "seconds", seconds,
                "inPerSecond", datagrams("in"),
                "outPerSecond", datagrams("out"),
                "cpu", rate("process_cpu_seconds_total"),
                "workers", workers,
                "ports", portsJson(),
                "perSecond", rates(),
                "total", totals(now));
    }
}
