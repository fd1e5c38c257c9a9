package io.guidepost.proximity.oracle;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.oracle.OracleError.Refusal;
import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.proximity.ranking.PathMetrics;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.topology.ExplicitRoute;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.RoutingMode;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The print commands. Lists are bounded, and say how to see the rest. */
final class ShowCommands {
    private static final String INDENT = "    ";
    private static final Prefix IPV6_WHOLE = new Prefix(0, 0, 0);

    private final LiveNetwork live;

    ShowCommands(LiveNetwork live) {
        this.live = live;
    }

    String networks(boolean internal, Optional<Prefix> inside, Optional<Prefix> after) {
        Listing listing = new Listing(internal, inside.orElse(IPV6_WHOLE), after);
        live.read(network -> {
            network.forEach(listing::tell);
            return true;
        });
        return listing.text();
    }

    /** Networks of one kind inside a prefix, from a start on, up to the bound. */
    private static final class Listing {
        private final boolean internal;
        private final Prefix inside;
        private final Optional<Prefix> after;
        private final StringBuilder text = new StringBuilder();
        private int told;
        private int left;
        private Prefix last = IPV6_WHOLE;

        Listing(boolean internal, Prefix inside, Optional<Prefix> after) {
            this.internal = internal;
            this.inside = inside;
            this.after = after;
        }

        void tell(Prefix prefix, List<PrefixAttachment> attachments) {
            boolean wanted = prefix.length() >= inside.length()
                    && inside.contains(prefix.high(), prefix.low())
                    && (after.isEmpty() || Prefix.ORDER.compare(prefix, after.get()) > 0)
                    && attachments.stream().anyMatch(each -> each.internal() == internal);
            if (wanted && told == OracleLimits.LIST_MAX) {
                left++;
            } else if (wanted) {
                told++;
                last = prefix;
                text.append(internal ? "[SOURCE NETWORK] " : "[EXTERNAL NETWORK] ").append(prefix).append('\n');
                attachments.stream()
                        .filter(each -> each.internal() == internal)
                        .sorted(Comparator.comparing(PrefixAttachment::router).thenComparingInt(PrefixAttachment::nic))
                        .forEach(each -> text.append(INDENT).append("Router router ").append(place(each)).append('\n'));
            }
        }

        private static String place(PrefixAttachment at) {
            return at.router() + " nic " + at.nic()
                    + (at.internal() ? "" : " as " + at.asNumber() + " distance " + at.asDistance());
        }

        String text() {
            if (told == 0) {
                return "no such networks\n";
            }
            if (left > 0) {
                text.append("and ").append(left).append(" more: print networks ").append(internal ? "src " : "ext ");
                text.append(inside).append(" after ").append(last).append('\n');
            }
            return text.toString();
        }
    }

    private Topology topology() {
        return live.read(OperatorNetwork::topology);
    }

    private TopologyRouter router(Address id) throws Refusal {
        TopologyRouter router = topology().routers().get(id);
        if (router == null) {
            throw OracleError.ROUTER_UNKNOWN.because(id + " is not there: see print router");
        }
        return router;
    }

    String routers(Optional<Address> after) {
        Topology topology = topology();
        StringBuilder text = new StringBuilder();
        int told = 0;
        int left = 0;
        Optional<Address> last = Optional.empty();
        for (TopologyRouter each : topology.routers().values()) {
            if (after.isPresent() && each.id().compareTo(after.get()) <= 0) {
                continue;
            }
            if (told == OracleLimits.LIST_MAX) {
                left++;
                continue;
            }
            told++;
            last = Optional.of(each.id());
            text.append("Router ").append(head(each, topology)).append('\n');
        }
        if (left > 0) {
            text.append("and ").append(left).append(" more: print router after ").append(last.orElseThrow()).append('\n');
        }
        return told == 0 ? "no routers\n" : text.toString();
    }

    private static String head(TopologyRouter router, Topology topology) {
        return called(router.id(), topology) + (router.enabled() ? " UP" : " DOWN") + " nics " + router.nicCount();
    }

    private static String called(Address id, Topology topology) {
        String name = topology.name(id);
        return name.equals(id.toString()) ? name : id + " " + name;
    }

    String router(OracleArguments arguments) throws Refusal {
        TopologyRouter router = router(arguments.address("ROUTER"));
        NicPairs wires = new NicPairs(topology());
        StringBuilder text = new StringBuilder("Router ").append(head(router, topology())).append('\n');
        for (Nic nic : router.nics()) {
            text.append(INDENT).append("nic ").append(nic.index());
            text.append(' ').append(nic.own() == null ? "-" : nic.own());
            text.append(' ').append(nic.peer() == null ? "-" : nic.peer()).append(nic.up() ? " UP" : " DOWN");
            wires.far(nic).ifPresent(end -> text.append(" to router ").append(end.router().id()));
            text.append('\n');
            TopologyLink link = nic.link();
            if (link != null) {
                text.append(INDENT).append(INDENT).append("link ").append(describe(link)).append('\n');
            }
        }
        return text.toString();
    }

    private static String describe(TopologyLink link) {
        return "latency " + OracleDecimals.text(link.latency()) + " ms, bandwidth " + OracleDecimals.text(link.bandwidth())
                + " Mbit/s, congestion " + OracleDecimals.text(link.congestion()) + ", weight " + OracleDecimals.text(link.weight());
    }

    String routes(OracleArguments arguments) throws Refusal {
        TopologyRouter router = router(arguments.address("ROUTER"));
        StringBuilder text = new StringBuilder();
        for (ExplicitRoute each : router.routes().subList(0, Math.min(router.routes().size(), OracleLimits.ROUTES_TOLD_MAX))) {
            text.append(INDENT).append("to ").append(each.destination()).append(" nic ").append(each.nic()).append('\n');
        }
        int left = router.routes().size() - OracleLimits.ROUTES_TOLD_MAX;
        if (left > 0) {
            text.append("and ").append(left).append(" more\n");
        }
        String title = "Router " + router.id() + ", " + router.routes().size() + " routes\n";
        boolean implicit = topology().routing() == RoutingMode.IMPLICIT;
        return title + text + (implicit ? "paths follow the weights, not these: see print path\n" : "");
    }

    /** Prints the path between two addresses; waits until all earlier changes are in force. */
    String path(OracleArguments arguments) throws Refusal {
        Address from = arguments.address("FROM");
        Address to = arguments.address("TO");
        Ranking ranking = settled();
        int source = ranking.source(place(ranking, from));
        int place = place(ranking, to);
        if (source == Ranking.NO_SOURCE) {
            throw OracleError.PATH.because("the network of " + from + " is at no router that is there");
        }
        List<Address> path = ranking.path(source, place);
        Optional<PathMetrics> metrics = ranking.metrics(source, place);
        if (path.isEmpty() || metrics.isEmpty()) {
            throw OracleError.PATH.because("nothing leads from router " + ranking.router(source) + " to " + to);
        }
        StringBuilder text = new StringBuilder();
        text.append("From ").append(where(ranking, from)).append('\n');
        path.forEach(each -> text.append(INDENT).append("Router ").append(called(each, ranking.topology())).append('\n'));
        text.append("To ").append(where(ranking, to)).append('\n');
        text.append(describe(metrics.get(), asNumber(ranking, to, path.getLast()))).append('\n');
        text.append("cost ").append(rounded(ranking.cost(source, place)));
        text.append(", rank ").append((int) ranking.ranks(source)[place]).append('\n');
        return text.toString();
    }

    private long asNumber(Ranking ranking, Address to, Address exit) {
        return ranking.longest(to.high(), to.low())
                .map(prefix -> live.read(network -> network.asNumber(prefix, exit)))
                .orElse(0L);
    }

    private Ranking settled() {
        try {
            return live.settle();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return live.current();
        }
    }

    private static int place(Ranking ranking, Address address) throws Refusal {
        int place = ranking.place(address.high(), address.low());
        if (place == Ranking.NOWHERE) {
            throw OracleError.NETWORK_UNKNOWN.because(address + " is in none: see print networks src, print networks ext");
        }
        return place;
    }

    private static String where(Ranking ranking, Address address) {
        return address + ranking.longest(address.high(), address.low())
                .map(prefix -> " in " + prefix)
                .orElse("");
    }

    private static String describe(PathMetrics way, long asNumber) {
        return "hops " + way.hops() + ", weight " + rounded(way.weight()) + ", latency " + rounded(way.latency())
                + " ms, bandwidth "
                + (Double.isInfinite(way.bandwidth()) ? "unlimited" : rounded(way.bandwidth()) + " Mbit/s")
                + ", congestion " + rounded(way.congestion()) + ", AS " + asNumber + ", AS distance " + way.asDistance();
    }

    /** Sums of decimals are rarely exact in the last digits. */
    private static String rounded(double number) {
        return Double.isFinite(number) ? OracleDecimals.text(Math.rint(number * 1e6) / 1e6) : String.valueOf(number);
    }

    String statistics(List<String> further) {
        Ranking ranking = live.current();
        Topology topology = ranking.topology();
        StringBuilder text = new StringBuilder();
        text.append("routers ").append(topology.routers().size()).append(", ");
        text.append(topology.routers().values().stream().filter(TopologyRouter::enabled).count()).append(" of them UP\n");
        text.append("links ").append(new NicPairs(topology).links()).append('\n');
        text.append("networks ").append(ranking.prefixes()).append(", ");
        text.append(ranking.places()).append(" different places\n");
        text.append("snapshot ").append(ranking.version()).append(", ").append(ranking.bytes()).append(" bytes\n");
        further.forEach(each -> text.append(each).append('\n'));
        return text.toString();
    }

    String configuration(OracleSettings settings) {
        Topology topology = topology();
        return "routers " + settings.routersMax() + "\n"
                + "threads " + settings.threads() + "\n"
                + "threaddelay " + settings.threadDelayMillis() + "\n"
                + "port " + settings.port() + "\n"
                + "iroutes " + (topology.routing() == RoutingMode.EXPLICIT ? "expl" : "impl") + "\n";
    }
}
