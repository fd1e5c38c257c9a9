package io.guidepost.proximity.oracle;

import io.guidepost.base.Address;
import io.guidepost.proximity.Findings;
import io.guidepost.proximity.topology.ExplicitRoute;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the file of one router, one statement on each line in any order:
 *
 * <pre>
 * nic I OWN PEER UP|DOWN                          a card, its address, and that of the card it leads to; - is none
 * link I LATENCY BANDWIDTH CONGESTION WEIGHT      what the way out by a card is like: ms, Mbit/s
 * route I ROUTER                                  what is for a router leaves by a card
 * status UP|DOWN                                  whether traffic may go through it        (not in the original)
 * </pre>
 */
final class OracleRouterFile {
    private static final String NIC = "nic I OWN PEER UP|DOWN";
    private static final String LINK = "link I LATENCY BANDWIDTH CONGESTION WEIGHT";
    private static final String ROUTE = "route I ROUTER";

    private final Path file;
    private final Address id;
    private final int cards;
    private final Findings findings;
    private final Map<Integer, Nic> nics = new TreeMap<>();
    private final Map<Integer, Long> nicLines = new TreeMap<>();
    private final Map<Integer, TopologyLink> links = new TreeMap<>();
    private final Map<Integer, Long> linkLines = new TreeMap<>();
    private final List<ExplicitRoute> routes = new ArrayList<>();
    private final List<Long> routeLines = new ArrayList<>();
    private boolean enabled = true;

    private OracleRouterFile(Path file, Address id, int cards, Findings findings) {
        this.file = file;
        this.id = id;
        this.cards = cards;
        this.findings = findings;
    }

    /**
     * Reads a router.
     *
     * @param cards declared number
     */
    static TopologyRouter read(Path file, Address id, int cards, Findings findings) throws IOException {
        OracleRouterFile router = new OracleRouterFile(file, id, cards, findings);
        OracleStatement.readAll(file, findings, router::take);
        return router.made();
    }

    private void take(String word, OracleStatement statement, long line) throws OracleStatement.Wrong {
        switch (word) {
            case "nic" -> nic(statement, line);
            case "link" -> link(statement, line);
            case "route" -> route(statement, line);
            case "status" -> {
                statement.expect("status UP, or status DOWN");
                enabled = statement.up();
            }
            default ->
                throw new OracleStatement.Wrong("'" + word + "' is not a statement: write nic, link, route or status");
        }
    }

    private int card(OracleStatement statement) throws OracleStatement.Wrong {
        int nic = statement.number("card", 0, OracleLimits.NICS_MAX - 1);
        if (nic >= cards) {
            throw new OracleStatement.Wrong("router " + id + " has no card " + nic + ", only " + cards + " from 0 on: declare"
                    + " it with more in the main file");
        }
        return nic;
    }

    private void nic(OracleStatement statement, long line) throws OracleStatement.Wrong {
        statement.expect(NIC);
        int index = card(statement);
        Address own = statement.none("own address") ? null : statement.same();
        Address peer = statement.none("peer's address") ? null : statement.same();
        Nic nic = new Nic(index, own, peer, statement.up(), null);
        if (nics.putIfAbsent(index, nic) != null) {
            throw new OracleStatement.Wrong("card " + index + " stands in line " + nicLines.get(index) + " already");
        }
        nicLines.put(index, line);
    }

    private void link(OracleStatement statement, long line) throws OracleStatement.Wrong {
        statement.expect(LINK);
        int index = card(statement);
        double latency = statement.decimal("latency in milliseconds");
        double bandwidth = statement.decimal("bandwidth in Mbit/s");
        double congestion = statement.decimal("congestion");
        double weight = statement.decimal("weight");
        if (bandwidth == 0 || weight == 0) {
            throw new OracleStatement.Wrong("bandwidth and weight are more than 0: write " + LINK);
        }
        if (links.putIfAbsent(index, new TopologyLink(latency, bandwidth, congestion, weight)) != null) {
            throw new OracleStatement.Wrong("the link of card " + index + " stands in line " + linkLines.get(index) + " already");
        }
        linkLines.put(index, line);
    }

    /** Skips a route by a missing card: the configuration that came with the original has such. */
    private void route(OracleStatement statement, long line) throws OracleStatement.Wrong {
        statement.expect(ROUTE);
        int index = statement.number("card", 0, OracleLimits.NICS_MAX - 1);
        routes.add(new ExplicitRoute(index, statement.address("router")));
        routeLines.add(line);
    }

    private TopologyRouter made() {
        linkLines.forEach((index, line) -> {
            if (!nics.containsKey(index)) {
                findings.fault(file.toString(), line, "card " + index + " is not described: write " + NIC);
            }
        });
        List<Nic> made = new ArrayList<>();
        for (Nic each : nics.values()) {
            @Nullable TopologyLink link = links.get(each.index());
            made.add(new Nic(each.index(), each.own(), each.peer(), each.up(), link));
            if (link == null && each.up() && each.peer() != null) {
                findings.warn(
                        file.toString(),
                        nicLines.getOrDefault(each.index(), 0L),
                        "card " + each.index() + " leads to " + each.peer() + " but has no link, so nothing leaves by it:"
                                + " write " + LINK);
            }
        }
        return new TopologyRouter(id, enabled, cards, made, usable());
    }

    private List<ExplicitRoute> usable() {
        List<ExplicitRoute> usable = new ArrayList<>();
        for (int i = 0; i < routes.size(); i++) {
            ExplicitRoute route = routes.get(i);
            if (nics.containsKey(route.nic())) {
                usable.add(route);
            } else {
                findings.warn(
                        file.toString(),
                        routeLines.get(i),
                        "the route to " + route.destination() + " leaves by card " + route.nic()
                                + ", which is not described here, and is ignored: write " + NIC);
            }
        }
        return usable;
    }
}
