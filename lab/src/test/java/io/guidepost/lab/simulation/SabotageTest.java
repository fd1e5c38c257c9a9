package io.guidepost.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A simulation that cannot fail shows nothing: deployments that are wrong on purpose, and it must be noticed. */
class SabotageTest {
    private static final int SEEDS = 200;

    /** The seed that noticed it first is tried first. */
    @ParameterizedTest
    @EnumSource
    void each_sabotage_is_noticed_by_the_invariant_that_it_breaks(Sabotages sabotage) {
        LongStream known = SeedCorpus.all().stream()
                .filter(each -> each.sabotage().filter(sabotage::equals).isPresent())
                .mapToLong(SeedCorpus.Entry::seed);
        assertThat(LongStream.concat(known, LongStream.rangeClosed(1, SEEDS)).filter(sabotage::caught).findFirst())
                .as("the first of %d seeds that notices %s", SEEDS, sabotage)
                .isPresent();
    }
}
