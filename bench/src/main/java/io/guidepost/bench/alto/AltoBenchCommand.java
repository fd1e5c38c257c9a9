package io.guidepost.bench.alto;

import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.alto.service.ResourceCatalog;
import io.guidepost.bench.load.GnrsAnswerCheck;
import io.guidepost.bench.load.StreamLoadGenerator;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ProcessMeter;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.BenchTarget;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.RunningServerCommand;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures a running ALTO server. */
@Command(
        name = "alto",
        description = {
            "Measures a running ALTO server over persistent HTTP/1.1 connections, each with one request at a time:",
            "ranking and costs of addresses, a map, and a conditional request for the same map (304). For comparison,",
            "the same HTTP server answers the same requests with a constant of the same length, in a process of its own.",
            "All contestants alternate.",
            "",
            "Example: ./guidepost bench alto 127.0.0.1:5082 --pid $(pgrep -f 'guidepost.* serve')"
        },
        mixinStandardHelpOptions = true)
public final class AltoBenchCommand extends RunningServerCommand {
    private static final String PLAIN = "plain answer";
    private static final int LISTS = 64;
    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;

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

    @Option(
            names = "--plain-cpu",
            paramLabel = "N",
            description = "Processor of the constant HTTP server, such as the server's; -1 = any (default).")
    private int plainCpu = ProcessPinning.ANYWHERE;

    private int mapBytes;
    private int costBytes;

    @Override
    protected void prepare(BenchStage stage) throws IOException {
        BenchTarget.Running target = target();
        InetSocketAddress address = target.address();
        byte[] plain = AltoStreamClient.request("GET", map, "", "");
        String tag;
        try (AltoStreamClient first = new AltoStreamClient(address, List.of(plain), OK)) {
            if (first.ask(0) != GnrsAnswerCheck.Verdict.RIGHT) {
                throw new BenchFailure("the server has no map at " + map + ": name its path with --map");
            }
            tag = first.tag();
            mapBytes = first.body().length;
        }
        List<byte[]> costs = lists("numerical");
        costBytes = length(address, costs);
        HttpBaseline host = stage.keep(HttpBaseline.start(plainCpu, stage.folder(), costBytes));
        add(stage, "order of " + addresses, address, target.pid(), lists("ordinal"), OK);
        add(stage, "costs of " + addresses, address, target.pid(), costs, OK);
        add(stage, PLAIN, host.address(), host.pid(), costs, OK);
        add(stage, "map", address, target.pid(), List.of(plain), OK);
        if (!tag.isEmpty()) {
            byte[] again = AltoStreamClient.request("GET", map, "If-None-Match: " + tag + "\r\n", "");
            add(stage, "map, held", address, target.pid(), List.of(again), NOT_MODIFIED);
        }
    }

    @Override
    protected String title() {
        return "ALTO over " + connections + " connections";
    }

    @Override
    protected List<String> notes(AlternatingRounds played) {
        List<String> notes = new ArrayList<>(super.notes(played));
        notes.add("The map has " + MedianSpread.number(mapBytes) + " bytes, the plain response " + MedianSpread.number(costBytes) + ".");
        return notes;
    }

    private void add(
            BenchStage stage,
            String name,
            InetSocketAddress address,
            long process,
            List<byte[]> requests,
            int status) {
        StreamLoadGenerator load = new StreamLoadGenerator(
                () -> new AltoStreamClient(address, requests, status), connections, new ProcessMeter(process)::cpuNanos);
        add(stage, name, load::run, 1);
    }

    /** Sends the first request and returns the length of the response. */
    private static int length(InetSocketAddress address, List<byte[]> requests) throws IOException {
        try (AltoStreamClient first = new AltoStreamClient(address, requests, OK)) {
            if (first.ask(0) != GnrsAnswerCheck.Verdict.RIGHT) {
                throw new BenchFailure("the server has no costs between addresses: give it a topology, or name a metric with --metric");
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
}
