package io.guidepost.proximity.input;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.base.PrefixParser;
import io.guidepost.proximity.Findings;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyRouter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Attaches prefixes: to the router that a file names, otherwise to the exit of their AS, otherwise, if they are the
 * operator's own, to any router. If the files name routers of prefixes only, those are the network.
 */
final class PrefixAttacher {
    /** An odd number whose multiples are spread evenly: 2 to the 64th by the golden ratio. */
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private final OperatorNetwork network;
    private final InputOptions options;
    private final boolean topology;
    private final Map<String, TopologyRouter> byName = new HashMap<>();
    private final List<TopologyRouter> all;
    private final List<TopologyRouter> exits;

    PrefixAttacher(OperatorNetwork network, InputOptions options, Findings findings) {
        this.network = network;
        this.options = options;
        Collection<TopologyRouter> routers = network.topology().routers().values();
        topology = !routers.isEmpty();
        all = routers.stream().filter(TopologyRouter::enabled).toList();
        network.topology().names().forEach((id, name) -> {
            TopologyRouter router = network.topology().routers().get(id);
            if (router != null) {
                byName.putIfAbsent(name, router);
            }
        });
        routers.forEach(each -> byName.put(each.id().toString(), each));
        exits = options.exits().isEmpty() ? mostLines(all) : named(findings);
    }

    private static List<TopologyRouter> mostLines(List<TopologyRouter> routers) {
        return routers.stream()
                .sorted(Comparator.comparingLong(PrefixAttacher::lines).reversed().thenComparing(TopologyRouter::id))
                .limit(InputLimits.EXITS_MAX)
                .toList();
    }

    private static long lines(TopologyRouter router) {
        return router.nics().stream().map(Nic::peer).filter(Objects::nonNull).count();
    }

    private List<TopologyRouter> named(Findings findings) {
        List<TopologyRouter> found = new ArrayList<>();
        for (String each : options.exits()) {
            Optional<TopologyRouter> router = router(each);
            router.ifPresent(found::add);
            if (router.isEmpty()) {
                findings.fault("exits", 0, "there is no router '" + each + "': give the address or name of one");
            }
        }
        return found;
    }

    private Optional<TopologyRouter> router(String name) {
        TopologyRouter known = byName.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<Address> id = InputGraph.address(name);
        Optional<TopologyRouter> written = id.map(each -> byName.get(each.toString()));
        if (written.isEmpty() && id.isPresent() && !topology) {
            written = Optional.of(new TopologyRouter(id.get(), true, 1, List.of(), List.of()));
        }
        written.ifPresent(each -> byName.put(name, each));
        return written;
    }

    /** Attaches a prefix; returns its fault, or an empty text. */
    String hang(PrefixParser text, long as, String router, int distance) {
        Prefix prefix = text.prefix();
        boolean own = options.ownAs() != 0 && as == options.ownAs();
        TopologyRouter at;
        if (!router.isEmpty()) {
            Optional<TopologyRouter> named = router(router);
            if (named.isEmpty()) {
                return "there is no router '" + router + "': write the address or name of one";
            }
            at = named.get();
        } else if (own && !all.isEmpty()) {
            at = all.get(spread(prefix.high() ^ prefix.low() ^ prefix.length(), all.size()));
        } else if (!exits.isEmpty()) {
            long key = as != 0 ? as : prefix.high() ^ prefix.low() ^ prefix.length();
            at = exits.get(spread(key, exits.size()));
        } else {
            return "there is no router to attach this to: give a topology too, or PREFIX,AS,ROUTER";
        }
        int nic = Math.max(0, at.nicCount() - 1);
        int systems = distance >= 0 ? distance : options.asDistance();
        network.add(prefix, own ? PrefixAttachment.internal(at.id(), nic) : PrefixAttachment.external(at.id(), nic, as, systems));
        return "";
    }

    private static int spread(long key, int count) {
        return (int) (((key * SPREAD) >>> 32) * count >>> 32);
    }

    /** Declares the routers that only prefixes name. */
    void declare() {
        if (topology) {
            return;
        }
        SortedMap<Address, TopologyRouter> routers = new TreeMap<>();
        byName.values().forEach(each -> routers.put(each.id(), each));
        network.topology(new Topology(routers, network.topology().routing()));
    }
}
