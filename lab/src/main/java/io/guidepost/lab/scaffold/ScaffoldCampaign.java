package io.guidepost.lab.scaffold;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/** Plays many seeds of {@link ScaffoldRun}, as many at a time as there are processors. */
public final class ScaffoldCampaign {
    private ScaffoldCampaign() {}

    /**
     * What came of many seeds.
     *
     * @param outcomes connections by how they ended
     * @param failovers flows whose instance was lost, or taken for lost
     * @param broken promises that were broken, each with its seed
     */
    public record Summary(
            Map<String, Integer> outcomes, Map<String, Integer> troubles, long failovers, long datagrams, List<String> broken) {}

    /**
     * Plays seeds.
     *
     * @param progress receives the number of seeds that are done, on any thread
     */
    public static Summary play(long first, long seeds, List<ScaffoldRun.InjectedFault> troubles, LongConsumer progress) {
        Map<String, Integer> outcomes = new TreeMap<>();
        Map<String, Integer> kinds = new TreeMap<>();
        List<String> broken = new ArrayList<>();
        long[] sums = new long[3];
        LongStream.range(first, first + seeds).parallel().mapToObj(seed -> ScaffoldRun.play(seed, troubles)).forEach(result -> {
            synchronized (sums) {
                result.outcomes().forEach((outcome, times) -> outcomes.merge(outcome, times, Integer::sum));
                result.troubles().forEach((kind, times) -> kinds.merge(kind.name(), times, Integer::sum));
                result.faults().forEach(fault -> broken.add("seed " + result.seed() + ": " + fault));
                sums[0] += result.datagrams();
                sums[2] += result.failovers();
                progress.accept(++sums[1]);
            }
        });
        return new Summary(outcomes, kinds, sums[2], sums[0], broken);
    }
}
