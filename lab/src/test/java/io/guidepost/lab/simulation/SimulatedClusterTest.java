package io.guidepost.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.relay.RelayBound;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Deployments simulated as in {@code guidepost simulate cluster}, which replays what fails here. */
class SimulatedClusterTest {
    private static final ClusterOptions ALONE = mixed(1, 300, false, false);

    private static ClusterOptions mixed(int nodes, int operations, boolean everywhere, boolean trace) {
        return new ClusterOptions(
                nodes, operations, EnumSet.allOf(FaultKind.class), everywhere, SimulationProfile.MIXED, trace);
    }

    private static void keepsItsPromises(long first, long seeds, ClusterOptions options) {
        Campaign.Summary summary = Campaign.run(first, seeds, 2, options, done -> {});
        for (ClusterRun each : summary.broken()) {
            assertThat(each.breaches())
                    .describedAs("guidepost simulate cluster --seed %d --nodes %d --operations %d --trace", each.seed(),
                            options.nodes(), options.operations())
                    .isEmpty();
        }
        assertThat(summary.seeds()).isEqualTo(seeds);
        assertThat(summary.acknowledged()).isGreaterThan(5 * seeds);
        assertThat(summary.required()).isGreaterThan(5 * seeds);
        assertThat(summary.forbidden()).isGreaterThan(2 * seeds);
    }

    @Test
    void one_server_alone_keeps_its_promises() {
        keepsItsPromises(1, 50, ALONE);
    }

    @Test
    void two_hundred_servers_keep_their_promises_for_fifty_seeds() {
        keepsItsPromises(1, 50, mixed(200, 100, false, false));
    }

    @Test
    @Tag("long")
    void two_hundred_servers_keep_their_promises_for_ten_thousand_seeds() {
        keepsItsPromises(1, 10_000, ClusterOptions.defaults());
    }

    static List<SeedCorpus.Entry> corpus() {
        return SeedCorpus.all();
    }

    /** What was sabotaged once is right without sabotage, and what the product did wrong once it does right now. */
    @ParameterizedTest
    @MethodSource("corpus")
    void seeds_that_ever_failed_keep_their_promises(SeedCorpus.Entry entry) {
        assertThat(Cluster.run(entry.seed(), entry.options()).breaches()).isEmpty();
    }

    /** A bound that no run reaches promises nothing. */
    @Test
    void every_bound_is_reached_and_none_is_exceeded() {
        Campaign.Summary summary = Campaign.run(1, 40, 2, ClusterOptions.of(SimulationProfile.TIGHT), done -> {});
        assertThat(summary.broken()).flatMap(ClusterRun::breaches).isEmpty();
        assertThat(summary.reached()).hasSizeGreaterThan(RelayBound.values().length);
        assertThat(summary.reached()).allSatisfy((bound, times) -> assertThat(times).as(bound).isPositive());
    }

    @ParameterizedTest
    @EnumSource(names = {"CALM", "RESTART", "HANDOFF", "REPAIR"})
    void each_mechanism_keeps_its_promise_by_itself(SimulationProfile profile) {
        Campaign.Summary summary = Campaign.run(1, 40, 2, ClusterOptions.of(profile), done -> {});
        assertThat(summary.broken()).flatMap(ClusterRun::breaches).isEmpty();
        assertThat(summary.acknowledged()).isGreaterThan(5 * summary.seeds());
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void each_profile_keeps_its_promises_for_two_thousand_seeds(SimulationProfile profile) {
        Campaign.Summary summary = Campaign.run(1, 2000, 2, ClusterOptions.of(profile), done -> {});
        assertThat(summary.broken()).flatMap(ClusterRun::breaches).isEmpty();
    }

    /** Few servers are alike in all they keep: each has a copy of nearly every name. */
    @Test
    void five_servers_keep_their_promises() {
        keepsItsPromises(1000, 50, mixed(5, 200, true, false));
    }

    /** Nothing but one kind of trouble, so that a fault of one kind does not hide behind another. */
    @ParameterizedTest
    @EnumSource
    void each_kind_of_trouble_is_survived_by_itself(FaultKind fault) {
        Campaign.Summary summary =
                Campaign.run(5000, 10, 2, new ClusterOptions(20, 200, Set.of(fault), false, SimulationProfile.MIXED, false), done -> {});
        assertThat(summary.broken()).flatMap(ClusterRun::breaches).isEmpty();
        assertThat(summary.faults().getOrDefault(fault, 0L)).isPositive();
    }

    @Test
    void the_same_seed_plays_the_same() {
        ClusterOptions options = mixed(50, 200, false, true);
        for (long seed = 7; seed < 12; seed++) {
            ClusterRun once = Cluster.run(seed, options);
            ClusterRun again = Cluster.run(seed, options);
            assertThat(again.trace()).isEqualTo(once.trace()).isNotEmpty();
            assertThat(again.digest()).isEqualTo(once.digest());
            assertThat(Cluster.run(seed, options.withTrace(false)).digest()).isEqualTo(once.digest());
            assertThat(Cluster.run(seed + 100, options).digest()).isNotEqualTo(once.digest());
        }
    }

    /** The order of some collections changes from one process to the next: nothing here may depend on it. */
    @Test
    void the_same_seed_plays_the_same_in_another_process() throws IOException, InterruptedException {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Elsewhere.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(other.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(said.lines().toList()).isEqualTo(Elsewhere.digests());
    }

    /** Plays some seeds in a process of its own. */
    static final class Elsewhere {
        private Elsewhere() {}

        static List<String> digests() {
            ClusterOptions options = mixed(50, 200, false, false);
            return java.util.stream.LongStream.range(20, 26)
                    .mapToObj(seed -> seed + " " + Cluster.run(seed, options).digest())
                    .toList();
        }

        /** Prints what came of them. */
        public static void main(String[] args) {
            digests().forEach(System.out::println);
        }
    }
}
