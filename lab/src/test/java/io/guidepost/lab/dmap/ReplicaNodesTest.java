package io.guidepost.lab.dmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import io.guidepost.gnrs.placement.AsBindings;
import io.guidepost.lab.asgraph.AsGraph;
import io.guidepost.lab.asgraph.AsGraphGenerator;
import io.guidepost.names.Guid;
import io.guidepost.proximity.PrefixTable;
import io.guidepost.proximity.PrefixTableGenerator;
import io.guidepost.proximity.Prefixes;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Where names are, and how much address space each AS has. */
class ReplicaNodesTest {
    private static final AsGraph GRAPH = AsGraphGenerator.generate(3, 400, 1_200);

    @Test
    void placesAreThoseOfThePlacement() {
        Prefixes prefixes = PrefixTableGenerator.generate(3, 5_000, 500);
        AsBindings bindings = DeployedPlacement.bindings(GRAPH);
        List<DeployedPlacement> placements = new ArrayList<>();
        for (int k = 1; k <= 7; k++) {
            placements.add(DeployedPlacement.of(prefixes, bindings, k));
        }
        Guid[] guids = ReplicaNodes.guids(9, 500);
        ReplicaNodes places = ReplicaNodes.of(guids, placements);
        for (int i = 0; i < guids.length; i++) {
            for (int k = 1; k <= 7; k++) {
                List<Integer> expected = new ArrayList<>();
                for (InetSocketAddress server : placements.get(k - 1).placement().servers(guids[i])) {
                    expected.add(DeployedPlacement.node(server));
                }
                List<Integer> found = new ArrayList<>();
                for (int at = 0; at < places.count(i, k); at++) {
                    found.add(places.node(i, at));
                }
                assertThat(found).as("GUID %s, K = %s", guids[i], k).isEqualTo(expected);
                assertThat(places.holds(i, k, expected.getLast())).isTrue();
                assertThat(places.holds(i, k, GRAPH.size())).isFalse();
            }
        }
    }

    @Test
    void anAddressCountsForItsLongestPrefix() {
        AsGraph graph = AsGraph.builder().link(1, 2, 5).link(2, 3, 5).build();
        Prefixes prefixes = Prefixes.builder()
                .add(Prefix.ofIpv4(10 << 24, 8), 1)
                .add(Prefix.ofIpv4(10 << 24, 16), 2)
                .add(Prefix.ofIpv4(10 << 24 | 1 << 8, 24), 3)
                .add(Prefix.ofIpv4(10 << 24 | 200 << 16, 16), 3)
                .add(Prefix.ofIpv4(10 << 24 | 201 << 16, 16), 99)
                .add(Prefix.ofIpv4(20 << 24, 8), 3)
                .build();
        long[] space = AddressSpace.of(PrefixTable.of(prefixes), graph);
        assertThat(space).containsExactly((1 << 24) - 2 * (1 << 16), (1 << 16) - 256, (1 << 24) + (1 << 16) + 256);
    }

    @Test
    void addressSpaceIsThatOfLookups() {
        Prefixes prefixes = PrefixTableGenerator.generate(4, 20_000, 500);
        PrefixTable table = PrefixTable.of(prefixes);
        long[] space = AddressSpace.of(table, GRAPH);
        PrefixTable known = table.only(as -> GRAPH.node(as) >= 0);
        assertThat(Arrays.stream(space).sum() / 0x1p32).isCloseTo(known.ipv4Share(), within(1e-9));
        // Between two borders of prefixes all addresses are alike.
        TreeSet<Long> borders = new TreeSet<>(List.of(0L, 1L << 32));
        for (int i = 0; i < known.ipv4Size(); i++) {
            Prefix prefix = known.entry(i).prefix();
            long base = prefix.low() - Addresses.ipv4Low(0);
            borders.add(base);
            borders.add(base + (1L << 128 - prefix.length()));
        }
        long[] expected = new long[GRAPH.size()];
        for (long from : borders.headSet(1L << 32)) {
            int found = known.findIpv4((int) from);
            if (found != PrefixTable.NONE) {
                expected[GRAPH.node(known.value(found))] += borders.higher(from) - from;
            }
        }
        assertThat(space).isEqualTo(expected);
    }

    @Test
    void loadRatiosCompareCopiesWithAddresses() {
        StorageLoad load = StorageLoad.of(100, new int[] {10, 80, 10, 0}, new long[] {100, 200, 100, 0});
        assertThat(load.ratios()).containsExactly(0.4, 0.4, 1.6);
        assertThat(load.quantile(0.5)).isEqualTo(0.4);
        assertThat(load.quantile(1)).isEqualTo(1.6);
        assertThat(load.shareBetween(0.5, 2)).isEqualTo(1 / 3.0);
    }

    @Test
    void changedTablesLackTheirShare() {
        Prefixes full = PrefixTableGenerator.generate(5, 20_000, 500);
        for (ChurnExperiment.Change change : ChurnExperiment.Change.values()) {
            int before = ChurnExperiment.table(full, 1, change, 0.1, false).size();
            int after = ChurnExperiment.table(full, 1, change, 0.1, true).size();
            double lost = 1 - (double) after / full.size();
            double added = 1 - (double) before / full.size();
            assertThat(lost).isCloseTo(change == ChurnExperiment.Change.ANNOUNCED ? 0 : change == ChurnExperiment.Change.BOTH ? 0.05 : 0.1,
                    within(0.01));
            assertThat(added).isCloseTo(change == ChurnExperiment.Change.WITHDRAWN ? 0 : change == ChurnExperiment.Change.BOTH ? 0.05 : 0.1,
                    within(0.01));
        }
    }
}
