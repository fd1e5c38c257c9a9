package io.guidepost.alto.view;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.DirectoryEntry;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.cost.CostTable;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.names.Exchange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What clients of some blocks of addresses are told: which resources, which metrics, and which PIDs. Immutable.
 *
 * <p>What is hidden is not there: it is in no directory, requests for it are answered as if nobody had heard of it, and
 * streams do not tell of it. All PIDs that are hidden are one, {@link #HIDDEN}, of which no cost is known.
 */
public final class AltoView {
    /** Name of the PID of all addresses whose PID is hidden. */
    public static final String HIDDEN = "hidden";

    private final List<Prefix> clients;
    private final NamePattern resources;
    private final NamePattern metrics;
    private final NamePattern pids;

    private AltoView(List<Prefix> clients, NamePattern resources, NamePattern metrics, NamePattern pids) {
        this.clients = clients;
        this.resources = resources;
        this.metrics = metrics;
        this.pids = pids;
    }

    /**
     * Reads a view: blocks of clients, and what they are told, such as {@code 10.0.0.0/8 metric=routingcost pid=in-*}. Of what
     * is not named all is told; a star at the end of a name stands for any rest.
     *
     * @throws Malformed if it is of another form
     */
    public static AltoView parse(String text) throws Malformed {
        List<Prefix> clients = new ArrayList<>();
        Map<String, List<String>> told = new HashMap<>(Map.of(
                "resource", new ArrayList<>(), "metric", new ArrayList<>(), "pid", new ArrayList<>()));
        for (String word : text.strip().split("\\s+", -1)) {
            int mark = word.indexOf('=');
            if (mark < 0) {
                clients.add(Prefix.parse(word));
                continue;
            }
            List<String> names = told.get(word.substring(0, mark));
            String name = word.substring(mark + 1);
            if (names == null || !name.matches("[A-Za-z0-9:@_.-]*\\*?") || name.isEmpty()) {
                throw new Malformed(
                        "'" + word + "' is not what a view tells: write resource=, metric= or pid= and a name, such as pid=in-*", 0);
            }
            names.add(name);
        }
        if (clients.isEmpty()) {
            throw new Malformed("'" + text + "' has no clients: begin with a block of addresses such as 10.0.0.0/8", 0);
        }
        return new AltoView(
                List.copyOf(clients), new NamePattern(told.getOrDefault("resource", List.of())),
                new NamePattern(told.getOrDefault("metric", List.of())), new NamePattern(told.getOrDefault("pid", List.of())));
    }

    /** Whether it is the view of a client. Allocates nothing. */
    public boolean isOf(long high, long low) {
        boolean ipv4 = Exchange.isIpv4(high, low);
        for (int i = 0; i < clients.size(); i++) {
            Prefix each = clients.get(i);
            if (each.isIpv4() == ipv4 && each.contains(high, low)) {
                return true;
            }
        }
        return false;
    }

    /** What is told of all that there is. */
    public AltoSnapshot of(AltoSnapshot whole) {
        List<CostMetric> told = whole.metrics().stream().filter(each -> metrics.have(each.name())).toList();
        Map<String, Map<String, CostTable>> costs = new HashMap<>();
        whole.costs().forEach((map, tables) -> {
            Map<String, CostTable> kept = new HashMap<>(tables);
            kept.keySet().removeIf(each -> !metrics.have(each));
            costs.put(map, kept);
        });
        AltoSnapshot some = new AltoSnapshot(
                whole.version(), whole.maps(), costs, told, whole.endpoints(), whole.properties(), whole.paths(), whole.ranking());
        return pids.areAll() ? some : PidMasking.in(some, pids);
    }

    /**
     * Those of some entries of the directory that are told: the ones that are named, unless they use one that is not told
     * (RFC 7285 section 9.1.5: what is used is in the directory).
     */
    public <T extends DirectoryEntry> List<T> resources(List<T> all) {
        Set<String> hidden = new HashSet<>();
        all.forEach(each -> {
            if (!resources.have(each.id())) {
                hidden.add(each.id());
            }
        });
        int before = -1;
        while (before != hidden.size()) {
            before = hidden.size();
            all.stream().filter(each -> each.uses().stream().anyMatch(hidden::contains)).forEach(each -> hidden.add(each.id()));
        }
        return all.stream().filter(each -> !hidden.contains(each.id())).toList();
    }

    /** Whether a service of the directory is told that is more than a resource, such as update streams. */
    public boolean tells(String id) {
        return resources.have(id);
    }
}
