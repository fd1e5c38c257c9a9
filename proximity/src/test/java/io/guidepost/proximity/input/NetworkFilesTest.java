package io.guidepost.proximity.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.guidepost.base.Address;
import io.guidepost.base.FaultyFile;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.oracle.NicPairs;
import io.guidepost.proximity.ranking.RoutingDefects;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.RouterPosition;
import io.guidepost.proximity.topology.RoutingMode;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of every kind, made by hand, and what becomes of them together. */
class NetworkFilesTest {
    @TempDir
    private Path folder;

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static LoadedNetwork read(Path... files) throws IOException, FaultyFile {
        return NetworkFiles.read(List.of(files), InputOptions.DEFAULTS);
    }

    private static TopologyRouter router(LoadedNetwork loaded, String id) throws Exception {
        TopologyRouter router = loaded.network().topology().routers().get(Address.parse(id));
        assertThat(router).isNotNull();
        return router;
    }

    private static List<TopologyLink> links(TopologyRouter router) {
        List<TopologyLink> links = new ArrayList<>();
        for (Nic each : router.nics()) {
            if (each.link() != null) {
                links.add(each.link());
            }
        }
        return links;
    }

    private static final String ZOO =
            """
            <?xml version="1.0" encoding="utf-8"?>
            <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
              <key attr.name="LinkSpeedRaw" attr.type="double" for="edge" id="d38"/>
              <key attr.name="LinkSpeed" attr.type="string" for="edge" id="d34"/>
              <key attr.name="LinkSpeedUnits" attr.type="string" for="edge" id="d36"/>
              <key attr.name="Latitude" attr.type="double" for="node" id="d29"/>
              <key attr.name="Longitude" attr.type="double" for="node" id="d32"/>
              <key attr.name="label" attr.type="string" for="node" id="d33"/>
              <key attr.name="weight" attr.type="double" for="edge" id="w"><default>7</default></key>
              <graph edgedefault="undirected">
                <data key="d0">ignored</data>
                <node id="0">
                  <data key="d29">52.52</data><data key="d32">13.40</data><data key="d33">Berlin</data>
                </node>
                <node id="1">
                  <data key="d29">48.14</data><data key="d32">11.58</data><data key="d33">M\u00fcnchen &amp; mehr</data>
                </node>
                <node id="2"><data key="d33">192.0.2.1</data></node>
                <edge source="0" target="1"><data key="d38">10000000000.0</data></edge>
                <edge source="1" target="2">
                  <data key="d34">2.5</data><data key="d36">G</data><data key="w">3</data>
                </edge>
                <edge source="0" target="2"><data key="d34">&lt;1</data></edge>
              </graph>
            </graphml>
            """;

    @Test
    void readsGraphmlOfTheTopologyZoo() throws Exception {
        LoadedNetwork loaded = read(write("Germany.graphml", ZOO));
        assertThat(loaded.network().topology().routing()).isEqualTo(RoutingMode.IMPLICIT);
        assertThat(loaded.network().topology().names().values()).containsExactlyInAnyOrder("Berlin", "M\u00fcnchen & mehr", "192.0.2.1");
        TopologyRouter berlin = router(loaded, "198.18.0.1");
        assertThat(berlin.nicCount()).isEqualTo(3);
        TopologyLink south = links(berlin).getFirst();
        assertThat(south.latency()).as("504 km of glass").isBetween(2.50, 2.54);
        assertThat(south.bandwidth()).isEqualTo(10_000);
        assertThat(south.weight()).isEqualTo(7);
        assertThat(links(berlin).getLast()).as("nothing is known").isEqualTo(new TopologyLink(1, 10_000, 0, 7));
        assertThat(links(router(loaded, "192.0.2.1"))).contains(new TopologyLink(1, 2_500, 0, 3));
        assertThat(new NicPairs(loaded.network().topology()).links()).isEqualTo(6);
        assertThat(loaded.warnings())
                .containsExactly(folder.resolve("Germany.graphml")
                        + ":23: '<1' of linkspeed is not a number of 0 or more, and is ignored");
    }

    @Test
    void xmlMayBeInOtherEncodings() throws Exception {
        String text = "<?xml version='1.0' encoding='X'?><graphml><graph><node id='a'><data key='label'>M\u00fc</data></node>"
                + "</graph></graphml>";
        Path latin = Files.write(
                folder.resolve("l"), text.replace("X", "ISO-8859-1").getBytes(StandardCharsets.ISO_8859_1));
        Path wide = Files.write(folder.resolve("w"), text.replace("X", "UTF-16").getBytes(StandardCharsets.UTF_16));
        Path marked = write("m", "\ufeff" + text.replace("X", "UTF-8"));
        for (Path each : List.of(latin, wide, marked)) {
            assertThat(read(each).network().topology().names()).containsValue("M\u00fc");
        }
    }

    @Test
    void xmlReadsNoOtherFileAndDoesNotGrow() throws Exception {
        Path secret = write("secret", "10.0.0.0/8");
        for (String entity : List.of("SYSTEM \"" + secret.toUri() + "\"", "\"grown\"")) {
            Path file = write("x.xml", "<!DOCTYPE g [<!ENTITY e " + entity + ">]>\n<graphml><graph><node id=\"&e;\"/>"
                    + "</graph></graphml>");
            FaultyFile refused = catchThrowableOfType(FaultyFile.class, () -> read(file));
            assertThat(refused).hasMessageContaining("x.xml:2: not XML: ");
            assertThat(refused.getMessage()).doesNotContain("10.0.0.0").doesNotContain("grown");
        }
        Path deep = write("deep.xml", "<graphml><graph>" + "<node id=\"1\">".repeat(100_000));
        assertThat(catchThrowableOfType(FaultyFile.class, () -> read(deep))).hasMessageContaining("deep.xml:1: not XML: ");
    }

    @Test
    void readsJsonOfNodesAndLinks() throws Exception {
        LoadedNetwork loaded = read(write(
                "t.json",
                """
                {"directed": false, "graph": {"name": "x", "nodes": [1, 2]},
                 "nodes": [{"id": 7, "name": "Aachen", "pos": [6.04, 50.76]}, {"id": "b", "loopback": "10.0.0.2"},
                           {"id": 9, "latitude": 50.94, "longitude": 6.96}],
                 "edges": [{"source": 7, "target": "b", "dist": 61.63, "ecmp_fwd": {"uni": 1}},
                           {"source": 9, "target": 7, "metric": 10, "bandwidth": 400},
                           {"source": "b", "target": 9, "latency-us": 1500, "congestion": 0.5}]}
                """));
        assertThat(loaded.files().getFirst().links()).isEqualTo(6);
        assertThat(loaded.network().topology().positions())
                .containsOnly(
                        Map.entry(Address.parse("198.18.0.1"), new RouterPosition(50.76, 6.04)),
                        Map.entry(Address.parse("198.18.0.2"), new RouterPosition(50.94, 6.96)));
        assertThat(links(router(loaded, "10.0.0.2")))
                .containsExactlyInAnyOrder(new TopologyLink(61.63 / 200, 10_000, 0, 1), new TopologyLink(1.5, 10_000, 0.5, 1));
        assertThat(links(router(loaded, "198.18.0.2"))).anyMatch(each -> each.weight() == 10 && each.bandwidth() == 400
                && each.latency() > 0.3 && each.latency() < 0.4);
    }

    @Test
    void linesOfOneDirectionFindTheirOther() throws Exception {
        LoadedNetwork loaded = read(write(
                "g.graph",
                """
                NODES 3
                label x y
                San+Jose,+CA1 0.0 0.0
                B 0.0 0.0
                C 0.0 0.0

                EDGES 3
                label src dest weight bw delay
                Link_0 0 1 200 2400000 7
                Link_1 1 2 300 10000000 1
                Link_2 1 0 250 1000000 8
                """));
        assertThat(loaded.network().topology().names()).containsEntry(Address.parse("198.18.0.1"), "San Jose, CA1");
        assertThat(links(router(loaded, "198.18.0.1"))).containsExactly(new TopologyLink(7, 2_400, 0, 200));
        assertThat(links(router(loaded, "198.18.0.2")))
                .containsExactly(new TopologyLink(8, 1_000, 0, 250), new TopologyLink(1, 10_000, 0, 300));
        assertThat(links(router(loaded, "198.18.0.3"))).as("nothing leads back").isEmpty();
        assertThat(new NicPairs(loaded.network().topology()).links()).isEqualTo(3);
    }

    @Test
    void longDelaysAreMicroseconds() throws Exception {
        LoadedNetwork loaded = read(write("g", "NODES 2\nlabel x y\na 0 0\nb 0 0\nEDGES 1\nl s d w b d\nl 0 1 1 1000 1296\n"));
        assertThat(links(router(loaded, "198.18.0.1"))).containsExactly(new TopologyLink(1.296, 1, 0, 1));
    }

    @Test
    void prefixesHangWhereTheirFileSays() throws Exception {
        LoadedNetwork loaded = read(
                write(
                        "p.csv",
                        """
                        \ufeffPrefix,AS,Router,Distance
                        10.0.0.0/8, 65001 ,Berlin,3
                        "11.0.0.0/8",1.0,192.0.2.1
                        12.0.0.0/8,,Berlin
                        13.0.0.0/8;7;;2
                        """),
                write("zoo", ZOO));
        assertThat(loaded.network().prefixes()).isEqualTo(4);
        assertThat(loaded.network().attachments(Prefix.parse("10.0.0.0/8")))
                .containsExactly(PrefixAttachment.external(Address.parse("198.18.0.1"), 2, 65_001, 3));
        assertThat(loaded.network().attachments(Prefix.parse("11.0.0.0/8")))
                .containsExactly(PrefixAttachment.external(Address.parse("192.0.2.1"), 2, 65_536, 1));
        assertThat(loaded.network().attachments(Prefix.parse("12.0.0.0/8")))
                .containsExactly(PrefixAttachment.external(Address.parse("198.18.0.1"), 2, 0, 1));
        assertThat(loaded.network().attachments(Prefix.parse("13.0.0.0/8")))
                .first()
                .matches(each -> each.asNumber() == 7 && each.asDistance() == 2);
        assertThat(loaded.files()).extracting(LoadedNetwork.Source::prefixes).containsExactly(0, 4);
    }

    @Test
    void prefixesOfOneSystemHaveOneExitAndOnesOwnAreInternal() throws Exception {
        StringBuilder table = new StringBuilder("# prefix AS\n");
        for (int i = 0; i < 400; i++) {
            table.append(i / 200).append('.').append(i % 200).append(".0.0/16 ").append(64_500 + i % 20).append(" more\n");
        }
        Path[] files = {write("zoo", ZOO), write("table", table.toString())};
        InputOptions options = InputOptions.DEFAULTS.withExits(List.of("Berlin", "192.0.2.1")).withOwnAs(64_503);
        LoadedNetwork loaded = NetworkFiles.read(List.of(files), options);
        Map<Long, PrefixAttachment> bySystem = new HashMap<>();
        Set<Address> exits = new HashSet<>();
        Set<Address> own = new HashSet<>();
        loaded.network().forEach((_, attachments) -> {
            PrefixAttachment at = attachments.getFirst();
            if (at.internal()) {
                own.add(at.router());
            } else {
                assertThat(bySystem.computeIfAbsent(at.asNumber(), _ -> at)).isEqualTo(at);
                exits.add(at.router());
            }
        });
        assertThat(bySystem).hasSize(19);
        assertThat(exits).containsExactlyInAnyOrder(Address.parse("198.18.0.1"), Address.parse("192.0.2.1"));
        assertThat(own).as("20 prefixes over three routers").hasSize(3);
        assertThat(NetworkFiles.read(List.of(files), options).network().attachments(Prefix.parse("0.7.0.0/16")))
                .isEqualTo(loaded.network().attachments(Prefix.parse("0.7.0.0/16")));
    }

    @Test
    void routersThatOnlyPrefixesNameAreTheNetwork() throws Exception {
        LoadedNetwork loaded = read(write("p.csv", "10.0.0.0/8,1,192.0.2.1\n2001:db8::/32,2,2001:db8::1\n11.0.0.0/8,3,192.0.2.1,4\n"));
        assertThat(loaded.network().topology().routers().keySet())
                .containsExactlyInAnyOrder(Address.parse("192.0.2.1"), Address.parse("2001:db8::1"));
    }

    @Test
    void oraclesFilesAndATableGoTogetherCompressed() throws Exception {
        ByteArrayOutputStream table = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(table)) {
            out.write("10.0.0.0/8\n11.0.0.0/8 7\n".getBytes(StandardCharsets.UTF_8));
        }
        Path gz = Files.write(folder.resolve("anything"), table.toByteArray());
        Path main = write("oracle.conf", "# ours\nrouter 10.0.0.1 4\nsnetwork 10.1.0.0/16 10.0.0.1 3\nthreads 3\n");
        write("10.0.0.1.conf", "");
        LoadedNetwork loaded = read(gz, main);
        assertThat(loaded.settings().orElseThrow().threads()).isEqualTo(3);
        assertThat(loaded.network().prefixes()).isEqualTo(3);
        assertThat(loaded.network().attachments(Prefix.parse("11.0.0.0/8")))
                .containsExactly(PrefixAttachment.external(Address.parse("10.0.0.1"), 3, 7, 1));
        assertThat(loaded.summary()).contains("oracle.conf: configuration of the Oracle, 1 routers, 1 prefixes");
    }

    @Test
    void aCompressedFileThatIsCutOffIsRefused() throws Exception {
        ByteArrayOutputStream table = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(table)) {
            for (int i = 0; i < 100_000; i++) {
                out.write((i * 7919 + ".0.0.0/8\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(table.toByteArray(), 1000));
        assertThat(catchThrowableOfType(FaultyFile.class, () -> read(cut)))
                .hasMessage(cut + ": compressed, but truncated or damaged: Unexpected end of ZLIB input stream");
    }

    @Test
    void tellsWhatIsWrongInAllFiles() throws Exception {
        Path[] files = {
            write("a.json", "{\"nodes\": [{\"id\": 1}, {\"id\": 1}],\n\"links\": [{\"source\": 1, \"target\": 2}, {}]}"),
            write("b.json", "{\"nodes\": [\n}"),
            write("c.json", "{\"links\": []}"),
            write("d.xml", "<graphml><graph>\n<node/><edge source='a' target='b'/></graph></graphml>"),
            write("e.xml", "<html></html>"),
            write("f.graph", "NODES 2\nlabel x y\na 0 0\n"),
            write("g.graph", "NODES 1\nlabel x y\na 0 0\nEDGES 1\nx\nl 0 0 -1 5 5\n"),
            write("h.csv", "10.0.0.0/8,1,nowhere\n10.0.0.0/33\n10.0.0.0/8,x\n10.0.0.0/8,1,,70000\n10.0.0.0/8,1,,7,8\n"),
            write("i", "hello\n"),
        };
        FaultyFile refused = catchThrowableOfType(FaultyFile.class, () -> read(files));
        assertThat(refused.faults().stream().map(each -> each.replace(folder + "/", "")).toList())
                .containsExactly(
                        "i: unknown kind of file: give the Oracle's main file, GraphML, JSON of nodes and links, a graph"
                                + " of Repetita, or a list of prefixes",
                        "d.xml:2: <node> has no attribute id: write one",
                        "d.xml:2: an edge ends at node 'a', which is not there",
                        "d.xml:2: an edge ends at node 'b', which is not there",
                        "e.xml: there is no <graph>: this is XML, but not GraphML",
                        "a.json:1: node '1' is there already: give each its own id",
                        "a.json:2: a link needs \"source\" and \"target\", the ids of two nodes",
                        "a.json:2: an edge ends at node '2', which is not there",
                        "b.json:2: not JSON: Unexpected close marker '}': expected ']'",
                        "c.json: there are no \"nodes\": this is JSON, but no topology",
                        "f.graph:3: the file ends after 1 of 2 lines of NODES",
                        "g.graph:6: '-1' is not a number of 0 or more",
                        "h.csv:1: there is no router 'nowhere': write the address or name of one",
                        "h.csv:2: '33' is not a prefix length from 0 to 32",
                        "h.csv:3: 'x' is not the number of an AS: write a number from 0 to 4294967295, or two halves such"
                                + " as 1.0",
                        "h.csv:4: '70000' is not an AS distance: write a number from 0 to 65535",
                        "h.csv:5: '8' is one column too many: write PREFIX,AS,ROUTER,DISTANCE");
    }

    /** Next hops of routes are often IPv6 or loopback addresses that no link has. */
    @Test
    void aNodeMayHaveFurtherAddresses() throws Exception {
        Path file = Files.writeString(folder.resolve("graph.json"), """
                {"nodes": [{"id": "Berlin", "address": "10.0.0.1", "addresses": "2001:db8::1, 192.0.2.1"},
                  {"id": "Bonn", "address": "10.0.0.2"}],
                 "links": [{"source": "Berlin", "target": "Bonn"}]}
                """);
        LoadedNetwork loaded = read(file);
        Topology topology = loaded.network().topology();
        for (String each : List.of("10.0.0.1", "2001:db8::1", "192.0.2.1")) {
            assertThat(topology.router(Address.parse(each)).orElseThrow().id()).isEqualTo(Address.parse("10.0.0.1"));
        }
        assertThat(topology.router(Address.parse("192.0.2.9"))).isEmpty();
        loaded.network().add(Prefix.parse("2001:db8:9::/48"), PrefixAttachment.external(Address.parse("2001:db8::1"), 0, 1, 1));
        assertThat(RoutingDefects.of(loaded.network()).lines()).isEmpty();
    }

    /** RFC 4180 section 2: separators and doubled quotes inside quotes belong to the column. */
    @Test
    void columnsMayBeQuoted() throws Exception {
        Path graph = Files.writeString(folder.resolve("graph.json"), """
                {"nodes": [{"id": "San Jose, CA"}, {"id": "The \\"Hub\\""}],
                 "links": [{"source": "San Jose, CA", "target": "The \\"Hub\\""}]}
                """);
        Path list = Files.writeString(folder.resolve("list.csv"), """
                "20.0.0.0/8",64500,"San Jose, CA",2
                21.0.0.0/8,"64501","The ""Hub\"""
                """);
        OperatorNetwork network = read(graph, list).network();
        assertThat(network.attachments(Prefix.parse("20.0.0.0/8")).getFirst().router())
                .isEqualTo(network.topology().named("San Jose, CA").orElseThrow());
        assertThat(network.attachments(Prefix.parse("21.0.0.0/8")).getFirst().router())
                .isEqualTo(network.topology().named("The \"Hub\"").orElseThrow());
        Path wrong = Files.writeString(folder.resolve("wrong.csv"), "20.0.0.0/8,1,\"San Jose\n21.0.0.0/8,1,\"San Jose, CA\"x\n");
        assertThat(catchThrowableOfType(FaultyFile.class, () -> read(graph, wrong)).total()).isEqualTo(2);
    }
}
