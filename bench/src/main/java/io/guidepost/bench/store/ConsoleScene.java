package io.guidepost.bench.store;

import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.SceneOptions;
import io.guidepost.bench.scene.ServerUnderTest;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What the viewers of the console cost a server. */
@Command(
        name = "console",
        description = {
            "Processor time of a server without viewers of its console, and with some, each for a window.",
            "The first viewer's start, and what the JVM compiles for it, is before the window.",
            "",
            "Example: ./guidepost bench console --viewers 10 --rounds 1 --seconds 60"
        },
        mixinStandardHelpOptions = true)
public final class ConsoleScene extends BenchScene {
    private static final int TOLD_SECONDS_MAX = 30;

    @Option(names = "--viewers", paramLabel = "N", description = "Browsers that are told (default ${DEFAULT-VALUE}).")
    private int viewers = 10;

    /** A minute each, after half a minute in which what runs each second is compiled. */
    public ConsoleScene() {
        options = new SceneOptions(1, 60, 30);
    }

    @Override
    public void pin() {
        // The server is all but idle, and so is this process.
    }

    /** A connection whose events are counted and forgotten. */
    private record Viewer(Socket socket, AtomicLong bytes, CountDownLatch told) implements Closeable {
        static Viewer open(InetSocketAddress address) throws IOException {
            Socket socket = new Socket(address.getAddress(), address.getPort());
            socket.getOutputStream()
                    .write("GET /ui/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            Viewer viewer = new Viewer(socket, new AtomicLong(), new CountDownLatch(1));
            Thread.ofVirtual().start(viewer::read);
            return viewer;
        }

        private void read() {
            byte[] room = new byte[1 << 16];
            try (InputStream in = socket.getInputStream()) {
                for (int came = in.read(room); came >= 0; came = in.read(room)) {
                    bytes.addAndGet(came);
                    told.countDown();
                }
            } catch (IOException e) {
                bytes.addAndGet(0); // The end of the window, or of the server: seen by the count.
            }
        }

        void awaitTold() {
            try {
                if (!told.await(TOLD_SECONDS_MAX, TimeUnit.SECONDS)) {
                    throw new BenchFailure("a viewer was not told anything within " + TOLD_SECONDS_MAX + " s");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new BenchFailure("interrupted");
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        List<Double> without = new ArrayList<>();
        List<Double> with = new ArrayList<>();
        List<Double> bytes = new ArrayList<>();
        for (int round = 1; round <= options.rounds(); round++) {
            stage.progress().say("round " + round + " of " + options.rounds());
            try (ServerUnderTest server = ServerUnderTest.start("console" + round, ProcessPinning.ANYWHERE, stage.folder(), Map.of())) {
                BenchStage.rest(options.warmNanos());
                without.add(server.cpuPercent(options.windowNanos()));
                List<Viewer> all = new ArrayList<>();
                try {
                    for (int i = 0; i < viewers; i++) {
                        all.add(Viewer.open(server.adminAddress()));
                    }
                    all.forEach(Viewer::awaitTold);
                    BenchStage.rest(options.warmNanos());
                    long before = bytes(all);
                    with.add(server.cpuPercent(options.windowNanos()));
                    bytes.add((bytes(all) - before) * 1e9 / options.windowNanos() / viewers);
                } finally {
                    for (Viewer each : all) {
                        each.close();
                    }
                }
            }
        }
        List<List<Object>> rows = new ArrayList<>();
        rows.add(List.of("none", MedianSpread.of(without).toString(), ""));
        rows.add(List.of(Integer.toString(viewers), MedianSpread.of(with).toString(), MedianSpread.of(bytes).toString()));
        return new BenchReport(
                "Viewers of the console",
                List.of("viewers", "% of a processor", "bytes a second each"),
                rows,
                List.of(
                        "A window of " + TimeUnit.NANOSECONDS.toSeconds(options.windowNanos()) + " s each.",
                        ServerUnderTest.launchedWith()));
    }

    private static long bytes(List<Viewer> viewers) {
        return viewers.stream().mapToLong(each -> each.bytes.get()).sum();
    }
}
