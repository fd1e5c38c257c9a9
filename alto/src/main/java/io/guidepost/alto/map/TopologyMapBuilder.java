package io.guidepost.alto.map;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.cost.CostTable;
import io.guidepost.alto.endpoint.EndpointCosts;
import io.guidepost.alto.path.AltoPaths;
import io.guidepost.alto.path.TopologyPaths;
import io.guidepost.alto.property.EntityProperties;
import io.guidepost.alto.protocol.AltoIdentifiers;
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
 * Makes of a topology what ALTO tells: one PID for the networks at each router of the operator, one for each way in which
 * other networks hang on the exits, and one for all that nobody knows.
 *
 * <p>{@link PidNames} says what PIDs are called; only the cost that the ranking function gives is told,
 * unless the settings allow more. A block inside of another one of the same PID is left out. Where the ranking function uses
 * AS numbers, networks that differ in them alone are still one PID: its costs are those of one of them, and costs between
 * addresses are exact.
 */
public final class TopologyMapBuilder {
    /** The metric that the ranking function gives. */
    public static final String ROUTING_COST = "routingcost";

    /** Id of the network map where the operator gives none. */
    public static final String MAP = "net";

    /** Name of the PID of addresses that no prefix holds. */
    public static final String ELSEWHERE = "elsewhere";

    /** Name of the property with the number of an address' AS. */
    public static final String AS_NUMBER = "asn";

    /** How each metric follows from the way; units are those of RFC 9439: microseconds and bytes per second. */
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

    /**
     * What is told, and what stays hidden.
     *
     * @param map id of the network map, 1 to 64 characters
     * @param metrics that are told: {@code routingcost}, and of {@link #metrics} those that the operator wants to tell
     * @param names what PIDs are called
     * @param tellsRouters whether path vectors have the addresses of routers
     * @param tellsPaths whether path vectors are told (RFC 9275): how many elements a way has, and which it shares
     * @param tellsAsNumbers whether the AS of an address is told as a property
     */
    public record Settings(
            String map,
            List<CostMetric> metrics,
            PidNames names,
            boolean tellsRouters,
            boolean tellsPaths,
            boolean tellsAsNumbers) {
        /** Copies the list, and checks that the metrics are known. */
        public Settings {
            metrics = List.copyOf(metrics);
            if (!AltoIdentifiers.isName(map)) {
                throw new IllegalArgumentException("'" + map + "' is no id of a map: write 1 to 64 letters, digits and -:@_.");
            }
            for (CostMetric each : metrics) {
                if (!each.name().equals(ROUTING_COST) && !KNOWN.containsKey(each.name())) {
                    throw new IllegalArgumentException(
                            "'" + each.name() + "' is not known of a topology: write routingcost or one of "
                                    + TopologyMapBuilder.metrics());
                }
            }
        }
    }

    /** Metrics that are known of a topology besides the routing cost. */
    public static List<String> metrics() {
        return KNOWN.keySet().stream().sorted().toList();
    }

    private TopologyMapBuilder(Ranking ranking, Settings settings) {
        this.ranking = ranking;
        this.settings = settings;
        this.pidOfPlace = new int[ranking.places() + 1];
    }

    /** What is told of a topology; its version is that of the ranking. */
    public static AltoSnapshot of(Ranking ranking, Settings settings) {
        return new TopologyMapBuilder(ranking, settings).information();
    }

    private AltoSnapshot information() {
        classify();
        NetworkMap map = map();
        Map<String, CostTable> tables = new HashMap<>();
        for (CostMetric each : settings.metrics) {
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
                ranking.version(), List.of(map), Map.of(settings.map, tables), settings.metrics, new OfPlaces(ranking),
                new EntityProperties(properties, new TreeMap<>()), paths, Optional.of(ranking));
    }

    /** How a place hangs on the network, apart from its AS number; in an order that does not depend on that of prefixes. */
    private record Kind(boolean inside, String ways) implements Comparable<Kind> {
        static Kind of(List<PrefixAttachment> attachments) {
            boolean inside = attachments.stream().anyMatch(PrefixAttachment::internal);
            StringBuilder ways = new StringBuilder();
            attachments.stream()
                    .filter(each -> each.internal() == inside)
                    .sorted((left, right) -> left.router().compareTo(right.router()))
                    .forEach(each -> ways.append("%016x%016x %08x ".formatted(
                            each.router().high(), each.router().low(), each.asDistance())));
            return new Kind(inside, ways.toString());
        }

        @Override
        public int compareTo(Kind other) {
            int order = Boolean.compare(other.inside, inside);
            return order != 0 ? order : ways.compareTo(other.ways);
        }
    }

    private void classify() {
        boolean[] told = new boolean[pidOfPlace.length];
        ranking.forEachPrefix((_, place) -> told[place] = true);
        SortedMap<Kind, List<Integer>> kinds = new TreeMap<>();
        for (int place = 1; place < pidOfPlace.length; place++) {
            // A router's own address is a place too, but not one that the map tells.
            if (told[place]) {
                kinds.computeIfAbsent(Kind.of(ranking.attachments(place)), _ -> new ArrayList<>()).add(place);
            }
        }
        int elsewhere = kinds.size();
        Arrays.fill(pidOfPlace, elsewhere);
        // In the order of names, which says nothing of the routers.
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

    /** Two may have the same hash: the second one gets a number. */
    private static String free(Set<String> taken, String name) {
        String free = name;
        for (int number = 2; !taken.add(free); number++) {
            free = name + '-' + number;
        }
        return free;
    }

    private NetworkMap map() {
        NetworkMap.Builder builder = new NetworkMap.Builder(settings.map, names);
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

    /** Blocks of IPv4 lie in none of IPv6. */
    private static boolean contains(Prefix outer, Prefix inner) {
        return outer.isIpv4() == inner.isIpv4()
                && outer.length() <= inner.length()
                && outer.contains(inner.high(), inner.low());
    }

    private CostTable table(String metric) {
        OfPlaces costs = new OfPlaces(ranking);
        int[] places = placeOfPid.stream().mapToInt(Integer::intValue).toArray();
        // Of a small network all costs are told, of a large one only those from inside.
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

    /** Costs by what the ranking knows of places. */
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

        /** There is no word for infinite in JSON: what is not limited is not told. */
        private static double finite(double cost) {
            return Double.isInfinite(cost) ? Double.NaN : cost;
        }
    }

    /** The AS of an address; blocks are not told one by one, as the Internet has a million. */
    private record AsNumbers(Ranking ranking) implements EntityProperties.OfAddresses {
        @Override
        public Optional<String> of(Address address) {
            long number = ranking.asNumber(address.high(), address.low());
            return number == 0 ? Optional.empty() : Optional.of(Long.toString(number));
        }

        @Override
        public Optional<String> of(Prefix block) {
            // What holds the first address may be inside of the block; then the block as a whole has no AS.
            return ranking.longest(block.high(), block.low()).filter(each -> contains(each, block)).isPresent()
                    ? of(new Address(block.high(), block.low()))
                    : Optional.empty();
        }

        @Override
        public void forEach(BiConsumer<Prefix, String> told) {}
    }
}
