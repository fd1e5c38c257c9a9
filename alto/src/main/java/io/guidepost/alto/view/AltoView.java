package io.guidepost.alto.view;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.AltoResource;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.cost.CostTable;
import io.guidepost.base.Addresses;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An access policy: what clients of some networks see: which resources, metrics and PIDs. Immutable.
 *
 * <p>Hidden content does not exist for these clients: the directory does not list it, requests for it get the response
 * for an unknown resource, and streams omit it. All hidden PIDs form one, {@link #HIDDEN}, of unknown cost.
 */
public final class AltoView {
    /** Name of the PID of all hidden addresses. */
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
     * Parses a view: networks of clients, and what they see, such as {@code 10.0.0.0/8 metric=routingcost pid=in-*}. A
     * kind that is not named is visible in full; a star at the end of a name matches any suffix.
     *
     * @throws Malformed if the text has another form
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
                        "'" + word + "' is no part of a view: write resource=, metric= or pid= and a name, such as pid=in-*", 0);
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

    /** Returns whether the view applies to a client. Allocates nothing. */
    public boolean isOf(long high, long low) {
        boolean ipv4 = Addresses.isIpv4(high, low);
        for (int i = 0; i < clients.size(); i++) {
            Prefix each = clients.get(i);
            if (each.isIpv4() == ipv4 && each.contains(high, low)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the visible part of a snapshot. */
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
     * Returns the visible entries of the directory: the named ones, unless they use a hidden one (RFC 7285 section
     * 9.1.5: a used resource is in the directory).
     */
    public List<AltoResource> resources(List<AltoResource> all) {
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

    /** Returns whether a service with a path of its own is visible, such as update streams. */
    public boolean exposes(String id) {
        return resources.have(id);
    }
}
