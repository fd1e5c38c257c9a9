package io.guidepost.bench.packet;

import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ChildProcess;
import io.guidepost.bench.process.NamespacePair;
import io.guidepost.bench.process.ProcessMeter;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.packet.ip.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lookups that a program in the kernel answers, against the same server on kernel sockets alone. */
@Command(
        name = "kernel",
        description = {
            "Lookups at saturation that a program in the kernel answers (gnrs.kernel-cache), against the same server on kernel",
            "sockets alone; on virtual interfaces, which it creates, with a generator over AF_XDP. The CPU is that of the server's",
            "process and of the kernel threads that receive on its interface (threaded NAPI), and so all that its side costs.",
            "Needs root, ip and ethtool.",
            "",
            "Example: ./guidepost bench kernel --rounds 7"
        },
        mixinStandardHelpOptions = true)
public final class KernelScene extends BenchScene {
    @Option(names = "--mode", paramLabel = "MODE", description = "Of the program: native or generic (default ${DEFAULT-VALUE}).")
    private String mode = "native";

    @Option(names = "--records", paramLabel = "N", description = "Records loaded (default ${DEFAULT-VALUE}).")
    private int records = 100_000;

    @Option(names = "--lines", paramLabel = "N", description = "Lines of the cache (default ${DEFAULT-VALUE}).")
    private int lines = 1 << 20;

    @Option(names = "--outstanding", paramLabel = "N", description = "Outstanding requests (default ${DEFAULT-VALUE}).")
    private int outstanding = 256;

    @Override
    public BenchReport play(BenchStage stage) {
        String missing = NamespacePair.missing();
        if (!missing.isEmpty()) {
            throw BenchFailure.missing("answers in the kernel cannot be measured here: " + missing);
        }
        Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
        String cache = NamespacePair.FAR + ",mode=" + mode + ",lines=" + lines + ",rate=" + Integer.MAX_VALUE;
        add(stage, contestants, "in the kernel", cache);
        add(stage, contestants, "kernel UDP", "");
        AlternatingRounds rounds = AlternatingRounds.play(options.rounds(), contestants, stage.progress());
        return new BenchReport("Lookups answered in the kernel (" + mode + ")", AlternatingRounds.heading(), rounds.rows(), rounds.notes());
    }

    private void add(BenchStage stage, Map<String, Supplier<LoadResult>> contestants, String name, String cache) {
        stage.progress().say("starting " + name);
        NamespacePair pair = stage.keep(new NamespacePair());
        Set<Long> before = receivers();
        pair.receiveInThreads();
        List<String> command = new ArrayList<>(FastScene.serve(stage, name.replace(' ', '-'), NamespacePair.FAR_IP, ""));
        command.addAll(List.of("--set", "gnrs.kernel-cache=" + cache));
        ChildProcess server = stage.keep(ChildProcess.start("server", options.serverCpu(), stage.folder(), pair.onFarSide(command)));
        FastScene.awaitReady(server);
        HostPort port = stage.keep(FastScene.near(pair, "native"));
        Set<Long> own = receivers();
        own.removeAll(before);
        if (own.isEmpty()) {
            throw BenchFailure.missing("this kernel receives on virtual interfaces in no threads: there is nothing to measure by");
        }
        List<ProcessMeter> meters = own.stream().map(ProcessMeter::new).toList();
        LongSupplier cpuNanos = () -> server.meter().cpuNanos()
                + meters.stream().mapToLong(ProcessMeter::cpuNanos).sum();
        int count = options.size(records, 1000);
        FastScene.load(stage, name, port, count);
        KeyDistribution keys = KeyDistribution.uniform(count, 1);
        GnrsLoadGenerator generator = FastScene.generator(port, LoadProfile.closed(keys, outstanding), cpuNanos);
        stage.progress().say("warming up " + name);
        warmUp(() -> server.meter().cpuNanos(), generator::run);
        contestants.put(name, () -> generator.run(options.roundWarmNanos(), options.windowNanos()));
    }

    /** Returns the kernel threads that receive on interfaces of a server's side. */
    private static Set<Long> receivers() {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes.filter(each -> Character.isDigit(each.getFileName().toString().charAt(0)))
                    .filter(each -> name(each).startsWith("napi/" + NamespacePair.FAR))
                    .map(each -> Long.valueOf(each.getFileName().toString()))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new BenchFailure("the processes cannot be listed: " + e.getMessage(), e);
        }
    }

    private static String name(Path process) {
        try {
            return Files.readString(process.resolve("comm"));
        } catch (IOException e) {
            return ""; // It has ended meanwhile.
        }
    }
}
