package io.guidepost.lab.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ScaffoldRunTest {
    @Test
    void inFairWeatherAllIsComplete() {
        for (long seed = 1; seed <= 20; seed++) {
            ScaffoldRun.Result result = ScaffoldRun.play(seed, List.of());
            System.out.println(result);
            assertThat(result.faults()).as("seed %s", seed).isEmpty();
        }
    }
}
