package io.guidepost.proximity.ranking;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.topology.ExplicitRoute;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.RoutingMode;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a ranking should say, worked out from the network itself in the plainest way: all prefixes are looked at, ways are
 * lists of routers, and nothing is numbered. Shares no code with what it judges.
 */
final class RankingModel {
    private final OperatorNetwork network;
    private final RankingFunction function;
    private final Map<Prefix, List<PrefixAttachment>> prefixes = new HashMap<>();
    private final Map<Address, Map<Address, Way>> ways = new HashMap<>();

    /** A way and what it sums up to. */
    record Way(List<Address> routers, double bandwidth, double latency, int hops, double weight, double congestion) {
        Way and(Hop next) {
            TopologyLink link = next.link;
            List<Address> longer = new ArrayList<>(routers);
            longer.add(next.to);
            return new Way(
                    longer,
                    Math.min(bandwidth, link.bandwidth()),
                    latency + link.latency(),
                    hops + 1,
                    weight + link.weight(),
                    congestion + link.congestion());
        }

        boolean betterThan(Way other) {
            if (weight != other.weight) {
                return weight < other.weight;
            }
            if (hops != other.hops) {
                return hops < other.hops;
            }
            if (bandwidth != other.bandwidth) {
                return bandwidth > other.bandwidth;
            }
            if (latency != other.latency) {
                return latency < other.latency;
            }
            for (int i = 0; i < routers.size(); i++) {
                int order = routers.get(i).compareTo(other.routers.get(i));
                if (order != 0) {
                    return order < 0;
                }
            }
            return false;
        }
    }

    /** A link that works. */
    record Hop(Address to, TopologyLink link) {}

    /** A destination: where it hangs, reached by its exit. */
    record Reached(Way way, PrefixAttachment exit) {}

    RankingModel(OperatorNetwork network, RankingFunction function) {
        this.network = network;
        this.function = function;
        network.forEach(prefixes::put);
    }

    private static <K, V> V at(Map<K, V> map, K key) {
        return Objects.requireNonNull(map.get(key));
    }

    /** Looks at all prefixes. */
    Optional<Prefix> longest(Address address) {
        @Nullable Prefix best = null;
        for (Prefix each : prefixes.keySet()) {
            if (each.isIpv4() == address.isIpv4()
                    && each.contains(address.high(), address.low())
                    && (best == null || best.length() < each.length())) {
                best = each;
            }
        }
        return Optional.ofNullable(best);
    }

    /** Where an address hangs: by its prefix, else as a router. */
    List<PrefixAttachment> attachments(Address address) {
        Optional<Prefix> prefix = longest(address);
        if (prefix.isPresent()) {
            return at(prefixes, prefix.get());
        }
        return network.topology().routers().containsKey(address) ? List.of(PrefixAttachment.internal(address, 0)) : List.of();
    }

    /** The router at which somebody gets in; empty if it is not known. */
    Optional<Address> source(List<PrefixAttachment> hangs) {
        boolean inside = hangs.stream().anyMatch(PrefixAttachment::internal);
        return hangs.stream()
                .filter(each -> each.internal() == inside)
                .filter(each -> enabled(each.router()))
                .min(Comparator.comparingInt(PrefixAttachment::asDistance).thenComparing(PrefixAttachment::router))
                .map(PrefixAttachment::router);
    }

    private boolean enabled(Address router) {
        TopologyRouter found = network.topology().routers().get(router);
        return found != null && found.enabled();
    }

    /** The exit that is taken from a router. */
    Optional<Reached> reach(Address source, List<PrefixAttachment> hangs) {
        boolean inside = hangs.stream().anyMatch(PrefixAttachment::internal);
        Map<Address, Way> from = ways.computeIfAbsent(source, this::ways);
        return hangs.stream()
                .filter(each -> each.internal() == inside && from.containsKey(each.router()))
                .map(each -> new Reached(at(from, each.router()), each))
                .min(Comparator.comparingDouble((Reached each) -> each.way.weight)
                        .thenComparingInt(each -> each.exit.asDistance())
                        .thenComparing(each -> each.exit.router())
                        .thenComparingLong(each -> each.exit.asNumber()));
    }

    /** Not a number if there is no way. */
    double cost(Address source, List<PrefixAttachment> hangs) {
        return reach(source, hangs).map(this::metrics).map(function::cost).orElse(Double.NaN);
    }

    PathMetrics metrics(Reached reached) {
        return new PathMetrics(
                reached.way.bandwidth,
                reached.way.latency,
                reached.way.hops,
                function.usesAsNumber() && !reached.exit.internal() ? reached.exit.asNumber() : 0,
                reached.exit.asDistance(),
                reached.way.weight,
                reached.way.congestion);
    }

    private Map<Address, Way> ways(Address source) {
        Map<Address, Way> found = new HashMap<>();
        if (!enabled(source)) {
            return found;
        }
        Way none = new Way(List.of(source), Double.POSITIVE_INFINITY, 0, 0, 0, 0);
        if (network.topology().routing() == RoutingMode.EXPLICIT) {
            for (Address to : network.topology().routers().keySet()) {
                follow(none, source, to).ifPresent(way -> found.put(to, way));
            }
            return found;
        }
        Map<Address, Way> open = new HashMap<>(Map.of(source, none));
        while (!open.isEmpty()) {
            Address at = open.keySet().stream()
                    .min(Comparator.comparingDouble((Address each) -> at(open, each).weight)
                            .thenComparingInt(each -> at(open, each).hops))
                    .orElseThrow();
            Way way = at(open, at);
            open.remove(at);
            found.put(at, way);
            for (Nic nic : at(network.topology().routers(), at).nics()) {
                Optional<Hop> next = next(at, nic);
                if (next.isPresent() && !found.containsKey(next.get().to)) {
                    open.merge(next.get().to, way.and(next.get()), (old, other) -> other.betterThan(old) ? other : old);
                }
            }
        }
        return found;
    }

    private Optional<Way> follow(Way start, Address source, Address to) {
        Way way = start;
        Address at = source;
        Set<Address> seen = new HashSet<>();
        while (!at.equals(to)) {
            if (!seen.add(at)) {
                return Optional.empty();
            }
            TopologyRouter router = at(network.topology().routers(), at);
            Optional<Integer> card = router.routes().stream()
                    .filter(each -> each.destination().equals(to))
                    .map(ExplicitRoute::nic)
                    .reduce((earlier, later) -> later);
            Optional<Nic> nic = router.nics().stream()
                    .filter(each -> card.equals(Optional.of(each.index())))
                    .findFirst();
            Optional<Hop> next = nic.isEmpty() ? Optional.empty() : next(at, nic.get());
            if (next.isEmpty()) {
                return Optional.empty();
            }
            way = way.and(next.get());
            at = next.get().to;
        }
        return Optional.of(way);
    }

    /** The router at the other end of a link, if it is one that works. */
    private Optional<Hop> next(Address at, Nic nic) {
        TopologyLink link = nic.link();
        if (!enabled(at) || !nic.up() || nic.own() == null || nic.peer() == null || link == null) {
            return Optional.empty();
        }
        for (TopologyRouter each : network.topology().routers().values()) {
            for (Nic other : each.nics()) {
                if (each.enabled()
                        && !each.id().equals(at)
                        && other.up()
                        && nic.own().equals(other.peer())
                        && nic.peer().equals(other.own())) {
                    return Optional.of(new Hop(each.id(), link));
                }
            }
        }
        return Optional.empty();
    }
}
