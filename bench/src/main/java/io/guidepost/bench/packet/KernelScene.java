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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lookups that a program in the kernel answers, against the same server on kernel sockets alone. */
@Command(
        name = "kernel",
        description = {
            "Lookups at saturation that a program in the kernel answers (gnrs.kernel-cache), against the same server on kernel",
            "sockets alone; on virtual interfaces, which it creates, with a generator over AF_XDP. The CPU is that of both processes, as",
            "the kernel does much of the server's work in the system calls of the generator. Needs root and ip.",
            "",
            "Example: ./guidepost bench kernel --rounds 7"
        },
        mixinStandardHelpOptions = true)
public final class KernelScene extends BenchScene {
    private static final ProcessMeter OWN = new ProcessMeter(ProcessHandle.current().pid());

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
        List<String> command = new ArrayList<>(FastScene.serve(stage, name.replace(' ', '-'), NamespacePair.FAR_IP, ""));
        command.addAll(List.of("--set", "gnrs.kernel-cache=" + cache));
        ChildProcess server = stage.keep(ChildProcess.start("server", options.serverCpu(), stage.folder(), pair.onFarSide(command)));
        FastScene.awaitReady(server);
        HostPort port = stage.keep(FastScene.near(pair, "native"));
        LongSupplier cpuNanos = () -> server.meter().cpuNanos() + OWN.cpuNanos();
        int count = options.size(records, 1000);
        FastScene.load(stage, name, port, count);
        KeyDistribution keys = KeyDistribution.uniform(count, 1);
        GnrsLoadGenerator generator = FastScene.generator(port, LoadProfile.closed(keys, outstanding), cpuNanos);
        stage.progress().say("warming up " + name);
        warmUp(() -> server.meter().cpuNanos(), generator::run);
        contestants.put(name, () -> generator.run(options.roundWarmNanos(), options.windowNanos()));
    }
}
