package io.guidepost.proximity.ranking;

import io.guidepost.base.Malformed;
import io.guidepost.base.SpellingSuggestion;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The ranking functions that an operator can choose, by name or as a formula over the metrics.
 *
 * <table>
 *   <caption>Names</caption>
 *   <tr><td>{@code oracle}</td><td>the formula of the P2P-Oracle: 8 AS distance + hops / 2 + 10 / bandwidth</td></tr>
 *   <tr><td>{@code hops}</td><td>links inside the network, and nothing of what is behind the exit</td></tr>
 *   <tr><td>{@code latency}</td><td>milliseconds inside the network</td></tr>
 *   <tr><td>{@code bandwidth}</td><td>the more at the narrowest link, the nearer</td></tr>
 *   <tr><td>{@code weight}</td><td>weights of routing inside the network</td></tr>
 *   <tr><td>{@code as-distance}</td><td>systems behind the exit</td></tr>
 * </table>
 *
 * <p>{@link PathMetrics} defines the metrics, docs/proximity.md the syntax of formulas. A {@link RankingFunction} that is
 * provided as a service is chosen by its name.
 */
public final class RankingFunctions {
    private static final Map<String, String> FORMULAS = Map.of(
            "hops", "hops",
            "latency", "latency",
            "bandwidth", "1 / bandwidth",
            "weight", "weight",
            "as-distance", "asdistance");

    /** Two places at one router, and two that are far apart: a formula must give a number for both. */
    private static final List<PathMetrics> SAMPLES = List.of(
            new PathMetrics(Double.POSITIVE_INFINITY, 0, 0, 0, 0, 0, 0), new PathMetrics(100, 20, 5, 64_500, 3, 50, 1));

    private record Formula(String name, RankingExpression expression, boolean usesAsNumber) implements RankingFunction {
        @Override
        public double cost(PathMetrics way) {
            return expression.of(way);
        }
    }

    /** Adds a penalty per AS. */
    private record Penalised(RankingFunction base, Map<Long, Double> penalties) implements RankingFunction {
        @Override
        public double cost(PathMetrics way) {
            return base.cost(way) + penalties.getOrDefault(way.asNumber(), 0.0);
        }

        @Override
        public boolean usesAsNumber() {
            return true;
        }

        @Override
        public long asNumberSeen(long asNumber) {
            return penalties.containsKey(asNumber) ? asNumber : base.asNumberSeen(asNumber);
        }

        @Override
        public String name() {
            return base.name();
        }
    }

    private RankingFunctions() {}

    /** Returns the available names in order: those of the table, and those of services. */
    public static List<String> names() {
        return Stream.concat(
                        Stream.concat(Stream.of(RankingFunction.STANDARD.name()), FORMULAS.keySet().stream()),
                        services().keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * Parses a name or a formula.
     *
     * @throws Malformed if it is neither, with the offset of the fault in characters
     */
    public static RankingFunction of(String text) throws Malformed {
        String name = text.strip().toLowerCase(Locale.ROOT);
        if (name.equals(RankingFunction.STANDARD.name())) {
            return RankingFunction.STANDARD;
        }
        String formula = FORMULAS.get(name);
        if (formula != null) {
            return formula(name, formula);
        }
        if (name.matches("[a-z][a-z0-9-]*") && RankingExpressionParser.words().noneMatch(name::equals)) {
            RankingFunction service = services().get(name);
            if (service != null) {
                return service;
            }
            throw new Malformed(
                    "there is no ranking function '" + name + "'; did you mean '"
                            + SpellingSuggestion.nearest(name, Stream.concat(names().stream(), RankingExpressionParser.words()))
                            + "'? Write one of " + String.join(", ", names())
                            + ", or a formula such as 8*asdistance + 0.5*hops + 10/bandwidth",
                    0);
        }
        return formula(text.strip(), text);
    }

    /**
     * Parses a name or a formula, with additions for destinations in some ASes.
     *
     * @param penalties by AS number; negative ones bring an AS nearer
     * @throws Malformed if the text is neither, or a penalty is not finite
     */
    public static RankingFunction of(String text, Map<Long, Double> penalties) throws Malformed {
        RankingFunction base = of(text);
        for (Map.Entry<Long, Double> each : penalties.entrySet()) {
            if (each.getKey() < 1 || each.getKey() > 0xffffffffL || !Double.isFinite(each.getValue())) {
                throw new Malformed(
                        "a penalty is a number of an AS, from 1 to 4294967295, and a finite cost, not " + each.getKey() + " and "
                                + each.getValue(),
                        0);
            }
        }
        return penalties.isEmpty() ? base : new Penalised(base, Map.copyOf(penalties));
    }

    private static RankingFunction formula(String name, String text) throws Malformed {
        RankingExpression read = RankingExpressionParser.read(text);
        for (PathMetrics each : SAMPLES) {
            if (Double.isNaN(read.of(each)) && !read.refuses()) {
                throw new Malformed(
                        "the formula gives no number for " + each.hops() + " hops, " + each.latency() + " ms and a bandwidth of "
                                + each.bandwidth() + " Mbit/s: guard it, such as if(hops == 0, 0, latency / hops)",
                        0);
            }
        }
        return new Formula(name, read, read.uses(RankingExpression.Metric.AS_NUMBER));
    }

    private static Map<String, RankingFunction> services() {
        try {
            return ServiceLoader.load(RankingFunction.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .collect(Collectors.toMap(RankingFunction::name, Function.identity(), (first, second) -> first));
        } catch (ServiceConfigurationError e) {
            throw new IllegalStateException("a ranking function on the class path cannot be loaded: " + e.getMessage(), e);
        }
    }
}
