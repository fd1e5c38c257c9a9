package io.guidepost.lab.dmap;

import io.guidepost.lab.asgraph.AsGraph;
import io.guidepost.lab.asgraph.ShortestPaths;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleConsumer;
import java.util.stream.IntStream;

/**
 * Runs all look-ups, grouped by AS, so that the paths from each AS are searched once and kept no longer than they are
 * used. Threads share the ASes; the sums are the same for any number of them.
 */
final class LookupSweep {
    /** Sources that a thread takes at once: few enough for threads to end together. */
    private static final int BATCH = 16;

    private final AsGraph graph;
    private final StudyWorkload workload;
    private final List<Experiment> experiments;
    private final DoubleConsumer progress;
    private final int[] order;
    private final AtomicInteger next = new AtomicInteger();

    private LookupSweep(AsGraph graph, StudyWorkload workload, List<Experiment> experiments, DoubleConsumer progress) {
        this.graph = graph;
        this.workload = workload;
        this.experiments = experiments;
        this.progress = progress;
        this.order = IntStream.range(0, graph.size())
                .filter(node -> workload.first(node) < workload.first(node + 1))
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(graph::anchor).thenComparingInt(node -> node))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * Runs experiments.
     *
     * @param progress receives the share done, on any thread
     * @return the tallies of each experiment
     */
    static List<LatencyStatistics[]> run(
            AsGraph graph, StudyWorkload workload, List<Experiment> experiments, int threads, DoubleConsumer progress) {
        LookupSweep sweep = new LookupSweep(graph, workload, experiments, progress);
        List<LatencyStatistics[]> sums = sweep.tallies();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<List<LatencyStatistics[]>>> parts = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                parts.add(pool.submit(sweep::part));
            }
            for (Future<List<LatencyStatistics[]>> part : parts) {
                add(sums, part.get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a part of the study failed", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the study was interrupted", e);
        }
        return sums;
    }

    private static void add(List<LatencyStatistics[]> sums, List<LatencyStatistics[]> part) {
        for (int i = 0; i < sums.size(); i++) {
            for (int row = 0; row < sums.get(i).length; row++) {
                sums.get(i)[row].add(part.get(i)[row]);
            }
        }
    }

    private List<LatencyStatistics[]> tallies() {
        return experiments.stream()
                .map(each -> IntStream.range(0, each.rows())
                        .mapToObj(row -> new LatencyStatistics())
                        .toArray(LatencyStatistics[]::new))
                .toList();
    }

    private List<LatencyStatistics[]> part() {
        List<LatencyStatistics[]> rows = tallies();
        List<Experiment.Part> parts = experiments.stream().map(Experiment::part).toList();
        ShortestPaths paths = new ShortestPaths(graph);
        for (int from = next.getAndAdd(BATCH); from < order.length; from = next.getAndAdd(BATCH)) {
            for (int i = from; i < Math.min(from + BATCH, order.length); i++) {
                look(order[i], paths, parts, rows);
            }
            progress.accept((double) Math.min(from + BATCH, order.length) / order.length);
        }
        return rows;
    }

    private void look(int asker, ShortestPaths paths, List<Experiment.Part> parts, List<LatencyStatistics[]> rows) {
        paths.from(asker);
        int end = workload.first(asker + 1);
        for (int lookup = workload.first(asker); lookup < end; lookup++) {
            int guid = workload.guid(lookup);
            for (int i = 0; i < parts.size(); i++) {
                parts.get(i).look(lookup, asker, guid, paths, rows.get(i));
            }
        }
    }
}
