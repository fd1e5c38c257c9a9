package io.guidepost.server.topology;

import io.guidepost.base.Address;
import io.guidepost.proximity.oracle.NicPairs;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.RouterPosition;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import io.guidepost.web.JsonWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The topology as a graph, for those who would rather see it: routers, links, and the networks that hang on each router. */
final class TopologyGraph {
    /** Routers of one graph: more are a cloud on any screen. */
    private static final int ROUTERS_MAX = 2000;

    /** Networks by router that are named; of the others there is the number. */
    private static final int NAMED_MAX = 5;

    private static final class Networks {
        private int internal;
        private int external;

        /** Networks that hang on no other router, which are named first: the way to them is the way to this router. */
        private int alone;

        private final List<Object> named = new ArrayList<>();
    }

    private TopologyGraph() {}

    static Map<String, Object> json(Ranking ranking, String function) {
        Map<Address, Networks> networks = networks(ranking);
        NicPairs pairs = new NicPairs(ranking.topology());
        List<Object> routers = new ArrayList<>();
        List<Object> links = new ArrayList<>();
        ranking.topology().routers().values().stream().limit(ROUTERS_MAX).forEach(router -> {
            Networks own = networks.getOrDefault(router.id(), new Networks());
            Map<String, Object> told = JsonWriter.object(
                    "id", router.id().toString(),
                    "name", ranking.topology().name(router.id()),
                    "up", router.enabled(),
                    "internal", own.internal,
                    "external", own.external,
                    "networks", own.named.subList(0, Math.min(NAMED_MAX, own.named.size())));
            RouterPosition position = ranking.topology().positions().get(router.id());
            if (position != null) {
                told.put("latitude", position.latitude());
                told.put("longitude", position.longitude());
            }
            routers.add(told);
            router.nics().forEach(nic -> link(pairs, router, nic).ifPresent(links::add));
        });
        return JsonWriter.object(
                "version", ranking.version(),
                "function", function,
                "all", ranking.topology().routers().size(),
                "routers", routers,
                "links", links);
    }

    private static Optional<Map<String, Object>> link(NicPairs pairs, TopologyRouter router, Nic nic) {
        TopologyLink link = nic.link();
        return link == null
                ? Optional.empty()
                : pairs.far(nic).map(far -> JsonWriter.object(
                        "from", router.id().toString(),
                        "nic", nic.index(),
                        "to", far.router().id().toString(),
                        "up", nic.up() && far.nic().up() && router.enabled() && far.router().enabled(),
                        "latency", link.latency(),
                        "bandwidth", Double.isInfinite(link.bandwidth()) ? "infinite" : (Object) link.bandwidth(),
                        "congestion", link.congestion(),
                        "weight", link.weight()));
    }

    private static Map<Address, Networks> networks(Ranking ranking) {
        Map<Address, Networks> networks = new HashMap<>();
        ranking.forEachPrefix((prefix, place) -> {
            List<PrefixAttachment> attachments = ranking.attachments(place);
            boolean alone = attachments.size() == 1;
            for (PrefixAttachment each : attachments) {
                Networks own = networks.computeIfAbsent(each.router(), _ -> new Networks());
                if (each.internal()) {
                    own.internal++;
                } else {
                    own.external++;
                }
                if (alone && own.alone < NAMED_MAX) {
                    own.named.add(own.alone++, prefix.toString());
                } else if (own.named.size() < NAMED_MAX) {
                    own.named.add(prefix.toString());
                }
            }
        });
        return networks;
    }
}
