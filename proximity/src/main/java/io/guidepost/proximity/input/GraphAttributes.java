package io.guidepost.proximity.input;

import io.guidepost.base.Address;
import io.guidepost.proximity.oracle.OracleDecimals;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The attributes of a node or an edge in a format that leaves their names to its users. These names are known, whatever
 * their case, blanks and punctuation:
 *
 * <pre>
 * node   address     id, loopback, router-id, address, ip, ipv4, ipv6, or the name, where they are an address
 *        addresses   addresses: further ones, with commas, semicolons or blanks between them
 *        name        label, name
 *        place       latitude or lat, longitude or lon or lng, in degrees; pos = [longitude, latitude]
 * line   latency     latency, delay, latency-ms, delay-ms: ms; latency-us, delay-us: µs
 *        length      dist, distance, length, with or without km: km
 *        bandwidth   bandwidth, bw, capacity, mbps: Mbit/s; link-speed-raw, bps: bit/s;
 *                    link-speed with link-speed-units K, M, G or T (the Topology Zoo's)
 *        congestion  congestion
 *        weight      weight, metric, igp-metric, cost
 * </pre>
 */
final class GraphAttributes {
    private static final List<String> IDS = List.of("loopback", "routerid", "address", "ip", "ipv4", "ipv6", "id");
    private static final List<String> NAMES = List.of("label", "name");
    private static final List<String> LATITUDES = List.of("latitude", "lat");
    private static final List<String> LONGITUDES = List.of("longitude", "lon", "lng");

    /** Names of a number with the factor to the right unit; the first that is present counts. */
    private record Unit(String name, double factor) {}

    private static final List<Unit> LATENCY = List.of(
            new Unit("latency", 1),
            new Unit("delay", 1),
            new Unit("latencyms", 1),
            new Unit("delayms", 1),
            new Unit("latencyus", 1e-3),
            new Unit("delayus", 1e-3));
    private static final List<Unit> LENGTH = List.of(
            new Unit("dist", 1),
            new Unit("distance", 1),
            new Unit("length", 1),
            new Unit("distkm", 1),
            new Unit("distancekm", 1),
            new Unit("lengthkm", 1));
    private static final List<Unit> BANDWIDTH = List.of(
            new Unit("bandwidth", 1),
            new Unit("bw", 1),
            new Unit("capacity", 1),
            new Unit("mbps", 1),
            new Unit("linkspeedraw", 1e-6),
            new Unit("bps", 1e-6));
    private static final List<Unit> CONGESTION = List.of(new Unit("congestion", 1));
    private static final List<Unit> WEIGHT =
            List.of(new Unit("weight", 1), new Unit("metric", 1), new Unit("igpmetric", 1), new Unit("cost", 1));
    private static final Map<String, Double> SPEED_UNITS = Map.of("K", 1e-3, "M", 1.0, "G", 1e3, "T", 1e6);

    private final Map<String, String> values = new HashMap<>();

    /** Adds an attribute as it is written. */
    void put(String name, String value) {
        values.put(name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT), value.strip());
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    /** Returns the text of an attribute; empty if it is absent. */
    String text(String name) {
        return values.getOrDefault(name, "");
    }

    private Optional<String> first(List<String> names) {
        return names.stream().filter(values::containsKey).map(this::text).filter(each -> !each.isEmpty()).findFirst();
    }

    private double degrees(List<String> names) {
        return first(names).map(OracleDecimals::parse).orElse(Double.NaN);
    }

    /** Returns the node that these attributes describe; its key is the default name. */
    InputGraph.Node node(String key) {
        String name = first(NAMES).orElse(key);
        Optional<Address> id = IDS.stream().map(this::text).flatMap(each -> InputGraph.address(each).stream()).findFirst();
        return new InputGraph.Node(
                name,
                id.or(() -> InputGraph.address(name)).or(() -> InputGraph.address(key)),
                Arrays.stream(text("addresses").split("[\\s,;]+", -1)).flatMap(each -> InputGraph.address(each).stream()).toList(),
                degrees(LATITUDES),
                degrees(LONGITUDES));
    }

    /**
     * Returns the edge that these attributes describe; an invalid number becomes a warning of the graph, and unknown.
     */
    EdgeAttributes traits(InputGraph graph, long line) {
        double bandwidth = number(BANDWIDTH, graph, line);
        if (Double.isNaN(bandwidth) && has("linkspeed")) {
            double unit = SPEED_UNITS.getOrDefault(text("linkspeedunits").toUpperCase(Locale.ROOT), Double.NaN);
            bandwidth = number(List.of(new Unit("linkspeed", unit)), graph, line);
        }
        return new EdgeAttributes(
                number(LATENCY, graph, line),
                number(LENGTH, graph, line),
                bandwidth,
                number(CONGESTION, graph, line),
                number(WEIGHT, graph, line));
    }

    private double number(List<Unit> names, InputGraph graph, long line) {
        for (Unit each : names) {
            String text = text(each.name);
            if (!text.isEmpty()) {
                double number = OracleDecimals.parse(text);
                if (number >= 0) {
                    return number * each.factor;
                }
                graph.warn(line, "'" + text + "' of " + each.name + " is not a number of 0 or more, and is ignored");
            }
        }
        return Double.NaN;
    }
}
