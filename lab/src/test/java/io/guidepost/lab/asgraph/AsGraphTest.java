package io.guidepost.lab.asgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.FaultyFile;
import io.guidepost.base.LineReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Graphs from files, and invented ones. */
class AsGraphTest {
    private static AsGraph read(String text) throws IOException, FaultyFile {
        try (LineReader lines = LineReader.of(
                "links.txt", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))) {
            return AsGraphFile.read(lines);
        }
    }

    @Test
    void filesHaveCommentsLargeNumbersAndFurtherColumns() throws Exception {
        AsGraph graph = read("# links\n10 20 1500 seen twice\n\n4294967295 20 2.5e+06 # slow\n30 10 7.6\n");
        assertThat(graph.size()).isEqualTo(4);
        assertThat(graph.links()).isEqualTo(3);
        ShortestPaths paths = new ShortestPaths(graph);
        paths.from(graph.node(30));
        assertThat(paths.micros(graph.node(4294967295L))).isEqualTo(8 + 1500 + 2_500_000);
        assertThat(paths.hops(graph.node(4294967295L))).isEqualTo(3);
        assertThat(graph.node(99)).isNegative();
    }

    @Test
    void everyBadLineIsToldWithItsNumber() {
        assertThatThrownBy(() -> read("""
                        1 2 3
                        1 x 3
                        1
                        # a comment
                        1 2
                        1 2 0
                        1 2 -5
                        1 2 1e9
                        1 2 NaN
                        7 7 5
                        """))
                .isInstanceOfSatisfying(FaultyFile.class, faulty -> assertThat(faulty.faults())
                        .hasSize(8)
                        .satisfiesExactly(
                                each -> assertThat(each).startsWith("links.txt:2: 'x' is not the number of an AS"),
                                each -> assertThat(each).startsWith("links.txt:3: no second AS"),
                                each -> assertThat(each).startsWith("links.txt:5: no latency after the ASes"),
                                each -> assertThat(each).startsWith("links.txt:6: '0' is not a latency"),
                                each -> assertThat(each).startsWith("links.txt:7: '-5' is not a latency"),
                                each -> assertThat(each).startsWith("links.txt:8: '1e9' is not a latency"),
                                each -> assertThat(each).startsWith("links.txt:9: 'NaN' is not a latency"),
                                each -> assertThat(each).startsWith("links.txt:10: AS 7 is linked to itself")));
    }

    @Test
    void anEmptyFileIsRefused() {
        assertThatThrownBy(() -> read("# nothing\n")).isInstanceOf(FaultyFile.class).hasMessageContaining("no link");
    }

    @Test
    void ofSeveralPartsTheLargestIsKept() throws Exception {
        AsGraph graph = read("1 2 5\n10 11 5\n11 12 5\n12 13 5\n20 21 5\n21 22 5\n");
        assertThat(IntStream.range(0, graph.size()).mapToLong(graph::as)).containsExactly(10L, 11L, 12L, 13L);
        assertThat(graph.links()).isEqualTo(3);
    }

    @Test
    void inventedGraphsHangTogetherAndHaveFewHeavyNodes() {
        AsGraph graph = AsGraphGenerator.generate(1, 5_000, 17_000);
        assertThat(graph.size()).isEqualTo(5_000);
        assertThat(graph.links()).isEqualTo(17_000);
        int heaviest = IntStream.range(0, graph.size())
                .map(node -> graph.arcEnd(node) - graph.firstArc(node))
                .max()
                .orElseThrow();
        long leaves = IntStream.range(0, graph.size()).filter(node -> graph.anchor(node) != node).count();
        assertThat(heaviest).isGreaterThan(300);
        assertThat(leaves).isBetween(500L, 2_500L);
    }

    @Test
    void oneSeedInventsOneGraph() {
        assertThat(links(AsGraphGenerator.generate(7, 300, 900)))
                .isEqualTo(links(AsGraphGenerator.generate(7, 300, 900)))
                .isNotEqualTo(links(AsGraphGenerator.generate(8, 300, 900)));
    }

    @Test
    void smallGraphsMayBeTreesOrHalfFull() {
        assertThat(AsGraphGenerator.generate(1, 2, 1).links()).isEqualTo(1);
        assertThat(AsGraphGenerator.generate(1, 40, 39).links()).isEqualTo(39);
        assertThat(AsGraphGenerator.generate(1, 40, 390).links()).isEqualTo(390);
        assertThatThrownBy(() -> AsGraphGenerator.generate(1, 40, 38)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> AsGraphGenerator.generate(1, 40, 400)).isInstanceOf(IllegalArgumentException.class);
    }

    private static String links(AsGraph graph) {
        StringBuilder text = new StringBuilder();
        for (int node = 0; node < graph.size(); node++) {
            text.append(node).append(' ').append(graph.anchor(node)).append(' ').append(graph.anchorMicros(node));
            for (int arc = graph.firstArc(node); arc < graph.arcEnd(node); arc++) {
                text.append(' ').append(graph.neighbour(arc)).append(':').append(graph.micros(arc));
            }
            text.append('\n');
        }
        return text.toString();
    }
}
