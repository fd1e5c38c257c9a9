package io.guidepost.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class WindowsTest {
    private static final int REQUESTS = 1000;

    /** A window with so many lost requests, and answers after 1 to so many microseconds, evenly. */
    private static Windows.Window window(int lost, int microsMax) {
        Histogram latency = new Histogram(3);
        for (int i = 0; i < REQUESTS - lost; i++) {
            latency.recordValue(1000L * (1 + (long) i * microsMax / REQUESTS));
        }
        int answered = REQUESTS - lost;
        Tally tally = new Tally(1, REQUESTS, answered, answered, lost, 0, 0, 0, 0, latency, 0, ProcessMeter.UNKNOWN);
        return new Windows.Window(tally, false);
    }

    @Test
    void quantilesAreThoseOfAllWindowsTogether() {
        Windows windows = new Windows();
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
        Windows alike = new Windows();
        Windows unlike = new Windows();
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 40; i++) {
            alike.add("a", window(0, 200));
            alike.add("b", window(0, 100));
            unlike.add("a", window(0, random.nextInt(20, 500)));
            unlike.add("b", window(0, 100));
        }
        Windows.Estimate sure = alike.ratio("a", "b", 99);
        assertThat(sure.low()).isEqualTo(sure.high());
        assertThat(sure.value()).isBetween(1.98, 2.02);
        Windows.Estimate unsure = unlike.ratio("a", "b", 99);
        assertThat(unsure.low()).isLessThanOrEqualTo(unsure.value());
        assertThat(unsure.high() - unsure.low()).isGreaterThan(0.02);
        assertThat(unlike.ratio("a", "b", 99)).as("the same windows").isEqualTo(unsure);
    }

    @Test
    void aNoiseThatBothHaveAlikeIsNoneOfTheRatio() {
        Windows windows = new Windows();
        for (int i = 0; i < 30; i++) {
            int noise = i % 7 == 0 ? 50 : 1;
            windows.add("a", window(0, 100 * noise));
            windows.add("b", window(0, 100 * noise));
        }
        Windows.Estimate ratio = windows.ratio("a", "b", 99);
        assertThat(List.of(ratio.low(), ratio.value(), ratio.high())).containsOnly(1.0);
    }

    @Test
    void whatWasLostIsSlowerThanAnyAnswer() {
        Windows windows = new Windows();
        windows.add("few", window(5, 100));
        windows.add("many", window(20, 100));
        assertThat(windows.micros("few", 99).value()).isBetween(98.0, 100.5);
        assertThat(windows.micros("many", 99).value()).isInfinite();
        assertThat(windows.micros("many", 97).value()).isBetween(96.0, 100.5);
    }

    @Test
    void whatOthersDisturbedIsLeftOutOnEverySide() {
        Windows windows = new Windows();
        for (int i = 0; i < 10; i++) {
            windows.add("a", i % 2 == 0 ? new Windows.Window(window(0, 10_000).tally(), true) : window(0, 100));
            windows.add("b", i == 0 ? new Windows.Window(window(0, 10_000).tally(), true) : window(0, 50));
        }
        Windows undisturbed = windows.undisturbed();
        assertThat(List.of(undisturbed.count("a"), undisturbed.count("b"))).containsExactly(5L, 9L);
        assertThat(windows.ratio("a", "b", 99).value()).isBetween(1.0, 1.2);
        assertThat(undisturbed.ratio("a", "b", 99).value()).isBetween(1.95, 2.05);
        assertThat(undisturbed.middleRatio("a", "b", 99).value()).as("of blocks with both").isBetween(1.95, 2.05);
        assertThat(undisturbed.sum("a", Tally::sent)).isEqualTo(5L * REQUESTS);
    }

    @Test
    void whereNoWindowIsLeftThereIsNoFigure() {
        Windows windows = new Windows();
        windows.add("a", new Windows.Window(window(0, 100).tally(), true));
        windows.add("b", window(0, 100));
        Windows undisturbed = windows.undisturbed();
        assertThat(undisturbed.micros("a", 99).value()).isNaN();
        assertThat(undisturbed.ratio("a", "b", 99).value()).isNaN();
        assertThat(undisturbed.middleRatio("a", "b", 99).value()).isNaN();
    }

    @Test
    void othersDisturbAWindowWithHalfAHundredthOfIt() {
        Tally second = new Tally(
                1_000_000_000, 1, 1, 1, 0, 0, 0, 0, 0, new Histogram(3), 0, ProcessMeter.UNKNOWN);
        assertThat(Windows.Window.of(second, 5_000_000).disturbed()).isFalse();
        assertThat(Windows.Window.of(second, 5_000_001).disturbed()).isTrue();
        assertThat(Windows.Window.of(second, ProcessMeter.UNKNOWN).disturbed()).isTrue();
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
        Map<String, Supplier<Windows.Window>> contestants = new LinkedHashMap<>();
        for (String name : List.of("a", "b", "c")) {
            contestants.put(name, () -> {
                played.add(name);
                return window(0, 100);
            });
        }
        Windows.play(20, contestants, seed, Progress.none());
        return played;
    }
}
