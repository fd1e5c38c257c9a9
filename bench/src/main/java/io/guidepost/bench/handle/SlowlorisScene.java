package io.guidepost.bench.handle;

import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchScene;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.ServerUnderTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSocketFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Slowloris: thousands of connections with half a request, and honest clients beside them. */
@Command(
        name = "slow",
        description = {
            "Slowloris: honest clients of the Handle door while thousands of connections have sent half a request, over TCP,",
            "HTTP and TLS. The server has room and patience for them while they are held open; the time after which it closes",
            "one under pressure is measured with another server, all of whose connections that one is.",
            "",
            "Example: ./guidepost bench slow --connections 10000"
        },
        mixinStandardHelpOptions = true)
public final class SlowlorisScene extends BenchScene {
    private static final String HANDLE = "1234/1";
    private static final String BATCH = """
            HOME 127.0.0.1:2641:TCP
            0.NA/1234

            CREATE 1234/1
            1 URL 86400 1110 UTF8 https://example.org/
            """;
    private static final long AWAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int ENDINGS = 3;

    /** Connections that are opened and closed before memory is measured, so that one-time costs are paid. */
    private static final int FIRST = 500;

    @Option(names = "--connections", paramLabel = "N", description = "Slow connections (default ${DEFAULT-VALUE}).")
    private int connections = 10_000;

    @Option(
            names = "--tls-connections",
            paramLabel = "N",
            description = "Slow connections with a complete TLS handshake, which costs more (default ${DEFAULT-VALUE}).")
    private int tlsConnections = 2_000;

    @Option(
            names = "--way",
            paramLabel = "WAY",
            split = ",",
            description = "Kinds of slow connections, of ${COMPLETION-CANDIDATES} (default all).")
    private List<SlowlorisMode> ways = List.of(SlowlorisMode.values());

    @Option(names = "--rate", paramLabel = "N", description = "Requests per second of honest clients (default ${DEFAULT-VALUE}).")
    private int rate = 200;

    @Override
    public BenchReport play(BenchStage stage) throws IOException {
        List<List<Object>> rows = new ArrayList<>();
        SSLSocketFactory tls = SlowlorisMode.anybody().getSocketFactory();
        for (SlowlorisMode way : ways) {
            rows.add(row(stage, way, tls));
        }
        return new BenchReport(
                "Honest clients beside slow ones",
                List.of("slow", "connections", "alone p50 us", "alone p99 us", "beside p50 us", "beside p99 us", "max us",
                        "answered", "refused", "resident/conn", "heap/conn", "ended after ms"),
                rows,
                List.of(
                        "Honest clients send " + rate + " requests a second, each over a new connection, over TLS over one that is"
                                + " renewed every 50 requests, in the protocol of the slow ones.",
                        "resident/conn, heap/conn: growth of the server's memory per connection; of the heap"
                                + " the live bytes after a collection.",
                        "ended after: when a server all of whose connections are taken closes such a connection."));
    }

    private List<Object> row(BenchStage stage, SlowlorisMode way, SSLSocketFactory tls) throws IOException {
        int number = options.size(way.greets() ? tlsConnections : connections, 50);
        Path folder = Files.createDirectory(stage.folder().resolve(way.name()));
        Map<String, String> patient = Map.of("http.connections-max", "1000000", "http.idle-millis", "600000");
        List<Object> row = new ArrayList<>(List.of(way.label(), number));
        try (Subject subject = start(stage, way, folder, "patient", patient);
                SlowlorisClients slow = new SlowlorisClients();
                HonestClient good = new HonestClient(way, subject.address, way.question(HANDLE, subject.address), tls)) {
            byte[] half = way.half(HANDLE, subject.address);
            try (SlowlorisClients first = new SlowlorisClients()) {
                for (int i = 0; i < Math.min(FIRST, number); i++) {
                    first.add(way, subject.address, half, tls);
                }
                good.run(rate, options.warmNanos());
            }
            subject.awaitConnections(0, 1);
            good.run(rate, options.windowNanos());
            add(row, good, 50, 99);
            double heap = subject.server.liveBytes();
            long resident = subject.server.residentBytes();
            stage.progress().say("opening " + number + " connections: " + way.label());
            for (int i = 0; i < number; i++) {
                slow.add(way, subject.address, half, tls);
            }
            subject.awaitConnections(number, number + 1);
            resident = subject.server.residentBytes() - resident;
            good.run(rate, options.windowNanos());
            add(row, good, 50, 99, 100);
            row.add(good.answered());
            row.add(good.refused());
            row.add(resident / number);
            row.add((long) ((subject.server.liveBytes() - heap) / number));
        }
        try (Subject subject = start(stage, way, folder, "usual", Map.of("http.connections-max", "1"));
                SlowlorisClients slow = new SlowlorisClients()) {
            List<Double> millis = new ArrayList<>();
            for (int i = 0; i <= ENDINGS; i++) {
                slow.add(way, subject.address, way.half(HANDLE, subject.address), tls);
                double each = slow.closedAfterMillis();
                if (i > 0) {
                    // The first one waited for class loading too.
                    millis.add(each);
                }
            }
            row.add(MedianSpread.of(millis));
        }
        return row;
    }

    private static void add(List<Object> row, HonestClient good, double... percents) {
        for (double each : percents) {
            row.add(good.micros(each));
        }
    }

    /** A server with one handle, and its address. */
    private record Subject(ServerUnderTest server, InetSocketAddress address) implements AutoCloseable {
        void awaitConnections(long least, long most) {
            long end = System.nanoTime() + AWAIT_NANOS_MAX;
            long there = connections();
            while (there < least || there > most) {
                if (System.nanoTime() - end > 0) {
                    throw new BenchFailure("the server has " + there + " connections, not " + least + " to " + most);
                }
                LockSupport.parkNanos(LOOK_NANOS);
                there = connections();
            }
        }

        private long connections() {
            return (long) server.metric("guidepost_handle_connections");
        }

        @Override
        public void close() {
            server.close();
        }
    }

    private Subject start(BenchStage stage, SlowlorisMode way, Path folder, String name, Map<String, String> times) throws IOException {
        stage.progress().say("starting a server: " + way.label());
        Map<String, String> settings = new LinkedHashMap<>(times);
        int tcp = ServerUnderTest.freeTcpPort();
        int http = ServerUnderTest.freeTcpPort();
        Path records = folder.resolve("records");
        settings.put("store.folder", records.toString());
        settings.put("handle.enabled", "true");
        settings.put("handle.listen", "127.0.0.1");
        settings.put("handle.folder", folder.resolve(name + "-keys").toString());
        settings.put("handle.udp-port", "-1");
        settings.put("handle.tcp-port", Integer.toString(tcp));
        settings.put("handle.http-port", Integer.toString(http));
        if (!Files.exists(records)) {
            HandleUnderTest.load(folder, BATCH, settings);
        }
        ServerUnderTest server = ServerUnderTest.start(name, options.serverCpu(), folder, settings);
        return new Subject(server, new InetSocketAddress(InetAddress.getLoopbackAddress(), way.http() ? http : tcp));
    }

}
