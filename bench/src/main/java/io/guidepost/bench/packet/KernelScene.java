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
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.packet.bpf.BpfCalls;
import io.guidepost.packet.bpf.XdpLink;
import io.guidepost.packet.ip.HostPort;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lookups that a program in the kernel answers, against the same server on kernel sockets alone. */
@Command(
        name = "kernel",
        description = {
            "Lookups at saturation that a program in the kernel answers (gnrs.kernel-cache), against the same server on kernel",
            "sockets alone, and a program that sends each datagram back as it came; on virtual interfaces, which it creates, with a",
            "generator over AF_XDP. The CPU is that of the server's process and the system time of the generator's: the kernel does much",
            "of the server's work in the system calls of the generator, and so what it does to send and receive there is counted in.",
            "Without what sending back costs, that is what each way adds. The kernel's own account says how long the program runs. Needs",
            "root and ip.",
            "",
            "Example: ./guidepost bench kernel --rounds 7"
        },
        mixinStandardHelpOptions = true)
public final class KernelScene extends BenchScene {
    private static final String IN_KERNEL = "in the kernel";
    private static final String SOCKETS = "kernel UDP";
    private static final String BOUNCE = "sent back";
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
        ChildProcess server = add(stage, contestants, IN_KERNEL, cache);
        add(stage, contestants, SOCKETS, "");
        addBounce(stage, contestants);
        AlternatingRounds rounds = AlternatingRounds.play(options.rounds(), contestants, stage.progress());
        List<String> notes = new ArrayList<>(rounds.notes());
        // All answers there are wrong.
        notes.removeIf(each -> each.startsWith(BOUNCE + ": wrong"));
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < rounds.of(BOUNCE).size(); i++) {
            double bounce = rounds.of(BOUNCE).get(i).cpuMicrosPerReply();
            double sockets = rounds.of(SOCKETS).get(i).cpuMicrosPerReply() - bounce;
            ratios.add(sockets / (rounds.of(IN_KERNEL).get(i).cpuMicrosPerReply() - bounce));
        }
        notes.add("CPU without what sending back costs, " + SOCKETS + " / " + IN_KERNEL + ": " + MedianSpread.of(ratios) + ".");
        notes.add(programTime(server, Objects.requireNonNull(contestants.get(IN_KERNEL))));
        return new BenchReport("Lookups answered in the kernel (" + mode + ")", AlternatingRounds.heading(), rounds.rows(), notes);
    }

    /** Runs a round in which the kernel counts how long the server's program runs. */
    private static String programTime(ChildProcess server, Supplier<LoadResult> round) {
        int program = BpfCalls.program((int) number(descriptors(server), "prog_id:"));
        int counting = BpfCalls.countTime();
        if (program < 0 || counting < 0) {
            throw BenchFailure.missing("the kernel does not count the time of programs");
        }
        List<Path> own = List.of(Path.of("/proc/self/fdinfo", Integer.toString(program)));
        long runs = number(own, "run_cnt:");
        long nanos = number(own, "run_time_ns:");
        long replies = round.get().replies();
        long counted = number(own, "run_cnt:") - runs;
        nanos = number(own, "run_time_ns:") - nanos;
        SystemCall.close(counting);
        SystemCall.close(program);
        return String.format(
                Locale.ROOT, "The program took %.0f ns a look-up, by the kernel's account of %,d (%,d replies in the window).",
                (double) nanos / counted, counted, replies);
    }

    private static List<Path> descriptors(ChildProcess process) {
        try (Stream<Path> all = Files.list(Path.of("/proc", Long.toString(process.pid()), "fdinfo"))) {
            return all.toList();
        } catch (IOException e) {
            throw new BenchFailure("the descriptors of the server are not read: " + e.getMessage(), e);
        }
    }

    /** Returns the number behind a word in the first file that has it. */
    private static long number(List<Path> files, String word) {
        return files.stream()
                .flatMap(each -> lines(each).stream())
                .filter(each -> each.startsWith(word))
                .mapToLong(each -> Long.parseLong(each.substring(word.length()).strip()))
                .findFirst()
                .orElseThrow(() -> new BenchFailure("no descriptor has " + word));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of(); // It was closed meanwhile.
        }
    }

    private void addBounce(BenchStage stage, Map<String, Supplier<LoadResult>> contestants) {
        NamespacePair pair = stage.keep(new NamespacePair());
        pair.onFarSide(() -> BounceProgram.attach(NamespacePair.FAR, XdpLink.Mode.valueOf(mode.toUpperCase(Locale.ROOT))));
        HostPort port = stage.keep(FastScene.near(pair, "native"));
        GnrsLoadGenerator generator = FastScene.generator(port, load(), OWN::systemNanos);
        stage.progress().say("warming up " + BOUNCE);
        warmUp(OWN::cpuNanos, generator::run);
        contestants.put(BOUNCE, () -> generator.run(options.roundWarmNanos(), options.windowNanos()));
    }

    private LoadProfile load() {
        return LoadProfile.closed(KeyDistribution.uniform(options.size(records, 1000), 1), outstanding);
    }

    private ChildProcess add(BenchStage stage, Map<String, Supplier<LoadResult>> contestants, String name, String cache) {
        stage.progress().say("starting " + name);
        NamespacePair pair = stage.keep(new NamespacePair());
        List<String> command = new ArrayList<>(FastScene.serve(stage, name.replace(' ', '-'), NamespacePair.FAR_IP, ""));
        command.addAll(List.of("--set", "gnrs.kernel-cache=" + cache));
        ChildProcess server = stage.keep(ChildProcess.start("server", options.serverCpu(), stage.folder(), pair.onFarSide(command)));
        FastScene.awaitReady(server);
        HostPort port = stage.keep(FastScene.near(pair, "native"));
        LongSupplier cpuNanos = () -> server.meter().cpuNanos() + OWN.systemNanos();
        FastScene.load(stage, name, port, options.size(records, 1000));
        GnrsLoadGenerator generator = FastScene.generator(port, load(), cpuNanos);
        stage.progress().say("warming up " + name);
        warmUp(() -> server.meter().cpuNanos(), generator::run);
        contestants.put(name, () -> generator.run(options.roundWarmNanos(), options.windowNanos()));
        return server;
    }
}
