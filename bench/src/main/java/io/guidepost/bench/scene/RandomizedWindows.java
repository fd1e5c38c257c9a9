package io.guidepost.bench.scene;

import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.ProcessMeter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Many short windows in which contestants alternate, in an order that is drawn anew for each block of one window of
 * each (randomized blocks). The latencies of all windows of a contestant are one pool, of which quantiles are taken.
 *
 * <p>Why not a few long rounds? On a shared machine the p99 is the neighbours' as soon as they take one part in a
 * hundred of a round; which contestant gets them is a lottery. Many short windows give all the same chance.
 *
 * <p>The confidence interval comes from drawing as many blocks as there are, with replacement, many times (the
 * bootstrap: Efron, 1979): 95 of 100 such figures lie between its ends. Both sides of a ratio use the same blocks. A
 * lost request counts as slower than any response.
 *
 * <p>Windows in which other processes used a processor for long can be {@linkplain #undisturbed left out}, for all
 * contestants by the same criterion: the rest says more about the server, and less about the machine.
 */
public final class RandomizedWindows {
    private static final int RESAMPLES = 2000;
    private static final double OUTSIDE = 0.025;

    /** Half of what a p99 leaves out: processes that use less of a window cannot be its p99. */
    private static final double DISTURBED_SHARE = 0.005;

    private final Map<String, List<Window>> windows = new LinkedHashMap<>();
    private final Map<String, Pool> pools = new LinkedHashMap<>();

    /**
     * A window of a contestant.
     *
     * @param tally its result
     * @param disturbed whether other processes used much of a processor meanwhile, or that is unknown
     */
    public record Window(LoadResult tally, boolean disturbed) {
        /**
         * Creates a window in which other processes used a processor for some time, or {@link ProcessMeter#UNKNOWN}.
         */
        public static Window of(LoadResult tally, long strangerNanos) {
            return new Window(
                    tally,
                    strangerNanos == ProcessMeter.UNKNOWN || strangerNanos > DISTURBED_SHARE * tally.windowNanos());
        }
    }

    /**
     * A figure with its 95 % bootstrap interval.
     *
     * @param value of the actual windows
     */
    public record Estimate(double low, double value, double high) {
        @Override
        public String toString() {
            return new MedianSpread(low, value, high).toString();
        }
    }

    /** Latencies of all windows of one contestant, the slowest first, each with the number of its block. */
    private static final class Pool {
        private final long[] nanos;
        private final int[] blocks;
        private final int[] requests;

        Pool(List<LoadResult> windows) {
            requests = windows.stream().mapToInt(each -> (int) (each.answered() + each.lost())).toArray();
            long[] packed = new long[Arrays.stream(requests).sum()];
            int filled = 0;
            for (int block = 0; block < requests.length; block++) {
                LoadResult each = windows.get(block);
                for (HistogramIterationValue at : each.latency().recordedValues()) {
                    int count = (int) at.getCountAtValueIteratedTo();
                    Arrays.fill(packed, filled, filled + count, at.getValueIteratedTo() << 16 | block);
                    filled += count;
                }
                Arrays.fill(packed, filled, filled + (int) each.lost(), Long.MAX_VALUE >> 16 << 16 | block);
                filled += (int) each.lost();
            }
            Arrays.sort(packed);
            nanos = new long[filled];
            blocks = new int[filled];
            for (int i = 0; i < filled; i++) {
                long entry = packed[filled - 1 - i];
                nanos[i] = entry >> 16;
                blocks[i] = (int) entry & 0xffff;
            }
        }

        /** Returns a percentile of the latencies, with a weight for each block. */
        double micros(double percentile, int[] times) {
            long all = 0;
            for (int block = 0; block < requests.length; block++) {
                all += (long) times[block] * requests[block];
            }
            long above = (long) (all * (100 - percentile) / 100);
            for (int i = 0; i < nanos.length; i++) {
                above -= times[blocks[i]];
                if (above < 0) {
                    return nanos[i] == Long.MAX_VALUE >> 16 ? Double.POSITIVE_INFINITY : nanos[i] / 1e3;
                }
            }
            return Double.NaN;
        }
    }

    /** Runs each contestant for one window of every block. */
    public static RandomizedWindows play(int blocks, Map<String, Supplier<Window>> contestants, long seed, TerminalProgress progress) {
        RandomizedWindows played = new RandomizedWindows();
        List<Map.Entry<String, Supplier<Window>>> order = new ArrayList<>(contestants.entrySet());
        Random random = Random.from(new SplittableRandom(seed));
        for (int block = 1; block <= blocks; block++) {
            progress.say("block " + block + " of " + blocks + " of a window of each");
            Collections.shuffle(order, random);
            order.forEach(each -> played.add(each.getKey(), each.getValue().get()));
        }
        progress.done();
        return played;
    }

    /** Adds a contestant's next window. */
    void add(String name, Window window) {
        windows.computeIfAbsent(name, key -> new ArrayList<>()).add(window);
        pools.remove(name);
    }

    /** Returns the same blocks, with disturbed windows empty. */
    public RandomizedWindows undisturbed() {
        RandomizedWindows left = new RandomizedWindows();
        windows.forEach((name, all) ->
                all.forEach(each -> left.add(name, each.disturbed ? new Window(LoadResult.NOTHING, true) : each)));
        return left;
    }

    /** Returns the number of non-empty windows of a contestant. */
    public long count(String name) {
        return tallies(name).stream().filter(each -> each.sent() > 0).count();
    }

    /** Returns a sum over the windows of a contestant. */
    public long sum(String name, ToLongFunction<LoadResult> figure) {
        return tallies(name).stream().mapToLong(figure).sum();
    }

    private List<LoadResult> tallies(String name) {
        return windows.getOrDefault(name, List.of()).stream().map(Window::tally).toList();
    }

    /** Returns a quantile of a contestant's pool in microseconds; infinite if that many requests were lost. */
    public Estimate micros(String name, double percentile) {
        Pool pool = pool(name);
        return estimate(pool.requests.length, times -> pool.micros(percentile, times));
    }

    /** Returns a quantile of a contestant's pool, divided by that of another's. */
    public Estimate ratio(String name, String other, double percentile) {
        Pool above = pool(name);
        Pool below = pool(other);
        return estimate(
                above.requests.length, times -> above.micros(percentile, times) / below.micros(percentile, times));
    }

    /**
     * Returns the median of the block-by-block ratios of two contestants' quantiles, which single windows cannot move.
     */
    public Estimate middleRatio(String name, String other, double percentile) {
        List<LoadResult> above = tallies(name);
        List<LoadResult> below = tallies(other);
        double[] ratios = new double[above.size()];
        Arrays.setAll(ratios, i -> above.get(i).sent() == 0 || below.get(i).sent() == 0
                ? Double.NaN
                : above.get(i).latencyMicros(percentile) / below.get(i).latencyMicros(percentile));
        return estimate(ratios.length, times -> {
            List<Double> drawn = new ArrayList<>();
            for (int i = 0; i < ratios.length; i++) {
                if (!Double.isNaN(ratios[i])) {
                    drawn.addAll(Collections.nCopies(times[i], ratios[i]));
                }
            }
            return drawn.isEmpty() ? Double.NaN : MedianSpread.of(drawn).median();
        });
    }

    private Pool pool(String name) {
        return pools.computeIfAbsent(name, key -> new Pool(tallies(key)));
    }

    private interface Figure {
        double of(int[] times);
    }

    private static Estimate estimate(int blocks, Figure figure) {
        int[] times = new int[blocks];
        Arrays.fill(times, 1);
        double value = figure.of(times);
        SplittableRandom random = new SplittableRandom(blocks);
        double[] drawn = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            Arrays.fill(times, 0);
            for (int draw = 0; draw < blocks; draw++) {
                times[random.nextInt(blocks)]++;
            }
            drawn[i] = figure.of(times);
        }
        Arrays.sort(drawn);
        return new Estimate(
                drawn[(int) (RESAMPLES * OUTSIDE)], value, drawn[(int) (RESAMPLES * (1 - OUTSIDE)) - 1]);
    }
}
