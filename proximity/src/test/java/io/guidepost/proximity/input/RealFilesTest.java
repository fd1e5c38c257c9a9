package io.guidepost.proximity.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Address;
import io.guidepost.proximity.PrefixTestData;
import io.guidepost.proximity.oracle.NicPairs;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.proximity.ranking.RankingFunction;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of measured networks, where they are there. */
class RealFilesTest {
    @ParameterizedTest
    @CsvSource({
        "topologies/caida_7018.json, 594, 3348",
        "topologies/caida_3356.json, 404, 3994",
        "topologies/caida_3215.json, 131, 500",
        "topologies/caida_6830.json, 97, 518",
        "topologies/germany50.json, 50, 176",
        "topologies/rf1221.graph, 104, 302",
        "topologies/rf1239.graph, 315, 1944"
    })
    void aTopologyIsConnected(String name, int routers, int links) throws Exception {
        Path file = PrefixTestData.file(name);
        LoadedNetwork loaded = NetworkFiles.read(List.of(file), InputOptions.DEFAULTS);
        assertThat(loaded.warnings()).isEmpty();
        assertThat(loaded.network().topology().names()).hasSize(routers);
        assertThat(loaded.network().topology().routers()).hasSize(routers);
        assertThat(loaded.files().getFirst().links()).isEqualTo(links);
        assertThat(new NicPairs(loaded.network().topology()).links()).isEqualTo(links);

        Ranking ranking = Ranking.of(loaded.network(), RankingFunction.STANDARD, 1);
        Address first = loaded.network().topology().routers().firstKey();
        int source = ranking.source(ranking.place(first.high(), first.low()));
        for (Address each : loaded.network().topology().routers().keySet()) {
            assertThat(ranking.path(source, ranking.place(each.high(), each.low()))).startsWith(first).endsWith(each);
        }
    }

    @ParameterizedTest
    @CsvSource({"prefixes-1062k.txt.gz, 1062046", "prefix-as-634k.txt.gz, 633831", "prefixes-306k.ipv4.gz, 306388"})
    void aTableHangsOnTheExitsOfATopology(String name, int prefixes) throws Exception {
        Path table = PrefixTestData.file(name);
        Path topology = PrefixTestData.file("topologies/caida_7018.json");
        LoadedNetwork loaded = NetworkFiles.read(List.of(table, topology), InputOptions.DEFAULTS);
        assertThat(loaded.files().getLast().prefixes()).isEqualTo(prefixes);
        Map<Address, Long> exits = new HashMap<>();
        loaded.network().forEach((_, attachments) -> attachments.forEach(
                each -> exits.merge(each.router(), 1L, Long::sum)));
        assertThat(exits).hasSize(8);
        assertThat(exits.values()).allMatch(each -> each > prefixes / 16, "spread over the exits");
    }
}
