package io.guidepost.proximity.oracle;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.oracle.OracleError.Refusal;
import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.proximity.topology.ExplicitRoute;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.RoutingMode;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The commands that change the network: set, create, delete. Each is checked and applied in one step. */
final class EditCommands {
    private final LiveNetwork live;

    EditCommands(LiveNetwork live) {
        this.live = live;
    }

    private String edit(LiveNetwork.Change<Refusal> edit) throws Refusal {
        live.change(edit);
        return OracleConsole.SUCCESS;
    }

    private static TopologyRouter router(OperatorNetwork network, Address id) throws Refusal {
        TopologyRouter router = network.topology().routers().get(id);
        if (router == null) {
            throw OracleError.ROUTER_UNKNOWN.because(id + " is not there: see print router");
        }
        return router;
    }

    private static Optional<Nic> find(TopologyRouter router, int index) {
        return router.nics().stream().filter(each -> each.index() == index).findFirst();
    }

    private static Nic nic(TopologyRouter router, int index) throws Refusal {
        return find(router, index).orElseThrow(() -> OracleError.NIC_UNKNOWN.because(
                "router " + router.id() + " has none numbered " + index + ": see print router " + router.id()));
    }

    private static void inRange(TopologyRouter router, int nic) throws Refusal {
        if (nic >= router.nicCount()) {
            throw OracleError.NIC.because("router " + router.id() + " has " + router.nicCount()
                    + " of them, numbered from 0, and " + nic + " is not one");
        }
    }

    private static void put(OperatorNetwork network, TopologyRouter router, List<Nic> nics, List<ExplicitRoute> routes) {
        network.topology(network.topology()
                .with(new TopologyRouter(router.id(), router.enabled(), router.nicCount(), nics, routes)));
    }

    private static void change(OperatorNetwork network, Address id, int index, UnaryOperator<Nic> change) throws Refusal {
        TopologyRouter router = router(network, id);
        nic(router, index);
        List<Nic> nics = new ArrayList<>(router.nics());
        nics.replaceAll(each -> each.index() == index ? change.apply(each) : each);
        put(network, router, nics, router.routes());
    }

    private static Nic with(Nic nic, @Nullable TopologyLink link) {
        return new Nic(nic.index(), nic.own(), nic.peer(), nic.up(), link);
    }

    String setLink(OracleArguments arguments) throws Refusal {
        Address id = arguments.address("ROUTER");
        int index = arguments.nic();
        String what = arguments.choice(4);
        double value = arguments.decimal("VALUE", what.equals("lat") || what.equals("cong"));
        return edit(network -> {
            TopologyLink link = nic(router(network, id), index).link();
            if (link == null) {
                throw OracleError.LINK_UNKNOWN.because(
                        "NIC " + index + " of router " + id + " has none: see create link");
            }
            TopologyLink next = switch (what) {
                case "lat" -> new TopologyLink(value, link.bandwidth(), link.congestion(), link.weight());
                case "bw" -> new TopologyLink(link.latency(), value, link.congestion(), link.weight());
                case "cong" -> new TopologyLink(link.latency(), link.bandwidth(), value, link.weight());
                default -> new TopologyLink(link.latency(), link.bandwidth(), link.congestion(), value);
            };
            change(network, id, index, nic -> with(nic, next));
        });
    }

    String setNic(OracleArguments arguments) throws Refusal {
        Address id = arguments.address("ROUTER");
        int index = arguments.nic();
        boolean up = arguments.choice(4).equals("up");
        return edit(network -> change(
                network, id, index, nic -> new Nic(nic.index(), nic.own(), nic.peer(), up, nic.link())));
    }

    String setRouter(OracleArguments arguments) throws Refusal {
        Address id = arguments.address("ROUTER");
        boolean up = arguments.choice(3).equals("up");
        return edit(network -> {
            TopologyRouter router = router(network, id);
            network.topology(network.topology()
                    .with(new TopologyRouter(id, up, router.nicCount(), router.nics(), router.routes())));
        });
    }

    String setRouting(OracleArguments arguments) throws Refusal {
        RoutingMode mode = arguments.choice(2).equals("expl")
                ? RoutingMode.EXPLICIT
                : RoutingMode.IMPLICIT;
        return edit(network -> network.topology(network.topology().with(mode)));
    }

    String createRouter(OracleArguments arguments, int routersMax) throws Refusal {
        Address id = arguments.address("ADDRESS");
        int count = arguments.number("NICS", OracleError.NIC_COUNT, 0, OracleLimits.NICS_MAX);
        return edit(network -> {
            if (network.topology().routers().containsKey(id)) {
                throw OracleError.ROUTER_KNOWN.because(id + " is there: see print router " + id);
            }
            if (network.topology().routers().size() >= routersMax) {
                throw OracleError.ROUTERS.because("there may be " + routersMax + ": write a larger number after routers"
                        + " in the main file");
            }
            network.topology(network.topology().with(new TopologyRouter(id, true, count, List.of(), List.of())));
        });
    }

    String deleteRouter(OracleArguments arguments) throws Refusal {
        Address id = arguments.address("ROUTER");
        return edit(network -> {
            router(network, id);
            List<Runnable> removals = new ArrayList<>();
            network.forEach((prefix, attachments) -> {
                for (PrefixAttachment each : attachments) {
                    if (each.router().equals(id)) {
                        removals.add(() -> network.remove(prefix, id, each.nic()));
                    }
                }
            });
            removals.forEach(Runnable::run);
            network.topology(network.topology().without(id));
        });
    }

    String createNic(OracleArguments arguments) throws Refusal {
        Address id = arguments.address("ROUTER");
        int index = arguments.nic();
        @Nullable Address own = arguments.end("OWN").orElse(null);
        @Nullable Address peer = arguments.end("PEER").orElse(null);
        boolean up = arguments.choice(6).equals("up");
        return edit(network -> {
            TopologyRouter router = router(network, id);
            inRange(router, index);
            if (find(router, index).isPresent()) {
                throw OracleError.NIC_KNOWN.because(
                        "router " + id + " has one numbered " + index + ": delete it first, or see set nic");
            }
            List<Nic> nics = new ArrayList<>(router.nics());
            nics.add(new Nic(index, own, peer, up, null));
            nics.sort(Comparator.comparingInt(Nic::index));
            put(network, router, nics, router.routes());
        });
    }

    String deleteNic(OracleArguments arguments) throws Refusal {
        Address id = arguments.address("ROUTER");
        int index = arguments.nic();
        return edit(network -> {
            TopologyRouter router = router(network, id);
            nic(router, index);
            put(
                    network,
                    router,
                    router.nics().stream().filter(each -> each.index() != index).toList(),
                    router.routes().stream().filter(each -> each.nic() != index).toList());
        });
    }

    String createLink(OracleArguments arguments) throws Refusal {
        Address id = arguments.address("ROUTER");
        int index = arguments.nic();
        TopologyLink link = new TopologyLink(
                arguments.decimal("LATENCY", true),
                arguments.decimal("BANDWIDTH", false),
                arguments.decimal("CONGESTION", true),
                arguments.decimal("WEIGHT", false));
        return edit(network -> {
            if (nic(router(network, id), index).link() != null) {
                throw OracleError.LINK_KNOWN.because(
                        "NIC " + index + " of router " + id + " has one: delete it first, or see set link");
            }
            change(network, id, index, nic -> with(nic, link));
        });
    }

    String deleteLink(OracleArguments arguments) throws Refusal {
        Address id = arguments.address("ROUTER");
        int index = arguments.nic();
        return edit(network -> {
            if (nic(router(network, id), index).link() == null) {
                throw OracleError.LINK_UNKNOWN.because("NIC " + index + " of router " + id + " has none");
            }
            change(network, id, index, nic -> with(nic, null));
        });
    }

    String createRoute(OracleArguments arguments) throws Refusal {
        Address id = arguments.address("ROUTER");
        int index = arguments.nic();
        Address destination = arguments.address("DESTINATION");
        return edit(network -> {
            TopologyRouter router = router(network, id);
            nic(router, index);
            router(network, destination);
            if (router.routes().stream().anyMatch(each -> each.destination().equals(destination))) {
                throw OracleError.ROUTE_KNOWN.because(
                        "router " + id + " has one to " + destination + ": delete it first");
            }
            List<ExplicitRoute> routes = new ArrayList<>(router.routes());
            routes.add(new ExplicitRoute(index, destination));
            put(network, router, router.nics(), routes);
        });
    }

    String deleteRoute(OracleArguments arguments) throws Refusal {
        Address id = arguments.address("ROUTER");
        Address destination = arguments.address("DESTINATION");
        return edit(network -> {
            TopologyRouter router = router(network, id);
            List<ExplicitRoute> left = router.routes().stream()
                    .filter(each -> !each.destination().equals(destination))
                    .toList();
            if (left.size() == router.routes().size()) {
                throw OracleError.ROUTE_UNKNOWN.because(
                        "router " + id + " has none to " + destination + ": see print routes " + id);
            }
            put(network, router, router.nics(), left);
        });
    }

    String createNetwork(OracleArguments arguments, boolean internal) throws Refusal {
        Prefix prefix = arguments.prefix("PREFIX");
        Address id = arguments.address("ROUTER");
        int nic = arguments.nic();
        PrefixAttachment attachment = internal
                ? PrefixAttachment.internal(id, nic)
                : PrefixAttachment.external(
                        id,
                        nic,
                        arguments.asNumber(),
                        arguments.number("DISTANCE", OracleError.NUMBER, 0, OracleLimits.AS_DISTANCE_MAX));
        return edit(network -> {
            inRange(router(network, id), nic);
            if (at(network, prefix, id, nic).isPresent()) {
                throw OracleError.NETWORK_KNOWN.because(
                        prefix + " is attached to NIC " + nic + " of router " + id + ": delete it first");
            }
            network.add(prefix, attachment);
        });
    }

    String deleteNetwork(OracleArguments arguments, boolean internal) throws Refusal {
        Prefix prefix = arguments.prefix("PREFIX");
        Address id = arguments.address("ROUTER");
        int nic = arguments.nic();
        return edit(network -> {
            if (at(network, prefix, id, nic).filter(each -> each.internal() == internal).isEmpty()) {
                throw OracleError.NETWORK_UNKNOWN.because(prefix + " is not attached to NIC " + nic + " of router " + id
                        + " as " + (internal ? "a source" : "an external") + " network");
            }
            network.remove(prefix, id, nic);
        });
    }

    private static Optional<PrefixAttachment> at(OperatorNetwork network, Prefix prefix, Address router, int nic) {
        return network.attachments(prefix).stream()
                .filter(each -> each.nic() == nic && each.router().equals(router))
                .findFirst();
    }
}
