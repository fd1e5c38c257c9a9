package io.guidepost.lab.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Runs many seeds, some at a time, and sums up their results. */
public final class Campaign {
    /** Seeds with violations that are reported in full. */
    private static final int BROKEN_MAX = 20;

    private Campaign() {}

    /**
     * The results of many seeds.
     *
     * @param seeds seeds that were run
     * @param attempts requests of clients, retries counted
     * @param writes writes among them
     * @param acknowledged writes that a server acknowledged
     * @param datagrams all datagrams sent
     * @param messagesPerRequest the most of all seeds, see {@link ClusterRun#messagesPerRequest}
     * @param required bindings that had to be there in the end
     * @param forbidden bindings that must not be there in the end
     * @param reached how often each bound was reached, by name
     * @param faults the number of injected faults of each kind
     * @param virtualMillis simulated time, summed over the runs
     * @param brokenCount seeds with a violation
     * @param broken the first of these by seed, {@value #BROKEN_MAX} at most
     */
    public record Summary(
            long seeds,
            long attempts,
            long writes,
            long acknowledged,
            long datagrams,
            double messagesPerRequest,
            long required,
            long forbidden,
            Map<String, Long> reached,
            Map<FaultKind, Long> faults,
            long virtualMillis,
            long brokenCount,
            List<ClusterRun> broken) {}

    /**
     * Runs seeds.
     *
     * @param first the first seed
     * @param count the number of consecutive seeds
     * @param threads runs at a time
     * @param progress receives the number of completed runs now and then, on any of the threads; must be quick
     */
    public static Summary run(long first, long count, int threads, ClusterOptions options, Consumer<Long> progress) {
        AtomicLong next = new AtomicLong();
        AtomicLong done = new AtomicLong();
        List<Sum> sums = new ArrayList<>();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Sum sum = new Sum();
            sums.add(sum);
            running.add(Thread.ofPlatform().name("simulation-" + i).start(() -> {
                for (long each = next.getAndIncrement(); each < count; each = next.getAndIncrement()) {
                    sum.add(Cluster.run(first + each, options));
                    progress.accept(done.incrementAndGet());
                }
            }));
        }
        running.forEach(Campaign::await);
        Sum total = new Sum();
        sums.forEach(total::add);
        return total.summary();
    }

    private static void await(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The sum of one thread. */
    private static final class Sum {
        private long seeds;
        private long attempts;
        private long writes;
        private long acknowledged;
        private long datagrams;
        private double messagesPerRequest;
        private long required;
        private long forbidden;
        private final Map<String, Long> reached = new TreeMap<>();
        private final Map<FaultKind, Long> faults = new EnumMap<>(FaultKind.class);
        private long virtualMillis;
        private long brokenCount;
        private final List<ClusterRun> broken = new ArrayList<>();

        void add(ClusterRun run) {
            seeds++;
            attempts += run.attempts();
            writes += run.writes();
            acknowledged += run.acknowledged();
            datagrams += run.datagrams();
            messagesPerRequest = Math.max(messagesPerRequest, run.messagesPerRequest());
            required += run.required();
            forbidden += run.forbidden();
            run.reached().forEach((bound, times) -> reached.merge(bound, times, Long::sum));
            run.faults().forEach((fault, times) -> faults.merge(fault, (long) times, Long::sum));
            virtualMillis += run.virtualMillis();
            if (!run.breaches().isEmpty()) {
                brokenCount++;
                keep(run);
            }
        }

        private void keep(ClusterRun run) {
            broken.add(run);
            broken.sort(Comparator.comparingLong(ClusterRun::seed));
            if (broken.size() > BROKEN_MAX) {
                broken.removeLast();
            }
        }

        void add(Sum other) {
            seeds += other.seeds;
            attempts += other.attempts;
            writes += other.writes;
            acknowledged += other.acknowledged;
            datagrams += other.datagrams;
            messagesPerRequest = Math.max(messagesPerRequest, other.messagesPerRequest);
            required += other.required;
            forbidden += other.forbidden;
            other.reached.forEach((bound, times) -> reached.merge(bound, times, Long::sum));
            other.faults.forEach((fault, times) -> faults.merge(fault, times, Long::sum));
            virtualMillis += other.virtualMillis;
            brokenCount += other.brokenCount;
            other.broken.forEach(this::keep);
        }

        Summary summary() {
            return new Summary(
                    seeds,
                    attempts,
                    writes,
                    acknowledged,
                    datagrams,
                    messagesPerRequest,
                    required,
                    forbidden,
                    reached,
                    faults,
                    virtualMillis,
                    brokenCount,
                    List.copyOf(broken));
        }
    }
}
