package io.guidepost.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.params.provider.ValueSource;

/** Deployments simulated as in {@code guidepost simulate cluster}, which replays what fails here. */
class SimulatedClusterTest {
    private static final ClusterOptions ALONE = new ClusterOptions(1, 300, EnumSet.allOf(FaultKind.class), false, false);

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
    void two_hundred_servers_keep_their_promises_for_two_hundred_seeds() {
        keepsItsPromises(1, 200, new ClusterOptions(200, 100, EnumSet.allOf(FaultKind.class), false, false));
    }

    @Test
    @Tag("long")
    void two_hundred_servers_keep_their_promises_for_ten_thousand_seeds() {
        keepsItsPromises(1, 10_000, ClusterOptions.defaults());
    }

    /** Seeds that once broke a promise: an UPDATE met no trace of what had ended by a clock that is ahead. */
    @ParameterizedTest
    @ValueSource(longs = 9837)
    void seeds_that_once_found_something_find_nothing(long seed) {
        assertThat(Cluster.run(seed, ClusterOptions.defaults()).breaches()).isEmpty();
    }

    /** Few servers are alike in all they keep: each has a copy of nearly every name. */
    @Test
    void five_servers_keep_their_promises() {
        keepsItsPromises(1000, 50, new ClusterOptions(5, 200, EnumSet.allOf(FaultKind.class), true, false));
    }

    /** Nothing but one kind of trouble, so that a fault of one kind does not hide behind another. */
    @ParameterizedTest
    @EnumSource
    void each_kind_of_trouble_is_survived_by_itself(FaultKind fault) {
        Campaign.Summary summary =
                Campaign.run(5000, 10, 2, new ClusterOptions(20, 200, Set.of(fault), false, false), done -> {});
        assertThat(summary.broken()).flatMap(ClusterRun::breaches).isEmpty();
        assertThat(summary.faults().getOrDefault(fault, 0L)).isPositive();
    }

    @Test
    void the_same_seed_plays_the_same() {
        ClusterOptions options = new ClusterOptions(50, 200, EnumSet.allOf(FaultKind.class), false, true);
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
            ClusterOptions options = new ClusterOptions(50, 200, EnumSet.allOf(FaultKind.class), false, false);
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
