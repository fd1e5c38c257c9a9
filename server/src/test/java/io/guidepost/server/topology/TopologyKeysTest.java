package io.guidepost.server.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Prefix;
import io.guidepost.proximity.ranking.PathMetrics;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.server.config.Configuration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the keys of the topology make of its files. */
class TopologyKeysTest {
    private static final String GRAPH =
            """
            <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
              <key attr.name="label" attr.type="string" for="node" id="name"/>
              <graph edgedefault="undirected">
                <node id="0"><data key="name">Berlin</data></node>
                <node id="1"><data key="name">Paris</data></node>
                <edge source="0" target="1"/>
              </graph>
            </graphml>
            """;

    @TempDir
    private Path folder;

    private TopologyFiles.Read read(String... more) throws Exception {
        Path graph = Files.writeString(folder.resolve("graph"), GRAPH);
        Path table = Files.writeString(folder.resolve("table"), "10.0.0.0/8 64500\n20.0.0.0/8 64501\n30.0.0.0/8 64502\n");
        List<String> sets = new ArrayList<>(List.of("proximity.files=" + graph + "," + table));
        sets.addAll(List.of(more));
        return TopologyFiles.read(Configuration.load(null, Map.of(), sets));
    }

    private static PrefixAttachment at(OperatorNetwork network, String prefix) throws Exception {
        return network.attachments(Prefix.parse(prefix)).getFirst();
    }

    @Test
    void prefixesLeaveAtTheExitsAndTheOwnAreInside() throws Exception {
        OperatorNetwork berlin = read("proximity.exits=Berlin").network();
        OperatorNetwork paris = read("proximity.exits=Paris", "proximity.own-as=64500").network();
        assertThat(at(berlin, "20.0.0.0/8").router()).isNotEqualTo(at(paris, "20.0.0.0/8").router());
        assertThat(at(berlin, "10.0.0.0/8").internal()).isFalse();
        assertThat(at(paris, "10.0.0.0/8").internal()).isTrue();
    }

    @Test
    void anAsWithAPenaltyIsFarther() throws Exception {
        PathMetrics way = new PathMetrics(100, 20, 5, 64_500, 3, 50, 1);
        double usual = read("proximity.function=hops").function().cost(way);
        double penalised = read("proximity.function=hops", "proximity.as-penalties=64500=10").function().cost(way);
        assertThat(penalised).isEqualTo(usual + 10);
    }
}
