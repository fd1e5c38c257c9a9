package io.guidepost.server.topology;

import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.proximity.ranking.PathMetrics;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.server.admin.AdminPort;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import io.guidepost.web.RequestParameters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Why places are ranked as they are: prefix, way, metrics and cost of each. It tells what the doors hide, so it is for those
 * who may ask the admin port.
 */
final class RankExplanations {
    /** Addresses of one question: what fits into a packet of Proxidor. */
    private static final int CANDIDATES_MAX = 363;

    /** Parameters of one question: two mean something. */
    private static final int PARAMETERS_MAX = 16;

    private static final String USAGE = "say whose way it is and where to: /rank?source=ADDRESS&to=ADDRESS,ADDRESS...";

    private RankExplanations() {}

    /** The page {@code /rank}. */
    public static HttpResponse page(LiveNetwork network, String query) {
        try {
            RequestParameters asked = RequestParameters.of(query, PARAMETERS_MAX);
            String from = asked.first("source", "");
            String to = asked.first("to", "");
            if (from.isEmpty() || to.isEmpty()) {
                return AdminPort.error(400, USAGE);
            }
            List<Address> candidates = new ArrayList<>();
            for (String each : to.split(",", -1)) {
                candidates.add(address(each.strip()));
            }
            return candidates.size() > CANDIDATES_MAX
                    ? AdminPort.error(400, "at most " + CANDIDATES_MAX + " addresses are ranked at once, not " + candidates.size())
                    : AdminPort.json(200, ranked(network, address(from.strip()), candidates));
        } catch (Malformed e) {
            return AdminPort.error(400, String.valueOf(e.getMessage()));
        }
    }

    private static Address address(String text) throws Malformed {
        int slash = text.indexOf('/');
        return Address.parse(slash < 0 ? text : text.substring(0, slash));
    }

    /** Each address with why it stands where it does, nearest first; unknown ones come last. */
    static List<Map<String, Object>> ranked(LiveNetwork network, Address from, List<Address> candidates) {
        Ranking ranking = network.current();
        int source = ranking.source(ranking.place(from.high(), from.low()));
        List<Address> sorted = new ArrayList<>(candidates);
        sorted.sort(Comparator.comparingInt(each -> rank(ranking, source, each)));
        return sorted.stream().map(each -> explained(network, ranking, source, each)).toList();
    }

    private static int rank(Ranking ranking, int source, Address to) {
        return source == Ranking.NO_SOURCE
                ? Ranking.UNRANKED
                : ranking.ranks(source)[ranking.place(to.high(), to.low())];
    }

    private static Map<String, Object> explained(LiveNetwork network, Ranking ranking, int source, Address to) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("address", to.toString());
        Optional<Prefix> prefix = ranking.longest(to.high(), to.low());
        prefix.ifPresent(each -> told.put("prefix", each.toString()));
        int place = ranking.place(to.high(), to.low());
        int rank = rank(ranking, source, to);
        if (rank == Ranking.UNRANKED) {
            told.put("ranked", false);
            told.put("why", source == Ranking.NO_SOURCE
                    ? "no router is known for the source"
                    : place == Ranking.NOWHERE ? "no prefix holds it" : "there is no way to it");
            return told;
        }
        List<Address> path = ranking.path(source, place);
        told.put("router", path.getLast().toString());
        told.put("path", path.stream().map(Address::toString).toList());
        told.put("path-names", path.stream().map(ranking.topology()::name).toList());
        // The metrics have only the AS numbers that the ranking function distinguishes.
        long asNumber = prefix.map(each -> network.read(now -> now.asNumber(each, path.getLast()))).orElse(0L);
        ranking.metrics(source, place).ifPresent(each -> told.put("metrics", metrics(each, asNumber)));
        told.put("cost", ranking.cost(source, place));
        told.put("rank", rank);
        return told;
    }

    private static Map<String, Object> metrics(PathMetrics way, long asNumber) {
        return JsonWriter.object(
                "bandwidth", Double.isInfinite(way.bandwidth()) ? "infinite" : (Object) way.bandwidth(),
                "latency", way.latency(),
                "hops", way.hops(),
                "as-number", asNumber,
                "as-distance", way.asDistance(),
                "weight", way.weight(),
                "congestion", way.congestion());
    }
}
