package io.guidepost.bench.names;

import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.load.StreamClient;
import io.guidepost.bench.load.StreamLoadGenerator;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.IdleWait;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.MedianSpread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Names over HTTP, beside etcd. */
@Command(
        name = "names",
        description = {
            "Names over HTTP/1.1, beside etcd 3 over gRPC (--vs-etcd; apt-get install etcd-server), which the scene starts: random reads,",
            "writes that are answered after fsync, events to watchers, and memory. Each client has a connection and one request at a time.",
            "etcd's reads are serializable, which are its fastest. Every place that is read is checked.",
            "",
            "With --crowd N: N watchers, ten of each name, and 1,000 writes a second; and how soon one change is seen by",
            "HTTP, DNS and a watcher.",
            "",
            "Example: ./guidepost bench names --vs-etcd",
            "         ./guidepost bench names --crowd 10000"
        },
        mixinStandardHelpOptions = true)
public final class NamesScene extends BenchScene {
    private static final int EVENTS_IN_FLIGHT = 32;
    private static final long EVENTS_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

    @Option(names = "--vs-etcd", description = "etcd alternates with the product.")
    private boolean versusEtcd;

    @Option(names = "--names", paramLabel = "N", description = "Names (default ${DEFAULT-VALUE}).")
    private int names = 500_000;

    @Option(names = "--clients", paramLabel = "N", description = "Clients that read or write (default ${DEFAULT-VALUE}).")
    private int clients = 64;

    @Option(names = "--watchers", paramLabel = "N", description = "Watchers of all names (default ${DEFAULT-VALUE}).")
    private int watchers = 1000;

    @Option(names = "--crowd", paramLabel = "N", description = "Plays the other scene, with N watchers.")
    private int crowd;

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        if (crowd > 0) {
            return new CrowdScene(options, stage).play(options.size(crowd, 20));
        }
        int count = options.size(names, 1000);
        List<String> notes = new ArrayList<>();
        List<NamesTarget> targets = new ArrayList<>();
        List<MemoryOfNames> memory = new ArrayList<>();
        targets.add(GuidepostNames.start(stage, options.serverCpu()));
        if (versusEtcd && EtcdUnderTest.isInstalled()) {
            targets.add(EtcdUnderTest.start(stage, options.serverCpu()));
        } else {
            notes.add(versusEtcd
                    ? "etcd is not installed (apt-get install etcd-server): there is nothing to compare with."
                    : "With --vs-etcd etcd alternates.");
        }
        for (NamesTarget each : targets) {
            stage.progress().say("binding " + count + " names at " + each.name());
            memory.add(MemoryOfNames.load(each, count));
        }
        List<List<Object>> rows = new ArrayList<>();
        rows.addAll(rows("reads", stage, targets, target -> loaded(stage, target, () -> target.reader(count), clients)));
        rows.addAll(rows("durable writes", stage, targets, target -> loaded(stage, target, () -> target.writer(count), clients)));
        rows.addAll(rows("events to " + options.size(watchers, 10) + " watchers", stage, targets, target -> events(target, count)));
        memory.forEach(each -> notes.add(each.line(memory.getFirst())));
        notes.add("Median of " + options.rounds() + " alternating rounds (smallest-largest). One event is one change at one watcher;"
                + " at most " + EVENTS_IN_FLIGHT + " changes are not yet at all watchers.");
        return new BenchReport(
                count + " names over HTTP" + (targets.size() > 1 ? ", beside etcd" : ""),
                List.of("what", "server", "a second", "CPU us for each", "p50 us", "p99 us", "lost or wrong", "rate, first / this",
                        "CPU, first / this"),
                rows,
                notes);
    }

    /**
     * What a name takes of a server's resident memory.
     *
     * @param more bytes for each of the second half of the names: buffers that servers have for any number of names were full before
     * @param all bytes for each name, from a server without names on
     */
    private record MemoryOfNames(String server, double more, double all) {
        static MemoryOfNames load(NamesTarget target, int count) throws IOException {
            long empty = target.residentBytes();
            long half = resident(target, 0, count / 2);
            long full = resident(target, count / 2, count);
            return new MemoryOfNames(
                    target.name(), (full - half) / (double) (count - count / 2), (full - empty) / (double) count);
        }

        private static long resident(NamesTarget target, int from, int to) throws IOException {
            target.load(from, to);
            IdleWait.AFTER_LOADING.await(target::cpuNanos);
            return target.residentBytes();
        }

        String line(MemoryOfNames first) {
            return server + ": " + MedianSpread.number(more) + " bytes of resident memory more for each of the second half of the names, "
                    + MedianSpread.number(all) + " for each name from none on, after a garbage collection; " + first.server + " has "
                    + MedianSpread.number(first.more / more) + " and " + MedianSpread.number(first.all / all) + " of that.";
        }
    }

    private Supplier<LoadResult> loaded(BenchStage stage, NamesTarget target, Supplier<StreamClient> client, int count) {
        StreamLoadGenerator load = new StreamLoadGenerator(client, options.size(count, 4), target::cpuNanos);
        warmUp(stage, target, load::run);
        return () -> load.run(options.roundWarmNanos(), options.windowNanos());
    }

    private List<List<Object>> rows(
            String what, BenchStage stage, List<NamesTarget> targets, Function<NamesTarget, Supplier<LoadResult>> part) {
        Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
        targets.forEach(each -> contestants.put(each.name(), part.apply(each)));
        AlternatingRounds rounds = AlternatingRounds.play(options.rounds(), contestants, stage.progress());
        String first = targets.getFirst().name();
        List<List<Object>> rows = new ArrayList<>();
        for (String name : contestants.keySet()) {
            rows.add(List.of(
                    what,
                    name,
                    rounds.spread(name, LoadResult::repliesPerSecond),
                    rounds.spread(name, LoadResult::cpuMicrosPerReply),
                    rounds.spread(name, tally -> tally.latencyMicros(50)),
                    rounds.spread(name, tally -> tally.latencyMicros(99)),
                    rounds.of(name).stream().mapToLong(each -> each.lost() + each.wrong() + each.failed()).sum(),
                    name.equals(first) ? "" : rounds.ratio(first, name, LoadResult::repliesPerSecond),
                    name.equals(first) ? "" : rounds.ratio(first, name, LoadResult::cpuMicrosPerReply)));
        }
        return rows;
    }

    /** Changes names while all watch; the next change waits until few are under way. */
    private Supplier<LoadResult> events(NamesTarget target, int count) {
        int crowdSize = options.size(watchers, 10);
        // A watch begins with a snapshot, so it is of few names.
        String prefix = NumberedNames.name(0).substring(0, NumberedNames.name(0).length() - 2);
        int changed = Math.min(count, 100);
        return () -> {
            try (WatcherCrowd watching = WatcherCrowd.open(target, crowdSize, _ -> prefix);
                    StreamClient writer = target.writer(changed)) {
                return events(target, crowdSize, watching, writer);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    private LoadResult events(NamesTarget target, int crowdSize, WatcherCrowd watching, StreamClient writer) throws IOException {
        Histogram latency = new Histogram(1, EVENTS_NANOS_MAX, 3);
        long begun = System.nanoTime();
        long from = begun + options.roundWarmNanos();
        long end = from + options.windowNanos();
        long changes = 0;
        long eventsBefore = 0;
        long cpuBefore = 0;
        boolean measured = false;
        for (long now = begun; now - end < 0; now = System.nanoTime()) {
            if (!measured && now - from >= 0) {
                measured = true;
                from = now;
                eventsBefore = watching.events();
                cpuBefore = target.cpuNanos();
            }
            writer.ask(changes++);
            if (!watching.await((changes - EVENTS_IN_FLIGHT) * crowdSize, EVENTS_NANOS_MAX)) {
                throw new BenchFailure(target.name() + " told " + watching.events() + " events of " + changes * crowdSize + "; "
                        + watching.lost() + " watchers were cut off");
            }
            latency.recordValue(Math.clamp(System.nanoTime() - now, 1, EVENTS_NANOS_MAX));
        }
        long window = System.nanoTime() - from;
        long told = watching.events() - eventsBefore;
        return new LoadResult(window, told, told, told, 0, 0, 0, 0, 0, latency, window, target.cpuNanos() - cpuBefore);
    }
}
