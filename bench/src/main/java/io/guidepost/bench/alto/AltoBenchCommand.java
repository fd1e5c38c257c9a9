package io.guidepost.bench.alto;

import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.alto.service.ResourceCatalog;
import io.guidepost.bench.gnrs.GnrsBenchCommand;
import io.guidepost.bench.load.GnrsAnswerCheck;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.load.StreamLoadGenerator;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ProcessMeter;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchMachine;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.TerminalProgress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures a running ALTO server. */
@Command(
        name = "alto",
        description = {
            "Measures an ALTO server that runs already, over HTTP/1.1 connections that stay open, each with a request at",
            "a time: the order and the costs of addresses, a map, and the same map for who has it already (304); and,",
            "as long as the answer with costs, a plain answer to the same requests of the same host of HTTP, in a process of",
            "its own. All of them take turns.",
            "",
            "Example: ./guidepost bench alto 127.0.0.1:5082 --pid $(pgrep -f 'guidepost.* serve')"
        },
        mixinStandardHelpOptions = true)
public final class AltoBenchCommand implements Callable<Integer> {
    private static final String PLAIN = "plain answer";
    private static final int LISTS = 64;
    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;

    @Parameters(paramLabel = "HOST:PORT", description = "The server.")
    private String server = "";

    @Option(names = "--pid", paramLabel = "PID", description = "Process of the server, for its CPU per reply.")
    private long pid;

    @Option(names = "--map", paramLabel = "PATH", description = "Path of the map (default ${DEFAULT-VALUE}).")
    private String map = "/net";

    @Option(names = "--metric", paramLabel = "NAME", description = "Metric of the costs (default ${DEFAULT-VALUE}).")
    private String metric = "routingcost";

    @Option(names = "--addresses", paramLabel = "N", description = "Addresses in a request (default ${DEFAULT-VALUE}).")
    private int addresses = 100;

    @Option(names = "--connections", paramLabel = "N", description = "Connections (default ${DEFAULT-VALUE}).")
    private int connections = 32;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the addresses (default ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds (default ${DEFAULT-VALUE}).")
    private int rounds = 5;

    @Option(names = "--seconds", paramLabel = "N", description = "Measured seconds in each (default ${DEFAULT-VALUE}).")
    private double seconds = 5;

    @Option(
            names = "--warm-seconds",
            paramLabel = "N",
            description = "Seconds of warm-up before the first round (default ${DEFAULT-VALUE}).")
    private double warmSeconds = 5;

    @Option(
            names = "--plain-cpu",
            paramLabel = "N",
            description = "Processor to keep the plain host on, such as the server's; -1 = any (default).")
    private int plainCpu = ProcessPinning.ANYWHERE;

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
        Optional<String> noise = BenchMachine.noise();
        InetSocketAddress address = GnrsBenchCommand.address(server);
        Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
        try (BenchStage stage = new BenchStage(TerminalProgress.ofCommand())) {
            byte[] plain = AltoStreamClient.request("GET", map, "", "");
            String tag;
            int bytes;
            try (AltoStreamClient first = new AltoStreamClient(address, List.of(plain), OK)) {
                if (first.ask(0) != GnrsAnswerCheck.Verdict.RIGHT) {
                    throw new BenchFailure("the server has nothing at " + map + ": say with --map where it has a map");
                }
                tag = first.tag();
                bytes = first.body().length;
            }
            List<byte[]> costs = lists("numerical");
            int costBytes = length(address, costs);
            HttpBaseline host = stage.keep(HttpBaseline.start(plainCpu, stage.folder(), costBytes));
            add(contestants, stage, "order of " + addresses, address, pid, lists("ordinal"), OK);
            add(contestants, stage, "costs of " + addresses, address, pid, costs, OK);
            add(contestants, stage, PLAIN, host.address(), host.pid(), costs, OK);
            add(contestants, stage, "map", address, pid, List.of(plain), OK);
            if (!tag.isEmpty()) {
                byte[] again = AltoStreamClient.request("GET", map, "If-None-Match: " + tag + "\r\n", "");
                add(contestants, stage, "map, held", address, pid, List.of(again), NOT_MODIFIED);
            }
            AlternatingRounds played = AlternatingRounds.play(rounds, contestants, stage.progress());
            List<String> notes = new ArrayList<>(played.notes());
            notes.add("The map has " + MedianSpread.number(bytes) + " bytes, the plain answer " + MedianSpread.number(costBytes) + ".");
            BenchReport report = new BenchReport(
                    "ALTO over " + connections + " connections", AlternatingRounds.heading(), played.rows(), notes);
            BenchScene.publish(noise.map(report::warning).orElse(report), command, json, markdown);
        }
        return 0;
    }

    private void add(
            Map<String, Supplier<LoadResult>> contestants,
            BenchStage stage,
            String name,
            InetSocketAddress address,
            long process,
            List<byte[]> requests,
            int status) {
        LongSupplier meter = process > 0 ? new ProcessMeter(process)::ticksNanos : () -> ProcessMeter.UNKNOWN;
        StreamLoadGenerator load = new StreamLoadGenerator(() -> new AltoStreamClient(address, requests, status), connections, meter);
        stage.progress().say("warming up: " + name);
        load.run(nanos(warmSeconds), 0);
        contestants.put(name, () -> load.run(nanos(Math.min(1, warmSeconds)), nanos(seconds)));
    }

    /** Sends the first request and returns the length of the response. */
    private static int length(InetSocketAddress address, List<byte[]> requests) throws IOException {
        try (AltoStreamClient first = new AltoStreamClient(address, requests, OK)) {
            if (first.ask(0) != GnrsAnswerCheck.Verdict.RIGHT) {
                throw new BenchFailure("the server does not tell costs between addresses: give it a topology, or say --metric");
            }
            return first.body().length;
        }
    }

    /** Returns requests for random addresses, so that no response equals the one before. */
    private List<byte[]> lists(String mode) {
        Random random = new Random(seed);
        List<byte[]> requests = new ArrayList<>();
        for (int list = 0; list < LISTS; list++) {
            StringBuilder body = new StringBuilder("{\"cost-type\":{\"cost-mode\":\"")
                    .append(mode)
                    .append("\",\"cost-metric\":\"")
                    .append(metric)
                    .append("\"},\"endpoints\":{\"srcs\":[],\"dsts\":[");
            for (int i = 0; i < addresses; i++) {
                body.append(i == 0 ? "\"ipv4:" : ",\"ipv4:").append(1 + random.nextInt(223));
                for (int part = 1; part < Integer.BYTES; part++) {
                    body.append('.').append(random.nextInt(256));
                }
                body.append('"');
            }
            requests.add(AltoStreamClient.request(
                    "POST",
                    '/' + ResourceCatalog.ENDPOINT_COSTS,
                    "Content-Type: " + AltoMediaType.ENDPOINT_COST_PARAMS + "\r\n",
                    body.append("]}}").toString()));
        }
        return requests;
    }

    private static long nanos(double seconds) {
        return (long) (seconds * TimeUnit.SECONDS.toNanos(1));
    }
}
