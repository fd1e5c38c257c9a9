package io.guidepost.bench.scene;

import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ProcessPinning;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A benchmark of servers that run already, as contestants in alternating rounds. */
public abstract class RunningServerCommand implements Callable<Integer> {
    @Parameters(paramLabel = "HOST:PORT", description = "The server.")
    private String server = "";

    @Option(names = "--pid", paramLabel = "PID", description = "Process of the server, for its CPU per reply.")
    private long pid;

    @Mixin
    private RoundOptions rounds = new RoundOptions(5);

    @Option(names = "--cpu", paramLabel = "N", description = "Processor of the generator; -1 = any (default).")
    private int cpu = ProcessPinning.ANYWHERE;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Spec
    private CommandSpec command = CommandSpec.create();

    private final Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();

    /** A load generator that runs a warm-up, then a measured window, both in nanoseconds. */
    public interface Generator {
        LoadResult run(long warmNanos, long windowNanos);
    }

    /** Adds the contestants. */
    protected abstract void prepare(BenchStage stage) throws IOException;

    /** Returns the title of the report. */
    protected abstract String title();

    /** Returns the notes of the report. */
    protected List<String> notes(AlternatingRounds played) {
        return played.notes();
    }

    @Override
    public final Integer call() throws IOException {
        if (!ProcessPinning.self(cpu)) {
            throw new BenchFailure("cannot pin to processor " + cpu + ": taskset is missing or refuses");
        }
        Optional<String> noise = BenchMachine.noise();
        try (BenchStage stage = new BenchStage(TerminalProgress.ofCommand())) {
            prepare(stage);
            AlternatingRounds played = AlternatingRounds.play(rounds.rounds(), contestants, stage.progress());
            BenchReport report = new BenchReport(title(), AlternatingRounds.heading(), played.rows(), notes(played));
            output.publish(noise.map(report::warning).orElse(report), command);
        }
        return 0;
    }

    /** Returns the server and its process. */
    protected final BenchTarget.Running target() {
        return new BenchTarget.Running(server, address(server), pid);
    }

    /**
     * Warms a contestant up and adds it.
     *
     * @param rampSeconds longest warm-up at the start of each round
     */
    protected final void add(BenchStage stage, String name, Generator load, double rampSeconds) {
        stage.progress().say("warming up " + name);
        load.run(rounds.warmNanos(), 0);
        long rampNanos = (long) (rampSeconds * TimeUnit.SECONDS.toNanos(1));
        contestants.put(name, () -> load.run(Math.min(rampNanos, rounds.warmNanos()), rounds.windowNanos()));
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
            throw new BenchFailure("the host of '" + text + "' is unknown", e);
        } catch (NumberFormatException e) {
            // The message below covers it, as a port out of range.
        }
        throw new BenchFailure("'" + text + "' is not HOST:PORT, such as 127.0.0.1:5001 or [::1]:5001");
    }
}
