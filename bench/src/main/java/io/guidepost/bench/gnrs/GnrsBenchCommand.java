package io.guidepost.bench.gnrs;

import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchMachine;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.BenchTarget;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.ReadinessProbe;
import io.guidepost.bench.scene.TerminalProgress;
import io.guidepost.packet.udp.SegmentationOffload;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures running GNRS servers. */
@Command(
        name = "gnrs",
        description = {
            "Measures a GNRS server that runs already, or two that take turns.",
            "In a closed loop so many requests are always waiting; in an open loop they leave at a rate, and latency",
            "begins when a request was meant to leave.",
            "",
            "Example: ./guidepost bench gnrs 127.0.0.1:5001 --load --pid $(pgrep -f cli.Main)"
        },
        mixinStandardHelpOptions = true)
public final class GnrsBenchCommand implements Callable<Integer> {
    private static final int PERCENT = LoadProfile.WHOLE / 100;

    @Parameters(paramLabel = "HOST:PORT", description = "The server.")
    private String server = "";

    @Option(names = "--vs", paramLabel = "HOST:PORT", description = "A second server that takes turns with the first.")
    private @Nullable String versus;

    @Option(names = "--pid", paramLabel = "PID", description = "Process of the server, for its CPU per reply.")
    private long pid;

    @Option(names = "--vs-pid", paramLabel = "PID", description = "Process of the second server.")
    private long versusPid;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(names = "--seconds", paramLabel = "N", description = "Measured seconds in each (default ${DEFAULT-VALUE}).")
    private double seconds = 5;

    @Option(
            names = "--warm-seconds",
            paramLabel = "N",
            description = "Seconds of warm-up before the first round (default ${DEFAULT-VALUE}).")
    private double warmSeconds = 3;

    @Option(names = "--rate", paramLabel = "N", description = "Requests a second of an open loop; 0 = closed loop.")
    private double rate;

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Requests always waiting in a closed loop (default ${DEFAULT-VALUE}).")
    private int outstanding = 256;

    @Option(names = "--records", paramLabel = "N", description = "Records asked for (default ${DEFAULT-VALUE}).")
    private int records = 100_000;

    @Option(names = "--load", description = "Insert the records first. Without them a server answers: not bound.")
    private boolean loading;

    @Option(names = "--zipf", paramLabel = "S", description = "Ask by Zipf's law with this exponent; 0 = uniformly.")
    private double zipf;

    @Option(names = "--inserts", paramLabel = "PERCENT", description = "INSERTs among the requests.")
    private double inserts;

    @Option(names = "--updates", paramLabel = "PERCENT", description = "UPDATEs among the requests.")
    private double updates;

    @Option(names = "--train", paramLabel = "N", description = "Send in trains of so many datagrams (UDP GSO).")
    private int train = 1;

    @Option(names = "--flows", paramLabel = "N", description = "Sockets to ask from (default ${DEFAULT-VALUE}).")
    private int flows = 1;

    @Option(names = "--cpu", paramLabel = "N", description = "Processor to keep the generator on; -1 = any (default).")
    private int cpu = ProcessPinning.ANYWHERE;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Append the result to a file as Markdown.")
    private @Nullable Path markdown;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (!ProcessPinning.self(cpu)) {
            throw new BenchFailure("cannot pin to processor " + cpu + ": taskset is missing or refuses");
        }
        Optional<String> noise = pid > 0 ? BenchMachine.noise() : Optional.empty();
        try (BenchStage stage = new BenchStage(TerminalProgress.ofCommand())) {
            Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
            for (BenchTarget target : targets()) {
                contestants.put(target.name(), contestant(stage, target));
            }
            AlternatingRounds played = AlternatingRounds.play(rounds, contestants, stage.progress());
            BenchReport report = new BenchReport(title(), AlternatingRounds.heading(), played.rows(), notes(played));
            BenchScene.publish(noise.map(report::warning).orElse(report), command, json, markdown);
        }
        return 0;
    }

    private List<BenchTarget> targets() {
        List<BenchTarget> targets = new ArrayList<>();
        targets.add(new BenchTarget.Running(server, address(server), pid));
        if (versus != null) {
            targets.add(new BenchTarget.Running(versus, address(versus), versusPid));
        }
        return targets;
    }

    private Supplier<LoadResult> contestant(BenchStage stage, BenchTarget target) {
        try (ReadinessProbe probe = new ReadinessProbe(target.address())) {
            if (probe.ask(0, 2000, () -> true) == null) {
                throw new BenchFailure("no answer from " + target.name() + " within two seconds: is a GNRS server there?");
            }
        }
        if (loading) {
            stage.load(target, records);
        }
        GnrsLoadGenerator generator = stage.generator(target, wanted(), flows, train > 1 ? SegmentationOffload.ON
                : SegmentationOffload.OFF);
        stage.progress().say("warming up " + target.name());
        generator.run(nanos(warmSeconds), 0);
        return () -> generator.run(nanos(Math.min(0.3, warmSeconds)), nanos(seconds));
    }

    private LoadProfile wanted() {
        KeyDistribution lookups = zipf > 0 ? KeyDistribution.zipf(records, zipf, 1) : KeyDistribution.uniform(records, 1);
        LoadProfile load = rate > 0 ? LoadProfile.open(lookups, rate) : LoadProfile.closed(lookups, Math.max(outstanding, train));
        LoadProfile mixed = load.withChanges(
                KeyDistribution.uniform(records, 2), (int) Math.round(inserts * PERCENT), (int) Math.round(updates * PERCENT));
        return train > 1 ? mixed.withTrains(train) : mixed;
    }

    private String title() {
        String how = rate > 0 ? "at " + MedianSpread.number(rate) + "/s" : "with " + outstanding + " outstanding";
        return "GNRS " + how + ", " + MedianSpread.number(records) + " records";
    }

    private List<String> notes(AlternatingRounds played) {
        List<String> notes = new ArrayList<>(played.notes());
        if (!loading && notes.stream().anyMatch(note -> note.contains(" not bound"))) {
            notes.add("Names that are not bound were asked for: --load inserts them first.");
        }
        return notes;
    }

    private static long nanos(double seconds) {
        return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }

    /** Parses {@code host:port}, where a host is a name, an IPv4 address, or an IPv6 address in brackets. */
    public static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        try {
            String host = text.substring(0, Math.max(0, colon)).replaceAll("^\\[(.*)]$", "$1");
            int port = Integer.parseInt(text.substring(colon + 1));
            if (colon > 0 && port > 0 && port <= 65535) {
                return new InetSocketAddress(InetAddress.getByName(host), port);
            }
        } catch (UnknownHostException e) {
            throw new BenchFailure("the host of '" + text + "' is not known", e);
        } catch (NumberFormatException e) {
            // The message below covers it, as a port out of range.
        }
        throw new BenchFailure("'" + text + "' is not HOST:PORT, such as 127.0.0.1:5001 or [::1]:5001");
    }
}
