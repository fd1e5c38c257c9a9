package io.guidepost.lab.dmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.guidepost.base.Prefix;
import io.guidepost.lab.asgraph.AsGraph;
import io.guidepost.lab.asgraph.AsGraphGenerator;
import io.guidepost.lab.asgraph.WeightedSampler;
import io.guidepost.lab.chart.LineChart;
import io.guidepost.lab.dmap.StudyResult.Chosen;
import io.guidepost.names.Guid;
import io.guidepost.proximity.PrefixTableGenerator;
import io.guidepost.proximity.Prefixes;
import java.io.StringReader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

/** The study where its results are known by hand, and that it gives the same again. */
class DmapStudyTest {
    private static final Prefixes ALL_OF_AS_1 = Prefixes.builder().add(Prefix.ofIpv4(0, 0), 1).build();

    /** 1 - 2 - 3, with 10 and 20 ms one way. */
    private static final AsGraph LINE =
            AsGraph.builder().link(1, 2, 10_000).link(2, 3, 20_000).build();

    private static StudyResult run(AsGraph graph, Prefixes prefixes, StudySettings settings) {
        return DmapStudy.run(graph, prefixes, settings, (part, fraction) -> {});
    }

    /** Methods alone, on an invented graph. */
    private static List<Chosen> choices(NetworkNoise weather) {
        AsGraph graph = AsGraphGenerator.generate(2, 300, 1_000);
        DeployedPlacement placement =
                DeployedPlacement.of(PrefixTableGenerator.generate(2, 5_000, 300), DeployedPlacement.bindings(graph), 5);
        ReplicaNodes places = ReplicaNodes.of(ReplicaNodes.guids(1, 500), placement, 5);
        double[] alike = new double[graph.size()];
        Arrays.fill(alike, 1);
        StudyWorkload workload =
                StudyWorkload.draw(1, WeightedSampler.of(alike), 0, graph.size(), WeightedSampler
                        .mandelbrotZipf(500, 1.02, 100), 500, 6_000);
        LatencyModel distances = new LatencyModel(true, 0);
        SelectionPolicies choices = new SelectionPolicies(
                places, 5, workload, distances, weather, LookupMethod.ALL, new PeerEstimates(1, graph.size(), weather), 1);
        LatencyStatistics[] rows = LookupSweep.run(graph, workload, List.of(choices), 2, done -> {}).getFirst();
        return IntStream.range(0, rows.length)
                .mapToObj(i -> new Chosen(LookupMethod.ALL.get(i), rows[i]))
                .toList();
    }

    private static StudySettings small(NetworkNoise weather) {
        return StudySettings.PAPER.sized(500, 6_000, 2_000).in(weather);
    }

    private static LatencyStatistics tally(List<Chosen> choices, String method) {
        return choices.stream()
                .filter(each -> each.method().name().equals(method))
                .findFirst()
                .orElseThrow()
                .tally();
    }

    @Test
    void onALineTimesAreThoseOfTheHand() {
        StudyResult result = run(LINE, ALL_OF_AS_1, small(NetworkNoise.CALM));
        // By addresses all demand is at AS 1, which keeps everything.
        assertThat(result.closest().get(0).byReplicas()).allSatisfy(each -> assertThat(each.meanMillis()).isZero());
        assertThat(result.closest().get(1).byReplicas()).allSatisfy(each -> assertThat(each.meanMillis()).isEqualTo(4));
        // Alike, a third of it each is 0, 20 and 60 ms away.
        LatencyStatistics alike = result.closest().get(3).byReplicas().getFirst();
        assertThat(alike.meanMillis()).isCloseTo(80 / 3.0, within(1.0));
        assertThat(alike.quantileMillis(0.3)).isZero();
        assertThat(alike.quantileMillis(0.5)).isCloseTo(20, within(0.02));
        assertThat(alike.quantileMillis(0.95)).isCloseTo(60, within(0.06));
        assertThat(result.input().fewerServersShare()).isEqualTo(1);
        assertThat(result.loads()).allSatisfy(each -> assertThat(each.ratios()).containsExactly(1));
    }

    @Test
    void whenNothingGoesWrongMeasuringFindsTheShortestPath() {
        List<Chosen> choices = choices(NetworkNoise.CALM);
        LatencyStatistics shortest = tally(choices, "shortest path");
        for (String same : List.of("measured", "shortest path + hedging", "measured + hedging")) {
            assertThat(tally(choices, same).meanMillis()).as(same).isEqualTo(shortest.meanMillis());
        }
        assertThat(shortest.meanMillis())
                .isEqualTo(tally(choices, "all at once").meanMillis())
                .isLessThan(tally(choices, "least hops").meanMillis());
        assertThat(tally(choices, "least hops").meanMillis())
                .isLessThan(tally(choices, "random").meanMillis());
        assertThat(tally(choices, "measured").questionsMean()).isEqualTo(1);
    }

    @Test
    void whereAllServersAreDownNothingIsFound() {
        List<Chosen> choices = choices(new NetworkNoise(0, 0, 0, 1, 1, 500));
        assertThat(tally(choices, "measured").failedShare()).isEqualTo(1);
        assertThat(tally(choices, "measured + local copy").failedShare())
                .as("some ask where the name was inserted")
                .isBetween(0.99, 0.9999);
    }

    @Test
    void aSilentServerCostsTheTimeoutAndARaceLess() {
        List<Chosen> choices = choices(new NetworkNoise(0, 0, 0, 1, 0.3, 500));
        LatencyStatistics waiting = tally(choices, "shortest path");
        LatencyStatistics racing = tally(choices, "shortest path + hedging");
        LatencyStatistics measured = tally(choices, "measured");
        assertThat(waiting.quantileMillis(0.8)).isGreaterThan(500);
        assertThat(racing.quantileMillis(0.8)).isLessThan(500);
        assertThat(racing.questionsMean()).isBetween(1.2, 1.5);
        assertThat(measured.quantileMillis(0.95)).isLessThan(500);
    }

    @Test
    void withPatienceAnswersThatComeAfterTheTimeoutAreLost() {
        List<Chosen> choices = choices(new NetworkNoise(0, 0, 0, 1, 0, 1));
        assertThat(tally(choices, "all three + patience").failedShare()).isGreaterThan(0.9);
        assertThat(tally(choices, LookupMethod.GUIDEPOST.name()).failedShare()).isZero();
    }

    @Test
    void afterAChangeEachMissCostsARoundTrip() {
        Prefixes allOfAs3 = Prefixes.builder().add(Prefix.ofIpv4(0, 0), 3).build();
        Guid[] guids = ReplicaNodes.guids(1, 50);
        ReplicaNodes before = ReplicaNodes.of(guids, DeployedPlacement.of(ALL_OF_AS_1, DeployedPlacement.bindings(LINE), 5), 5);
        ReplicaNodes after = ReplicaNodes.of(guids, DeployedPlacement.of(allOfAs3, DeployedPlacement.bindings(LINE), 5), 5);
        StudyWorkload fromAs2 = StudyWorkload.draw(
                1, WeightedSampler.of(new double[] {0, 1, 0}), 0, 3, WeightedSampler.mandelbrotZipf(50, 1, 1), 50, 1_000);
        LatencyStatistics[] moved = LookupSweep.run(
                        LINE, fromAs2, List.of(new ChurnExperiment(before, after, 5, new LatencyModel(true, 0))), 2, done -> {})
                .getFirst();
        assertThat(moved[0].failedShare()).isEqualTo(1);
        assertThat(moved[1].failedShare()).isEqualTo(1);
        assertThat(moved[1].firstMissingShare()).isEqualTo(1);
        assertThat(moved[2].failedShare()).isZero();
        assertThat(moved[2].meanMillis()).as("40 ms to AS 3 in vain, then 20 ms to AS 1").isEqualTo(60);
        LatencyStatistics[] same = LookupSweep.run(
                        LINE, fromAs2, List.of(new ChurnExperiment(before, before, 5, new LatencyModel(true, 0))), 1, done -> {})
                .getFirst();
        assertThat(same[1].firstMissingShare()).isZero();
        assertThat(same[1].meanMillis()).isEqualTo(20);
    }

    @Test
    void oneSeedGivesOneResultWithAnyNumberOfThreads() throws Exception {
        AsGraph graph = AsGraphGenerator.generate(2, 300, 1_000);
        Prefixes prefixes = PrefixTableGenerator.generate(2, 5_000, 300);
        StudySettings one = new StudySettings(500, 6_000, 100_000, 5, 7, 2_000, NetworkNoise.ORDINARY, 1, 1);
        StudySettings three = new StudySettings(500, 6_000, 100_000, 5, 7, 2_000, NetworkNoise.ORDINARY, 1, 3);
        Map<String, String> files = StudyFiles.contents(run(graph, prefixes, one));
        assertThat(StudyFiles.contents(run(graph, prefixes, three))).isEqualTo(files);
        assertThat(ReplicaNodes.guids(1, 3)).isEqualTo(ReplicaNodes.guids(1, 3)).isNotEqualTo(ReplicaNodes.guids(2, 3));
        files.forEach((name, content) -> {
            if (name.endsWith(".csv")) {
                String[] lines = content.split("\r\n", -1);
                int commas = commas(lines[0]);
                assertThat(lines).as(name).hasSizeGreaterThan(5);
                assertThat(Arrays.copyOf(lines, lines.length - 1))
                        .as(name)
                        .allSatisfy(line -> assertThat(commas(line)).isEqualTo(commas));
            } else {
                assertWellFormed(name, content);
            }
        });
    }

    private static int commas(String line) {
        return (int) line.replaceAll("\"[^\"]*\"", "").chars().filter(each -> each == ',').count();
    }

    private static void assertWellFormed(String name, String svg) {
        try {
            assertThat(DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(new InputSource(new StringReader(svg)))
                            .getDocumentElement()
                            .getTagName())
                    .as(name)
                    .isEqualTo("svg");
        } catch (Exception e) {
            throw new AssertionError(name + " is not XML: " + svg, e);
        }
        assertThat(svg).as(name).doesNotContain("NaN").doesNotContain("Infinity");
    }

    @Test
    void namesInPicturesAreEscaped() {
        String svg = new LineChart("a < b & \"c\"", LineChart.Legend.TOP_LEFT)
                .acrossLog("x", 1, 100)
                .up("y", 0, 1)
                .line("<line>", new double[] {1, 10, 1000}, new double[] {0, 0.5, 2})
                .svg();
        assertWellFormed("chart", svg);
        assertThat(svg).contains("a &lt; b &amp; &quot;c&quot;", "&lt;line&gt;");
    }

    @Test
    void ticksAreRoundAndFewAndCoverTheAxis() {
        assertThat(LineChart.ticks(0, 1)).hasSizeBetween(5, 8).contains(0.0, 1.0);
        assertThat(LineChart.ticks(0, 137)).containsExactly(0.0, 20.0, 40.0, 60.0, 80.0, 100.0, 120.0);
        assertThat(LineChart.logTicks(2, 1000)).containsExactly(2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0);
        assertThat(LineChart.number(0.5)).isEqualTo("0.5");
        assertThat(LineChart.number(100)).isEqualTo("100");
    }

    @Test
    void askersKnowWhatNineteenOfTwentyAnswersTakeAtMost() {
        PeerEstimates servers = new PeerEstimates(1, 100, NetworkNoise.ORDINARY);
        SplittableRandom random = new SplittableRandom(2);
        int below = 0;
        double smoothed = 0;
        for (int i = 0; i < 100_000; i++) {
            int asker = i % 997;
            int node = i % 100;
            below += NetworkNoise.ORDINARY.exchangeFactor(random) * servers.factor(node) <= servers.high(asker, node) ? 1 : 0;
            smoothed += servers.smoothed(asker, node) / servers.factor(node);
        }
        assertThat(below / 100_000.0).isBetween(0.92, 0.97);
        // The mean of the factor: e^(0.3²/2) for the jitter, and nine more in a hundred for what is slow.
        assertThat(smoothed / 100_000).isCloseTo(Math.exp(0.045) * 1.09, within(0.03));
    }
}
