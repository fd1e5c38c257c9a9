package io.guidepost.bench.scene;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.ProcessMeter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class RandomizedWindowsTest {
    private static final int REQUESTS = 1000;

    /** A window with so many lost requests, and answers after 1 to so many microseconds, evenly. */
    private static RandomizedWindows.Window window(int lost, int microsMax) {
        Histogram latency = new Histogram(3);
        for (int i = 0; i < REQUESTS - lost; i++) {
            latency.recordValue(1000L * (1 + (long) i * microsMax / REQUESTS));
        }
        int answered = REQUESTS - lost;
        LoadResult tally = new LoadResult(1, REQUESTS, answered, answered, lost, 0, 0, 0, 0, latency, 0, ProcessMeter.UNKNOWN);
        return new RandomizedWindows.Window(tally, false);
    }

    @Test
    void quantilesAreThoseOfAllWindowsTogether() {
        RandomizedWindows windows = new RandomizedWindows();
        for (int i = 0; i < 10; i++) {
            windows.add("calm", window(0, 100));
            windows.add("one slow", window(0, i == 0 ? 10_000 : 100));
        }
        assertThat(windows.micros("calm", 99).value()).isBetween(98.0, 100.5);
        // A tenth of all is spread over 10 ms: the slowest hundredth of all is the slowest tenth of that.
        assertThat(windows.micros("one slow", 99).value()).isBetween(8900.0, 9100.0);
        assertThat(windows.middleRatio("one slow", "calm", 99).value()).isEqualTo(1);
    }

    @Test
    void howSureAFigureIsFollowsFromTheWindows() {
        RandomizedWindows alike = new RandomizedWindows();
        RandomizedWindows unlike = new RandomizedWindows();
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 40; i++) {
            alike.add("a", window(0, 200));
            alike.add("b", window(0, 100));
            unlike.add("a", window(0, random.nextInt(20, 500)));
            unlike.add("b", window(0, 100));
        }
        RandomizedWindows.Estimate sure = alike.ratio("a", "b", 99);
        assertThat(sure.low()).isEqualTo(sure.high());
        assertThat(sure.value()).isBetween(1.98, 2.02);
        RandomizedWindows.Estimate unsure = unlike.ratio("a", "b", 99);
        assertThat(unsure.low()).isLessThanOrEqualTo(unsure.value());
        assertThat(unsure.high() - unsure.low()).isGreaterThan(0.02);
        assertThat(unlike.ratio("a", "b", 99)).as("the same windows").isEqualTo(unsure);
    }

    @Test
    void aNoiseThatBothHaveAlikeIsNoneOfTheRatio() {
        RandomizedWindows windows = new RandomizedWindows();
        for (int i = 0; i < 30; i++) {
            int noise = i % 7 == 0 ? 50 : 1;
            windows.add("a", window(0, 100 * noise));
            windows.add("b", window(0, 100 * noise));
        }
        RandomizedWindows.Estimate ratio = windows.ratio("a", "b", 99);
        assertThat(List.of(ratio.low(), ratio.value(), ratio.high())).containsOnly(1.0);
    }

    @Test
    void whatWasLostIsSlowerThanAnyAnswer() {
        RandomizedWindows windows = new RandomizedWindows();
        windows.add("few", window(5, 100));
        windows.add("many", window(20, 100));
        assertThat(windows.micros("few", 99).value()).isBetween(98.0, 100.5);
        assertThat(windows.micros("many", 99).value()).isInfinite();
        assertThat(windows.micros("many", 97).value()).isBetween(96.0, 100.5);
    }

    @Test
    void whatOthersDisturbedIsLeftOutOnEverySide() {
        RandomizedWindows windows = new RandomizedWindows();
        for (int i = 0; i < 10; i++) {
            windows.add("a", i % 2 == 0 ? new RandomizedWindows.Window(window(0, 10_000).tally(), true) : window(0, 100));
            windows.add("b", i == 0 ? new RandomizedWindows.Window(window(0, 10_000).tally(), true) : window(0, 50));
        }
        RandomizedWindows undisturbed = windows.undisturbed();
        assertThat(List.of(undisturbed.count("a"), undisturbed.count("b"))).containsExactly(5L, 9L);
        assertThat(windows.ratio("a", "b", 99).value()).isBetween(1.0, 1.2);
        assertThat(undisturbed.ratio("a", "b", 99).value()).isBetween(1.95, 2.05);
        assertThat(undisturbed.middleRatio("a", "b", 99).value()).as("of blocks with both").isBetween(1.95, 2.05);
        assertThat(undisturbed.sum("a", LoadResult::sent)).isEqualTo(5L * REQUESTS);
    }

    @Test
    void whereNoWindowIsLeftThereIsNoFigure() {
        RandomizedWindows windows = new RandomizedWindows();
        windows.add("a", new RandomizedWindows.Window(window(0, 100).tally(), true));
        windows.add("b", window(0, 100));
        RandomizedWindows undisturbed = windows.undisturbed();
        assertThat(undisturbed.micros("a", 99).value()).isNaN();
        assertThat(undisturbed.ratio("a", "b", 99).value()).isNaN();
        assertThat(undisturbed.middleRatio("a", "b", 99).value()).isNaN();
    }

    @Test
    void othersDisturbAWindowWithHalfAHundredthOfIt() {
        LoadResult second = new LoadResult(
                1_000_000_000, 1, 1, 1, 0, 0, 0, 0, 0, new Histogram(3), 0, ProcessMeter.UNKNOWN);
        assertThat(RandomizedWindows.Window.of(second, 5_000_000).disturbed()).isFalse();
        assertThat(RandomizedWindows.Window.of(second, 5_000_001).disturbed()).isTrue();
        assertThat(RandomizedWindows.Window.of(second, ProcessMeter.UNKNOWN).disturbed()).isTrue();
    }

    @Test
    void theOrderIsDrawnForEachBlockAndIsThatOfTheSeed() {
        assertThat(order(1)).isEqualTo(order(1)).isNotEqualTo(order(2));
        for (int block = 0; block < 20; block++) {
            assertThat(order(1).subList(3 * block, 3 * block + 3)).containsExactlyInAnyOrder("a", "b", "c");
        }
    }

    private static List<String> order(long seed) {
        List<String> played = new ArrayList<>();
        Map<String, Supplier<RandomizedWindows.Window>> contestants = new LinkedHashMap<>();
        for (String name : List.of("a", "b", "c")) {
            contestants.put(name, () -> {
                played.add(name);
                return window(0, 100);
            });
        }
        RandomizedWindows.play(20, contestants, seed, TerminalProgress.none());
        return played;
    }
}
