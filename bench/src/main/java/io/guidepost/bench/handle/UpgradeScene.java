package io.guidepost.bench.handle;

import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ProcessMeter;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.packet.udp.SegmentationOffload;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Upgrades of a server that is asked all the time. */
@Command(
        name = "upgrade",
        description = {
            "Upgrades of a server under lookups at a fixed rate, questions over connections that stay open, and writes:",
            "what was lost, and the longest wait for an answer.",
            "",
            "Example: ./guidepost bench upgrade --upgrades 5"
        },
        mixinStandardHelpOptions = true)
public final class UpgradeScene extends BenchScene {
    private static final int HANDLES = 100;
    private static final int QUESTIONS_PER_SECOND = 50;
    private static final int WRITES_PER_SECOND = 200;

    /** The generator looks up until all upgrades are over, a window after the other. */
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Above the records that are looked up. */
    private static final int WRITTEN = 1 << 30;

    @Option(names = "--upgrades", paramLabel = "N", description = "Upgrades, one after the other (default ${DEFAULT-VALUE}).")
    private int upgrades = 5;

    @Option(names = "--every", paramLabel = "SECONDS", description = "Time from one to the next, at least (default ${DEFAULT-VALUE}).")
    private int seconds = 12;

    @Option(names = "--rate", paramLabel = "N", description = "Lookups a second (default ${DEFAULT-VALUE}).")
    private int rate = 20_000;

    @Option(names = "--records", paramLabel = "N", description = "Records loaded (default ${DEFAULT-VALUE}).")
    private int records = 100_000;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Handle clients over TCP that keep their connection, and as many over HTTP (default ${DEFAULT-VALUE}).")
    private int connections = 4;

    @Override
    public void pin() {
        // Clients, generator and two processes of the server share all processors.
    }

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        int count = options.size(records, 1000);
        int wanted = options.size(upgrades, 1);
        stage.progress().say("starting guidepost");
        // Two processes of it run side by side in an upgrade, and have what the generator leaves.
        HandleUnderTest door = HandleUnderTest.start("guidepost", ProcessPinning.ANYWHERE, stage.folder(), HANDLES, Map.of());
        ServerUnderTest server = stage.keep(door.server());
        stage.load(server, count);
        List<Integer> acknowledged = new ArrayList<>();
        List<PacedClient> clients = new ArrayList<>();
        List<Double> held = new ArrayList<>();
        List<LoadResult> windows = new ArrayList<>();
        try (GnrsClient writer = GnrsClient.open(server.address())) {
            for (HandleBenchCommand.Way way : List.of(HandleBenchCommand.Way.TCP_KEEPALIVE, HandleBenchCommand.Way.HTTP_JSON)) {
                for (int i = 0; i < connections; i++) {
                    clients.add(stage.keep(PacedClient.start(way.toString(), QUESTIONS_PER_SECOND, kept(stage, door, way))));
                }
            }
            clients.add(stage.keep(PacedClient.start("writes", WRITES_PER_SECOND, number -> {
                writer.insert(name(number), List.of(place(number)));
                acknowledged.add(number);
            })));
            LoadProfile load = LoadProfile.open(KeyDistribution.uniform(count, 1), options.size(rate, rate / 20));
            GnrsLoadGenerator generator = stage.generator(
                    server, load, 1, SegmentationOffload.OFF, InetAddress.getLoopbackAddress(), () -> ProcessMeter.UNKNOWN);
            CompletableFuture<Void> done = CompletableFuture.runAsync(() -> upgrade(stage, server, wanted, held));
            do {
                windows.add(generator.run(0, WINDOW_NANOS));
            } while (!done.isDone());
            done.join();
            clients.forEach(PacedClient::close);
        } catch (CompletionException e) {
            throw e.getCause() instanceof BenchFailure known ? known : e;
        }
        return report(windows, clients, held, lost(server, acknowledged));
    }

    private KeepAliveClient kept(BenchStage stage, HandleUnderTest door, HandleBenchCommand.Way way) {
        InetSocketAddress to = door.address(way);
        HandleRequests questions = new HandleRequests(HandleUnderTest.PREFIX, HANDLES, OpFlag.PUBL, OpFlag.RECU, OpFlag.KPAL);
        byte[] question = CStreamGenerator.question(way, questions, 0, to);
        return stage.keep(new KeepAliveClient(to, question, way == HandleBenchCommand.Way.HTTP_JSON));
    }

    private void upgrade(BenchStage stage, ServerUnderTest server, int wanted, List<Double> held) {
        long begun = System.nanoTime();
        for (int i = 0; i < wanted; i++) {
            long due = begun + TimeUnit.SECONDS.toNanos(1 + (long) i * options.size(seconds, 1));
            LockSupport.parkNanos(due - System.nanoTime());
            stage.progress().say("upgrade " + (i + 1) + " of " + wanted);
            held.add(server.upgrade());
        }
    }

    private static Guid name(int number) {
        return new Guid(0, 0, WRITTEN + number);
    }

    private static Binding place(int number) {
        return Binding.of(Locator.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1 + number % 0xffff)));
    }

    /** Returns how many acknowledged writes are not there. */
    private static int lost(ServerUnderTest server, List<Integer> acknowledged) throws IOException {
        int lost = 0;
        try (GnrsClient reader = GnrsClient.open(server.address())) {
            for (int number : acknowledged) {
                lost += reader.lookup(name(number)).bindings().equals(List.of(place(number))) ? 0 : 1;
            }
        }
        return lost;
    }

    private BenchReport report(List<LoadResult> windows, List<PacedClient> clients, List<Double> held, int lostWrites) {
        List<List<Object>> rows = new ArrayList<>();
        rows.add(List.of(
                "lookups over UDP",
                windows.stream().mapToLong(LoadResult::sent).sum(),
                windows.stream().mapToLong(LoadResult::lost).sum(),
                windows.stream().mapToLong(each -> each.wrong() + each.missing() + each.failed()).sum(),
                MedianSpread.number(windows.stream().mapToDouble(LoadResult::latencyMicrosMax).max().orElse(0) / 1000)));
        rows.add(row("Handle over TCP", clients.subList(0, connections)));
        rows.add(row("Handle over HTTP", clients.subList(connections, 2 * connections)));
        rows.add(row("writes", clients.subList(2 * connections, clients.size())));
        List<String> notes = new ArrayList<>(List.of(
                held.size() + " upgrades; no process answered for " + MedianSpread.of(held) + " ms in each.",
                lostWrites + " acknowledged writes are not there.",
                ServerUnderTest.launchedWith()));
        clients.stream()
                .map(PacedClient::failure)
                .filter(each -> !each.isEmpty())
                .findFirst()
                .ifPresent(each -> notes.add("The last that failed: " + each));
        return new BenchReport(
                "Upgrades under load", List.of("what", "asked", "lost", "wrong or failed", "longest wait ms"), rows, notes);
    }

    private static List<Object> row(String what, List<PacedClient> clients) {
        return List.of(
                what,
                clients.stream().mapToInt(PacedClient::asked).sum(),
                0,
                clients.stream().mapToInt(PacedClient::failed).sum(),
                MedianSpread.number(clients.stream().mapToDouble(PacedClient::longestMillis).max().orElse(0)));
    }
}
