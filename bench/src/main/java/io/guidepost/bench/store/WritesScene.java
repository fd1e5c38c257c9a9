package io.guidepost.bench.store;

import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.load.SyntheticRecords;
import io.guidepost.bench.process.ChildProcess;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.packet.udp.SegmentationOffload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** INSERTs that are answered when they are durable, against the storage engine alone. */
@Command(
        name = "writes",
        description = {
            "INSERTs of new names, against the storage engine alone.",
            "Answered after fsync, after the operating system has them, or at once; the engine writes in the same",
            "rounds, in full batches and with the same group commit.",
            "",
            "With several windows the same server has each in turn, in every round: a client with more outstanding than one",
            "network may hold must not be able to make writes slower.",
            "",
            "Example: ./guidepost bench writes --durability fsync --outstanding 256",
            "         ./guidepost bench writes --durability fsync --train 64 --outstanding 1024,4096,65536"
        },
        mixinStandardHelpOptions = true)
public final class WritesScene extends BenchScene {
    /** When a write is answered, strongest first. */
    enum Durability {
        /** After fsync. */
        FSYNC,
        /** After the write system call. */
        OS,
        /** At once. */
        MEMORY;

        String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Most records of one round: far more than the fastest disk takes. */
    private static final int RECORDS_OF_ROUND = 2_000_000;

    @Option(
            names = "--durability",
            paramLabel = "WHEN",
            description = "One of ${COMPLETION-CANDIDATES}; may be repeated (default all).")
    private List<Durability> durabilities = new ArrayList<>();

    @Option(
            names = "--outstanding",
            split = ",",
            paramLabel = "N",
            description = "Outstanding requests; several numbers are measured in turn (default 256).")
    private List<Integer> windows = List.of(256);

    @Option(names = "--train", paramLabel = "N", description = "Requests that leave together, as trains (default ${DEFAULT-VALUE}).")
    private int train = 1;

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            description = "Folder on the disk to measure (default a temporary folder).")
    private @Nullable Path folder;

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        List<List<Object>> rows = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (Durability each : durabilities.isEmpty() ? List.of(Durability.values()) : durabilities) {
            rows.addAll(rows(stage, each, notes));
        }
        int outstanding = windows.getFirst();
        notes.add("Median of " + options.rounds() + " alternating rounds (smallest-largest). The engine alone has the"
                + " server's settings. In full batches, also for its CPU: " + outstanding + " writes and one sync in a loop, on the"
                + " server's processor. With group commit: " + outstanding + " writers wait, and their submissions while"
                + " one group is written are the next group; they use the generator's processor.");
        return new BenchReport(
                "Inserts with " + windows.stream().map(MedianSpread::number).collect(Collectors.joining(", ")) + " outstanding",
                List.of("durability", "inserts/s", "in a group", "engine, full batches/s", "ratio to full batches",
                        "engine, group commit/s", "ratio to group commit", "CPU us/insert", "engine CPU us", "p50 us", "p99 us", "p99.9 us",
                        "lost", "failed"),
                rows,
                notes);
    }

    private List<List<Object>> rows(BenchStage stage, Durability durability, List<String> notes) throws IOException {
        Path place = Files.createDirectory(stage.folder().resolve(durability.key()));
        Path stores = folder == null ? place : Files.createTempDirectory(folder, "guidepost-bench");
        ServerUnderTest server = stage.server(
                "guidepost " + durability.key(),
                options.serverCpu(),
                Map.of("store.durability", durability.key(), "store.folder", stores.resolve("server").toString(),
                        "store.memory", Long.toString(4L << 30)));
        List<Contestant> contestants =
                windows.stream().map(outstanding -> new Contestant(outstanding, generator(stage, server, outstanding))).toList();
        for (Contestant each : contestants) {
            warmUp(stage, server, each.generator::run);
        }
        for (int round = 1; round <= options.rounds(); round++) {
            String progress = "round " + round + " of " + options.rounds() + ": ";
            for (Contestant each : contestants) {
                stage.progress().say(progress + server.name() + ", " + each.outstanding + " outstanding");
                double groups = server.metric("guidepost_store_groups_total");
                double writes = server.metric("guidepost_store_writes_total");
                each.figures.tallies.add(each.generator.run(options.roundWarmNanos(), options.windowNanos()));
                double group = (server.metric("guidepost_store_writes_total") - writes)
                        / (server.metric("guidepost_store_groups_total") - groups);
                each.figures.groups.add(group);
            }
            stage.progress().say(progress + "the engine alone");
            Engine engine = new Engine(stores, place, durability);
            EngineBaseline.Result full = engine.write("full", round, options.serverCpu());
            double waiting = engine.write("waiting", round, ProcessPinning.ANYWHERE).writesPerSecond();
            for (Contestant each : contestants) {
                each.figures.engineFull.add(full.writesPerSecond());
                each.figures.engineCpu.add(full.cpuMicros());
                each.figures.engineGroups.add(waiting);
            }
        }
        server.close();
        return contestants.stream()
                .map(each -> row(
                        contestants.size() == 1
                                ? durability.key()
                                : durability.key() + ", " + MedianSpread.number(each.outstanding) + " outstanding",
                        each.figures,
                        notes))
                .toList();
    }

    private GnrsLoadGenerator generator(BenchStage stage, ServerUnderTest server, int outstanding) {
        KeyDistribution keys = KeyDistribution.sequential(0, SyntheticRecords.RECORDS_MAX - RECORDS_OF_ROUND);
        LoadProfile load = LoadProfile.closed(keys, outstanding).withChanges(keys, LoadProfile.WHOLE, 0);
        return train > 1
                ? stage.generator(server, load.withTrains(train), 1, SegmentationOffload.ON)
                : stage.generator(server, load);
    }

    /** One window, and what was seen with it. */
    private record Contestant(int outstanding, GnrsLoadGenerator generator, Figures figures) {
        Contestant(int outstanding, GnrsLoadGenerator generator) {
            this(
                    outstanding,
                    generator,
                    new Figures(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>()));
        }
    }

    /** Results of the rounds of one durability mode, one entry for each round. */
    private record Figures(
            List<LoadResult> tallies, List<Double> groups, List<Double> engineFull, List<Double> engineCpu, List<Double> engineGroups) {
        MedianSpread of(ToDoubleFunction<LoadResult> figure) {
            return MedianSpread.of(tallies, figure);
        }

        MedianSpread ratio(List<Double> below) {
            List<Double> ratios = new ArrayList<>();
            for (int i = 0; i < below.size(); i++) {
                ratios.add(inserted(tallies.get(i)) / below.get(i));
            }
            return MedianSpread.of(ratios);
        }

        /** Returns the writes made in a second: what was answered FAILED was not. */
        static double inserted(LoadResult tally) {
            return tally.repliesPerSecond() * share(tally);
        }

        static double cpuMicros(LoadResult tally) {
            return tally.cpuMicrosPerReply() / share(tally);
        }

        private static double share(LoadResult tally) {
            return tally.replies() == 0 ? 1 : Math.max(0, tally.replies() - tally.failed()) / (double) tally.replies();
        }
    }

    private static List<Object> row(String name, Figures figures, List<String> notes) {
        if (figures.tallies.stream().anyMatch(LoadResult::generatorIsLimit)) {
            notes.add(name + ": the generator was the bottleneck in some rounds.");
        }
        return List.of(
                name,
                figures.of(Figures::inserted),
                MedianSpread.of(figures.groups),
                MedianSpread.of(figures.engineFull),
                figures.ratio(figures.engineFull),
                MedianSpread.of(figures.engineGroups),
                figures.ratio(figures.engineGroups),
                figures.of(Figures::cpuMicros),
                MedianSpread.of(figures.engineCpu),
                figures.of(tally -> tally.latencyMicros(50)),
                figures.of(tally -> tally.latencyMicros(99)),
                figures.of(tally -> tally.latencyMicros(99.9)),
                figures.tallies.stream().mapToLong(LoadResult::lost).sum(),
                figures.tallies.stream().mapToLong(LoadResult::failed).sum());
    }

    /** The storage engine alone, beside the server's store and with its settings. */
    private final class Engine {
        private final Path stores;
        private final Path logs;
        private final Durability durability;

        Engine(Path stores, Path logs, Durability durability) {
            this.stores = stores;
            this.logs = logs;
            this.durability = durability;
        }

        /** Returns what the engine did; NaN if the server has none. */
        EngineBaseline.Result write(String way, int round, int cpu) throws IOException {
            Optional<Path> settings = EngineBaseline.engineBelow(stores.resolve("server"));
            if (settings.isEmpty()) {
                return new EngineBaseline.Result(Double.NaN, Double.NaN);
            }
            List<String> command = new ArrayList<>(ServerUnderTest.java("io.guidepost.bench.store.EngineBaseline"));
            command.addAll(List.of(
                    stores.resolve("engine-" + way + round).toString(),
                    settings.get().toString(),
                    durability.key(),
                    way,
                    Integer.toString(windows.getFirst()),
                    Double.toString(options.windowNanos() / 1e9)));
            try (ChildProcess child = ChildProcess.start("engine", cpu, logs, command)) {
                return EngineBaseline.Result.parse(child.finish(60 + options.windowNanos() / 500_000_000L));
            }
        }
    }
}
