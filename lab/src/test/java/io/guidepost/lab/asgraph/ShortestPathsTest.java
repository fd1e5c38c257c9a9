package io.guidepost.lab.asgraph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Shortest paths against those of Floyd and Warshall, on graphs of all shapes. */
class ShortestPathsTest {
    private static final long FAR = 1L << 40;

    @Test
    void pathsAreThoseOfTheModelOnRandomGraphs() {
        for (int seed = 0; seed < 150; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int most = (int) Math.pow(10, random.nextInt(1, 8));
            compare(random(random, random.nextInt(2, 40), random.nextInt(1, 80), most), "seed " + seed);
        }
    }

    @Test
    void starsPairsAndLinesHaveLeavesEverywhere() {
        AsGraph.Builder star = AsGraph.builder();
        AsGraph.Builder line = AsGraph.builder();
        for (int i = 1; i < 20; i++) {
            star.link(7, 100 + i, 500 * i);
            line.link(i, i + 1, 1000 + i);
        }
        compare(star.build(), "star");
        compare(line.build(), "line");
        compare(AsGraph.builder().link(1, 2, 3).build(), "pair");
        compare(AsGraph.builder().link(1, 2, 9).link(2, 1, 3).build(), "pair with two links");
    }

    @Test
    void fastAndVerySlowLinksTogetherAreExact() {
        AsGraph.Builder graph = AsGraph.builder();
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 1; i < 60; i++) {
            graph.link(i, random.nextInt(i), 1 + random.nextInt(20));
            graph.link(i, 100, random.nextInt(1, 60_000_000));
        }
        compare(graph.build(), "one microsecond to a minute");
    }

    private static AsGraph random(SplittableRandom random, int nodes, int links, int most) {
        AsGraph.Builder graph = AsGraph.builder();
        graph.link(0, 1, 1);
        for (int i = 0; i < links; i++) {
            int one = random.nextInt(nodes);
            int other = random.nextInt(nodes);
            if (one != other) {
                graph.link(one, other, random.nextInt(1, most + 1));
            }
        }
        return graph.build();
    }

    /** Asks in an order in which sources with the same anchor meet. */
    private static void compare(AsGraph graph, String what) {
        long[][] micros = new long[graph.size()][graph.size()];
        long[][] hops = new long[graph.size()][graph.size()];
        model(graph, micros, hops);
        ShortestPaths paths = new ShortestPaths(graph);
        for (int round = 0; round < 2; round++) {
            for (int from = 0; from < graph.size(); from++) {
                paths.from(from);
                for (int to = 0; to < graph.size(); to++) {
                    assertThat(paths.micros(to)).as("%s: latency from %s to %s", what, from, to).isEqualTo((int) micros[from][to]);
                    assertThat(paths.hops(to)).as("%s: hops from %s to %s", what, from, to).isEqualTo((int) hops[from][to]);
                }
            }
        }
    }

    private static void model(AsGraph graph, long[][] micros, long[][] hops) {
        int size = graph.size();
        for (int i = 0; i < size; i++) {
            Arrays.fill(micros[i], FAR);
            Arrays.fill(hops[i], FAR);
            micros[i][i] = 0;
            hops[i][i] = 0;
        }
        for (int i = 0; i < size; i++) {
            for (int arc = graph.firstArc(i); arc < graph.arcEnd(i); arc++) {
                link(i, graph.neighbour(arc), graph.micros(arc), micros, hops);
            }
            if (graph.anchor(i) != i) {
                link(i, graph.anchor(i), graph.anchorMicros(i), micros, hops);
            }
        }
        for (int via = 0; via < size; via++) {
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    micros[i][j] = Math.min(micros[i][j], micros[i][via] + micros[via][j]);
                    hops[i][j] = Math.min(hops[i][j], hops[i][via] + hops[via][j]);
                }
            }
        }
    }

    private static void link(int one, int other, int latency, long[][] micros, long[][] hops) {
        micros[one][other] = Math.min(micros[one][other], latency);
        micros[other][one] = micros[one][other];
        hops[one][other] = 1;
        hops[other][one] = 1;
    }
}
