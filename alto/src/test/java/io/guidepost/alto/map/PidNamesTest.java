package io.guidepost.alto.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.alto.AltoTestTopology;
import io.guidepost.alto.cost.CostMetric;
import io.guidepost.alto.protocol.AltoIdentifiers;
import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.ranking.RankingFunction;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.TopologyRouter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PidNamesTest {
    private static final byte[] KEY = new byte[PidNames.KEY_BYTES];

    private static NetworkMap map(OperatorNetwork network, PidNames names) {
        return TopologyMapBuilder.of(
                        Ranking.of(network, RankingFunction.STANDARD, 1),
                        new TopologyMapBuilder.Settings(List.of(CostMetric.of("routingcost")), names, false, false, false))
                .maps().getFirst();
    }

    private static String pid(NetworkMap map, String address) throws Malformed {
        return map.pids().get(map.pid(Address.parse(address)));
    }

    @Test
    void namesStayWhenRoutersComeAndGo() throws Exception {
        for (PidNames names : List.of(
                new PidNames(KEY, Map.of(), false), new PidNames(KEY, Map.of(), true),
                new PidNames(KEY, PidNames.given(List.of("10.0.0.1=berlin", "10.0.0.4=bonn")), false))) {
            NetworkMap before = map(AltoTestTopology.network(), names);
            OperatorNetwork more = AltoTestTopology.network();
            for (int i = 0; i < 20; i++) {
                // Some of them stand in front of those that were there, by their addresses.
                Address id = Address.parse((i % 2 == 0 ? "9.0.0." : "10.0.1.") + i);
                more.topology(more.topology().with(new TopologyRouter(id, true, 1, List.of(), List.of())));
                more.add(Prefix.parse("20." + i + ".0.0/16"), PrefixAttachment.internal(id, 0));
                more.add(Prefix.parse("30." + i + ".0.0/16"), PrefixAttachment.external(id, 0, 5, i));
            }
            NetworkMap after = map(more, names);
            assertThat(after.pids()).hasSize(before.pids().size() + 40).doesNotHaveDuplicates().containsAll(before.pids());
            for (String each : List.of("130.149.1.1", "130.149.2.1", "8.8.8.8", "9.9.9.9", "2001:db8::1", "200.1.1.1")) {
                assertThat(pid(after, each)).isEqualTo(pid(before, each));
            }
        }
    }

    @Test
    void routersAreCalledAsTheOperatorCallsThem() throws Exception {
        PidNames names = new PidNames(KEY, PidNames.given(List.of("10.0.0.1=berlin", " 10.0.0.4 = bonn:2@x_y ")), false);
        NetworkMap map = map(AltoTestTopology.network(), names);
        assertThat(pid(map, "130.149.1.1")).isEqualTo("berlin");
        assertThat(pid(map, "8.8.8.8")).isEqualTo("out-bonn:2@x_y@2");
        // The others have no name that may be told.
        assertThat(pid(map, "130.149.2.1")).matches("in-[a-z2-7]{8}");
        assertThat(pid(map, "9.9.9.9")).matches("out-[a-z2-7]{8}");
    }

    @Test
    void whoHasAnotherKeySeesOtherNames() throws Exception {
        byte[] other = KEY.clone();
        other[7] = 1;
        NetworkMap map = map(AltoTestTopology.network(), new PidNames(KEY, Map.of(), false));
        assertThat(map(AltoTestTopology.network(), new PidNames(KEY, Map.of(), false)).tag()).isEqualTo(map.tag());
        assertThat(map(AltoTestTopology.network(), new PidNames(other, Map.of(), false)).pids())
                .doesNotContainAnyElementsOf(map.pids().subList(0, map.pids().size() - 1));
    }

    @Test
    void namesAreThoseOfTheProtocol() throws Exception {
        PidNames names = new PidNames(KEY, Map.of(), true);
        List<PrefixAttachment> many = new ArrayList<>();
        for (int i = 1; i <= 30; i++) {
            many.add(PrefixAttachment.external(Address.parse("2001:db8::" + i), 0, 1, i));
            String name = names.name(false, many, "ways" + i);
            assertThat(AltoIdentifiers.isName(name)).as(name).isTrue();
            assertThat(name).startsWith("out-").doesNotContain(".");
        }
        assertThat(names.name(true, List.of(PrefixAttachment.internal(Address.parse("2001:db8::1"), 0)), ""))
                .isEqualTo("r-2001:db8::1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"berlin", "10.0.0.1=", "10.0.0.1=a.b", "10.0.0.1=a b", "x=berlin", "10.0.0.1=elsewhere", "10.0.0.1=in-1"})
    void wrongNamesAreRefused(String text) {
        assertThatThrownBy(() -> PidNames.given(List.of(text))).isInstanceOf(Malformed.class);
    }

    @Test
    void nothingHasTwoNames() {
        assertThatThrownBy(() -> PidNames.given(List.of("10.0.0.1=a", "10.0.0.1=b"))).hasMessageContaining("10.0.0.1=b");
        assertThatThrownBy(() -> PidNames.given(List.of("10.0.0.1=a", "10.0.0.2=a"))).hasMessageContaining("'a'");
    }

    @Test
    void idsOfLongMapsAreCutAndStillDiffer() {
        String id = "m".repeat(64);
        String costs = AltoIdentifiers.derived(id, "-num-" + "x".repeat(32), 0);
        assertThat(costs).hasSize(64).endsWith("-num-" + "x".repeat(32));
        assertThat(AltoIdentifiers.isName(costs)).isTrue();
        assertThat(AltoIdentifiers.derived("m".repeat(63) + "n", "-costs", 0)).isNotEqualTo(AltoIdentifiers.derived(id, "-costs", 0));
        assertThat(AltoIdentifiers.derived("net", "-paths", 8)).isEqualTo("net-paths");
        assertThat(AltoIdentifiers.derived("m".repeat(52), "-paths", 8)).hasSize(56);
    }
}
