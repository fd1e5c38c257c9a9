package io.guidepost.alto.map;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.cost.CostTable;
import io.guidepost.alto.endpoint.EndpointCosts;
import io.guidepost.alto.path.AltoPaths;
import io.guidepost.alto.path.TopologyPaths;
import io.guidepost.alto.property.EntityProperties;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.ranking.PathMetrics;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.topology.PrefixAttachment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;

/**
 * Builds the ALTO snapshot of a topology: one PID for the networks at each router of the operator, one for each
 * distinct set of exits of external networks, and one for all unknown addresses.
 *
 * <p>{@link PidNames} names the PIDs. Only the cost of the ranking function is published, unless the settings allow
 * more metrics. A block inside another block of the same PID is left out. All members of a PID have the same costs: where the
 * ranking function distinguishes AS numbers, so do PIDs. If that gives more than {@link AltoLimits#PIDS_MAX} PIDs, they are
 * made without AS numbers, and there are no costs between them; endpoint costs are exact all the same.
 */
public final class TopologyMapBuilder {
    /** The metric of the ranking function. */
    public static final String ROUTING_COST = "routingcost";

    /** Id of the network map. */
    public static final String MAP = "net";

    /** Name of the PID of addresses that match no prefix. */
    public static final String ELSEWHERE = "elsewhere";

    /** Name of the property that has the AS number of an address. */
    public static final String AS_NUMBER = "asn";

    /** How each metric is computed from a path, in the units of RFC 9439: microseconds and bytes per second. */
    private static final Map<String, ToDoubleFunction<PathMetrics>> KNOWN = Map.of(
            "hopcount", way -> way.hops() + way.asDistance(),
            "delay-ow", way -> way.latency() * 1000,
            "bw-available", way -> way.bandwidth() * 125_000,
            "tput", way -> way.bandwidth() * 125_000);

    private final Ranking ranking;
    private final Settings settings;
    private final int[] pidOfPlace;
    private final List<Integer> placeOfPid = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private int inside;

    /** Whether all members of each PID have the same costs. */
    private boolean exact = true;

    /**
     * What is published and what is hidden.
     *
     * @param metrics published metrics: {@code routingcost}, and those of {@link #metrics} that the operator allows
     * @param names of PIDs
     * @param tellsRouters whether path vectors contain router addresses
     * @param tellsPaths whether path vectors are published (RFC 9275), which reveal the number of elements of a path
     *     and which ones paths share
     * @param tellsAsNumbers whether the AS number of an address is published as a property
     */
    public record Settings(
            List<CostMetric> metrics,
            PidNames names,
            boolean tellsRouters,
            boolean tellsPaths,
            boolean tellsAsNumbers) {
        /** Copies the list, and checks that all metrics are known. */
        public Settings {
            metrics = List.copyOf(metrics);
            for (CostMetric each : metrics) {
                if (!each.name().equals(ROUTING_COST) && !KNOWN.containsKey(each.name())) {
                    throw new IllegalArgumentException(
                            "'" + each.name() + "' is not known of a topology: write routingcost or one of "
                                    + TopologyMapBuilder.metrics());
                }
            }
        }
    }

    /** Returns the metrics of a topology besides the routing cost. */
    public static List<String> metrics() {
        return KNOWN.keySet().stream().sorted().toList();
    }

    private TopologyMapBuilder(Ranking ranking, Settings settings) {
        this.ranking = ranking;
        this.settings = settings;
        this.pidOfPlace = new int[ranking.places() + 1];
    }

    /** Builds the snapshot; its version is that of the ranking. */
    public static AltoSnapshot of(Ranking ranking, Settings settings) {
        return new TopologyMapBuilder(ranking, settings).information();
    }

    private AltoSnapshot information() {
        classify();
        NetworkMap map = map();
        Map<String, CostTable> tables = new HashMap<>();
        for (CostMetric each : exact ? settings.metrics : List.<CostMetric>of()) {
            tables.put(each.name(), table(each.name()));
        }
        SortedMap<String, EntityProperties.OfAddresses> properties = new TreeMap<>();
        if (settings.tellsAsNumbers) {
            properties.put(AS_NUMBER, new AsNumbers(ranking));
        }
        int[] places = placeOfPid.stream().mapToInt(Integer::intValue).toArray();
        Optional<AltoPaths> paths = settings.tellsPaths
                ? Optional.of(new TopologyPaths(ranking, places, settings.tellsRouters))
                : Optional.empty();
        return new AltoSnapshot(
                ranking.version(), List.of(map), Map.of(MAP, tables), settings.metrics, new OfPlaces(ranking),
                new EntityProperties(properties, new TreeMap<>()), paths, Optional.of(ranking));
    }

    /** How a place is attached, with the AS numbers that the ranking function distinguishes, in a canonical order. */
    private record Kind(boolean inside, String ways) implements Comparable<Kind> {
        static Kind of(List<PrefixAttachment> attachments, boolean withAsNumbers) {
            boolean inside = attachments.stream().anyMatch(PrefixAttachment::internal);
            StringBuilder ways = new StringBuilder();
            attachments.stream()
                    .filter(each -> each.internal() == inside)
                    .sorted((left, right) -> left.router().compareTo(right.router()))
                    .forEach(each -> ways.append("%016x%016x %08x ".formatted(
                                    each.router().high(), each.router().low(), each.asDistance()))
                            .append(withAsNumbers && each.asNumber() != 0 ? "AS" + each.asNumber() + " " : ""));
            return new Kind(inside, ways.toString());
        }

        @Override
        public int compareTo(Kind other) {
            int order = Boolean.compare(other.inside, inside);
            return order != 0 ? order : ways.compareTo(other.ways);
        }
    }

    private SortedMap<Kind, List<Integer>> kinds(boolean withAsNumbers) {
        boolean[] told = new boolean[pidOfPlace.length];
        ranking.forEachPrefix((_, place) -> told[place] = true);
        SortedMap<Kind, List<Integer>> kinds = new TreeMap<>();
        for (int place = 1; place < pidOfPlace.length; place++) {
            // A router's own address is a place, but not one of the map.
            if (told[place]) {
                kinds.computeIfAbsent(Kind.of(ranking.attachments(place), withAsNumbers), _ -> new ArrayList<>()).add(place);
            }
        }
        return kinds;
    }

    private void classify() {
        SortedMap<Kind, List<Integer>> kinds = kinds(true);
        if (kinds.size() >= AltoLimits.PIDS_MAX) {
            SortedMap<Kind, List<Integer>> coarse = kinds(false);
            exact = coarse.size() == kinds.size();
            if (!exact) {
                // Not in a static field: the table of configuration keys names this class, before the log's level is known.
                System.getLogger(TopologyMapBuilder.class.getName()).log(
                        System.Logger.Level.WARNING,
                        "the ranking function distinguishes {0} kinds of networks by their AS numbers; a network map has at most {1} PIDs: "
                                + "PIDs are made without AS numbers, and no costs between them are told (endpoint costs are)",
                        kinds.size(),
                        AltoLimits.PIDS_MAX);
            }
            kinds = coarse;
        }
        int elsewhere = kinds.size();
        Arrays.fill(pidOfPlace, elsewhere);
        // The order of names reveals nothing about the routers.
        SortedMap<String, List<Integer>> insideByName = new TreeMap<>();
        SortedMap<String, List<Integer>> outsideByName = new TreeMap<>();
        Set<String> taken = new HashSet<>(Set.of(ELSEWHERE));
        kinds.forEach((kind, places) ->
                (kind.inside ? insideByName : outsideByName).put(free(taken, name(kind, places.getFirst())), places));
        inside = insideByName.size();
        insideByName.forEach(this::pid);
        outsideByName.forEach(this::pid);
        placeOfPid.add(Ranking.NOWHERE);
        names.add(ELSEWHERE);
    }

    private void pid(String name, List<Integer> places) {
        places.forEach(each -> pidOfPlace[each] = names.size());
        placeOfPid.add(places.getFirst());
        names.add(name);
    }

    private String name(Kind kind, int place) {
        return settings.names.name(
                kind.inside,
                ranking.attachments(place).stream().filter(each -> each.internal() == kind.inside).toList(),
                kind.ways);
    }

    /** Returns a free name: if two hashes collide, the second gets a suffix. */
    private static String free(Set<String> taken, String name) {
        String free = name;
        for (int number = 2; !taken.add(free); number++) {
            free = name + '-' + number;
        }
        return free;
    }

    private NetworkMap map() {
        NetworkMap.Builder builder = new NetworkMap.Builder(MAP, names);
        int elsewhere = names.size() - 1;
        Prefix everywhereIpv4 = Prefix.ofIpv4(0, 0);
        Prefix everywhere = new Prefix(0, 0, 0);
        boolean[] whole = new boolean[2];
        ranking.forEachPrefix((prefix, place) -> {
            whole[prefix.isIpv4() ? 0 : 1] |= prefix.equals(everywhereIpv4) || prefix.equals(everywhere);
            builder.addInOrder(pidOfPlace[place], prefix);
        });
        if (!whole[0]) {
            builder.add(elsewhere, everywhereIpv4);
        }
        if (!whole[1]) {
            builder.add(elsewhere, everywhere);
        }
        return builder.build((high, low) -> pidOfPlace[ranking.place(high, low)]);
    }

    /** Returns whether a block contains another one; IPv4 blocks are in no IPv6 block. */
    private static boolean contains(Prefix outer, Prefix inner) {
        return outer.isIpv4() == inner.isIpv4()
                && outer.length() <= inner.length()
                && outer.contains(inner.high(), inner.low());
    }

    private CostTable table(String metric) {
        OfPlaces costs = new OfPlaces(ranking);
        int[] places = placeOfPid.stream().mapToInt(Integer::intValue).toArray();
        // The full cost map of a small network has all costs; of a large one only those from inside.
        int tellingFrom = (long) places.length * places.length <= AltoLimits.SMALL_MAP_PAIRS ? places.length : inside;
        return new CostTable() {
            @Override
            public double cost(int from, int to) {
                return costs.cost(metric, places[from], places[to]);
            }

            @Override
            public boolean tellsFrom(int pid) {
                return pid < tellingFrom;
            }
        };
    }

    /** Endpoint costs from the places of a ranking. */
    private record OfPlaces(Ranking ranking) implements EndpointCosts {
        @Override
        public int place(long high, long low) {
            return ranking.place(high, low);
        }

        @Override
        public double cost(String metric, int from, int to) {
            return fromRouter(metric, ranking.source(from), to);
        }

        @Override
        public void costs(String metric, int from, int[] to, int count, double[] costs) {
            int source = ranking.source(from);
            for (int i = 0; i < count; i++) {
                costs[i] = fromRouter(metric, source, to[i]);
            }
        }

        private double fromRouter(String metric, int source, int to) {
            if (metric.equals(ROUTING_COST)) {
                return finite(ranking.cost(source, to));
            }
            ToDoubleFunction<PathMetrics> known = KNOWN.get(metric);
            return known == null
                    ? Double.NaN
                    : finite(ranking.metrics(source, to).map(known::applyAsDouble).orElse(Double.NaN));
        }

        /** Replaces infinity, which JSON does not have, by unknown. */
        private static double finite(double cost) {
            return Double.isInfinite(cost) ? Double.NaN : cost;
        }
    }

    /** The AS number of an address; blocks are not listed, as the Internet has a million. */
    private record AsNumbers(Ranking ranking) implements EntityProperties.OfAddresses {
        @Override
        public Optional<String> of(Address address) {
            long number = ranking.asNumber(address.high(), address.low());
            return number == 0 ? Optional.empty() : Optional.of(Long.toString(number));
        }

        @Override
        public Optional<String> of(Prefix block) {
            // The match of the first address may lie inside the block; then the block as a whole has no AS.
            return ranking.longest(block.high(), block.low()).filter(each -> contains(each, block)).isPresent()
                    ? of(new Address(block.high(), block.low()))
                    : Optional.empty();
        }

        @Override
        public void forEach(BiConsumer<Prefix, String> told) {}
    }
}
