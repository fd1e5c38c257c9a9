package io.guidepost.alto.view;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.cost.CostTable;
import io.guidepost.alto.endpoint.EndpointCosts;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.path.AltoPaths;
import io.guidepost.alto.property.EntityProperties;
import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Merges hidden PIDs into one of unknown cost. Its blocks are published, as the map has to assign each address to a PID
 * (RFC 7285 section 5.1), but nested ones are merged, and its addresses have no costs, paths or properties.
 */
final class PidMasking {
    /** Place of an address with hidden costs. */
    private static final int NO_PLACE = Integer.MIN_VALUE;

    /**
     * A reduced map; {@code numbers} are the new indices of the full map's PIDs, -1 for the hidden one, which is the
     * last.
     */
    @SuppressWarnings("ArrayRecordComponent") // Created once, never handed out.
    private record Shown(NetworkMap map, int[] numbers, boolean hides) {
        int hidden() {
            return hides ? numbers.length - 1 : NetworkMap.NOWHERE - 1;
        }

        boolean hides(long high, long low) {
            return map.pid(high, low) == hidden();
        }

        boolean hides(Prefix block) {
            return map.pid(block) == hidden();
        }
    }

    private PidMasking() {}

    /** Returns the snapshot without the PIDs that are not named. */
    static AltoSnapshot in(AltoSnapshot whole, NamePattern told) {
        Map<String, Shown> shown = new HashMap<>();
        List<NetworkMap> maps = new ArrayList<>();
        for (NetworkMap each : whole.maps()) {
            Shown next = shown(each, told);
            shown.put(each.id(), next);
            maps.add(next.map);
        }
        if (maps.isEmpty()) {
            return whole;
        }
        Map<String, Map<String, CostTable>> costs = new HashMap<>();
        whole.costs().forEach((map, tables) -> {
            Shown of = shown.get(map);
            Map<String, CostTable> next = new HashMap<>();
            tables.forEach((metric, table) -> next.put(metric, of == null ? table : new ShownCosts(table, of.numbers)));
            costs.put(map, next);
        });
        // Costs, paths and properties of addresses depend on the default map.
        Shown first = shown.getOrDefault(maps.getFirst().id(), shown(whole.maps().getFirst(), told));
        return new AltoSnapshot(
                whole.version(), maps, costs, whole.metrics(), new ShownEndpoints(whole.endpoints(), first),
                properties(whole.properties(), shown, first), whole.paths().map(each -> new ShownPaths(each, first.numbers)),
                whole.ranking());
    }

    private static Shown shown(NetworkMap whole, NamePattern told) {
        List<String> names = new ArrayList<>();
        int[] next = new int[whole.pids().size()];
        int[] numbers = new int[whole.pids().size() + 1];
        for (int pid = 0; pid < next.length; pid++) {
            boolean tells = told.have(whole.pids().get(pid)) && !whole.pids().get(pid).equals(AltoView.HIDDEN);
            next[pid] = tells ? names.size() : NetworkMap.NOWHERE;
            if (tells) {
                numbers[names.size()] = pid;
                names.add(whole.pids().get(pid));
            }
        }
        boolean hides = names.size() < next.length;
        if (!hides) {
            return new Shown(whole, numbers, false);
        }
        int hidden = names.size();
        names.add(AltoView.HIDDEN);
        numbers[hidden] = -1;
        for (int pid = 0; pid < next.length; pid++) {
            next[pid] = next[pid] < 0 ? hidden : next[pid];
        }
        NetworkMap.Builder builder = new NetworkMap.Builder(whole.id(), names);
        whole.forEachBlock((block, pid) -> builder.addInOrder(next[pid], block));
        NetworkMap map = builder.build((high, low) -> {
            int pid = whole.pid(high, low);
            return pid < 0 ? pid : next[pid];
        });
        return new Shown(map, Arrays.copyOf(numbers, names.size()), true);
    }

    /** Costs by the indices of the visible PIDs. */
    @SuppressWarnings("ArrayRecordComponent") // Created once, never handed out.
    private record ShownCosts(CostTable whole, int[] numbers) implements CostTable {
        @Override
        public double cost(int from, int to) {
            return numbers[from] < 0 || numbers[to] < 0 ? Double.NaN : whole.cost(numbers[from], numbers[to]);
        }

        @Override
        public boolean tellsFrom(int pid) {
            return numbers[pid] >= 0 && whole.tellsFrom(numbers[pid]);
        }
    }

    private record ShownEndpoints(EndpointCosts whole, Shown map) implements EndpointCosts {
        @Override
        public int place(long high, long low) {
            return map.hides(high, low) ? NO_PLACE : whole.place(high, low);
        }

        @Override
        public double cost(String metric, int from, int to) {
            return from == NO_PLACE || to == NO_PLACE ? Double.NaN : whole.cost(metric, from, to);
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // Created once, never handed out.
    private record ShownPaths(AltoPaths whole, int[] numbers) implements AltoPaths {
        @Override
        public Optional<List<Element>> path(int from, int to) {
            return from == NO_PLACE || to == NO_PLACE ? Optional.empty() : whole.path(from, to);
        }

        @Override
        public Optional<List<Element>> pathOfPids(int from, int to) {
            return numbers[from] < 0 || numbers[to] < 0 ? Optional.empty() : whole.pathOfPids(numbers[from], numbers[to]);
        }

        @Override
        public boolean tellsPersistent() {
            return whole.tellsPersistent();
        }
    }

    private static EntityProperties properties(EntityProperties whole, Map<String, Shown> shown, Shown first) {
        SortedMap<String, EntityProperties.OfAddresses> ofAddresses = new TreeMap<>();
        whole.ofAddresses().forEach((name, values) -> ofAddresses.put(name, new ShownValues(values, first)));
        SortedMap<String, SortedMap<String, Map<String, String>>> ofPids = new TreeMap<>();
        whole.ofPids().forEach((map, properties) -> {
            SortedMap<String, Map<String, String>> next = new TreeMap<>();
            Shown of = shown.get(map);
            properties.forEach((name, values) -> {
                Map<String, String> kept = new TreeMap<>(values);
                kept.keySet().removeIf(pid -> of == null || of.map.number(pid).isEmpty());
                next.put(name, kept);
            });
            ofPids.put(map, next);
        });
        return new EntityProperties(ofAddresses, ofPids);
    }

    private record ShownValues(EntityProperties.OfAddresses whole, Shown map) implements EntityProperties.OfAddresses {
        @Override
        public Optional<String> of(Address address) {
            return map.hides(address.high(), address.low()) ? Optional.empty() : whole.of(address);
        }

        @Override
        public Optional<String> of(Prefix block) {
            return map.hides(block) ? Optional.empty() : whole.of(block);
        }

        @Override
        public void forEach(BiConsumer<Prefix, String> told) {
            whole.forEach((block, value) -> {
                if (!map.hides(block)) {
                    told.accept(block, value);
                }
            });
        }
    }
}
