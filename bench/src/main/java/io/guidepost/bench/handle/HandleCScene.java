package io.guidepost.bench.handle;

import io.guidepost.base.Malformed;
import io.guidepost.bench.handle.HandleBenchCommand.Way;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.scene.AlternatingRounds;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.BenchTarget;
import io.guidepost.bench.scene.CBaseline;
import io.guidepost.bench.scene.RunningServerCommand.Generator;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.packet.udp.SegmentationOffload;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Handles at saturation against C programs with one prepared response. */
@Command(
        name = "handle-c",
        description = {
            "Handles resolved and created at saturation, against C programs that answer each request with one prepared",
            "response. Beside create and create-kept they append as many bytes as the server does to a file, sync once for",
            "all requests that came together, and answer then; they do not know sessions.",
            "",
            "Example: ./guidepost bench handle-c --way udp,http-json,create"
        },
        mixinStandardHelpOptions = true)
public final class HandleCScene extends BenchScene {
    private static final String OURS = "guidepost";
    private static final String BASELINE = "C";

    @Option(
            names = "--way",
            split = ",",
            paramLabel = "WAY",
            description = "Transports, as bench handle has them (default udp,http-json,create).")
    private List<String> ways = List.of("udp", "http-json", "create");

    @Option(
            names = "--sessions",
            paramLabel = "N",
            description = "Clients that create handles, with one request at a time each (default ${DEFAULT-VALUE}).")
    private int sessions = 8;

    @Option(names = "--records", paramLabel = "N", description = "Handles to resolve (default ${DEFAULT-VALUE}).")
    private int records = 1000;

    @Option(
            names = "--trains",
            description = {
                "Over UDP the client sends requests of equal length as one (GSO), and so is not what limits a server; the",
                "program in C takes and sends trains as the server does."
            })
    private boolean trains;

    private SegmentationOffload offload() {
        return trains ? SegmentationOffload.AUTO : SegmentationOffload.OFF;
    }

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        int count = options.size(records, 20);
        stage.progress().say("starting " + OURS);
        HandleUnderTest server = HandleUnderTest.start(OURS, options.serverCpu(), stage.folder(), count);
        stage.keep(server.server());
        List<List<Object>> rows = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (String each : ways) {
            rows.add(row(stage, server, Way.of(each), count, notes));
        }
        notes.add("Median of " + options.rounds() + " alternating rounds (smallest-largest).");
        return new BenchReport(
                "Handles against C",
                List.of("", "replies/s", "in C", "ratio", "CPU us/reply", "CPU us/reply in C", "CPU, ratio", "p50 us", "p99 us"),
                rows,
                notes);
    }

    private List<Object> row(BenchStage stage, HandleUnderTest server, Way way, int count, List<String> notes) throws IOException {
        return way.creates() ? creating(stage, server, way, notes) : resolving(stage, server, way, count, notes);
    }

    private List<Object> resolving(BenchStage stage, HandleUnderTest server, Way way, int count, List<String> notes) throws IOException {
        HandleLoad load = new HandleLoad(stage, way, HandleUnderTest.PREFIX, count, HandleLoad.outstanding(way), offload());
        InetSocketAddress address = server.address(way);
        CBaseline responder = CBaseline.ofHandles(
                options.serverCpu(), stage.folder(), way.toString(), CapturedResponse.fetch(way, load.requests(), address), trains);
        return row(
                stage,
                server,
                way,
                load.resolving(address, server.server().pid()),
                responder,
                load.resolving(responder.address(), responder.pid()),
                notes);
    }

    private List<Object> creating(BenchStage stage, HandleUnderTest server, Way way, List<String> notes) {
        HandleLoad load = new HandleLoad(stage, way, HandleUnderTest.PREFIX + way + "-", 0, sessions, offload());
        InetSocketAddress address = server.address(way);
        HandleLoad.Creations creations = load.creating(address, administrator());
        CBaseline responder = CBaseline.ofCreations(
                options.serverCpu(), stage.folder(), way.toString(), creations.requests().answer(), HandleBenchCommand.CREATION_BYTES);
        return row(
                stage,
                server,
                way,
                creations.to(address, server.server().pid())::run,
                responder,
                creations.to(responder.address(), responder.pid())::run,
                notes);
    }

    private List<Object> row(
            BenchStage stage, HandleUnderTest server, Way way, Generator ours, CBaseline responder, Generator theirs, List<String> notes) {
        Map<String, Supplier<LoadResult>> contestants = new LinkedHashMap<>();
        try (responder) {
            add(stage, contestants, OURS + ", " + way, server.server(), ours);
            add(stage, contestants, BASELINE, responder, theirs);
            return row(way, AlternatingRounds.play(options.rounds(), contestants, stage.progress()), notes);
        }
    }

    private void add(
            BenchStage stage, Map<String, Supplier<LoadResult>> contestants, String name, BenchTarget target, Generator load) {
        warmUp(stage, target, load);
        contestants.put(name, () -> load.run(options.roundWarmNanos(), options.windowNanos()));
    }

    private static List<Object> row(Way way, AlternatingRounds rounds, List<String> notes) {
        String ours = OURS + ", " + way;
        long wrong = rounds.of(ours).stream()
                .mapToLong(each -> each.wrong() + each.failed() + each.missing())
                .sum();
        if (wrong > 0) {
            notes.add(ours + ": " + wrong + " responses wrong.");
        }
        long lost = rounds.of(ours).stream().mapToLong(LoadResult::lost).sum();
        if (lost > 0) {
            notes.add(ours + ": " + lost + " requests had no response in time.");
        }
        return List.of(
                way.toString(),
                rounds.spread(ours, LoadResult::repliesPerSecond),
                rounds.spread(BASELINE, LoadResult::repliesPerSecond),
                rounds.ratio(ours, BASELINE, LoadResult::repliesPerSecond),
                rounds.spread(ours, LoadResult::cpuMicrosPerReply),
                rounds.spread(BASELINE, LoadResult::cpuMicrosPerReply),
                rounds.ratio(ours, BASELINE, LoadResult::cpuMicrosPerReply),
                rounds.spread(ours, tally -> tally.latencyMicros(50)),
                rounds.spread(ours, tally -> tally.latencyMicros(99)));
    }

    private static ClientIdentity administrator() {
        try {
            return new ClientIdentity.SecretHolder(
                    ValueReference.parse(HandleUnderTest.ADMIN), HandleUnderTest.SECRET.getBytes(StandardCharsets.UTF_8));
        } catch (Malformed e) {
            throw new AssertionError(HandleUnderTest.ADMIN + " is a reference", e);
        }
    }
}
