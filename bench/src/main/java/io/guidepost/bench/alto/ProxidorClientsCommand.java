package io.guidepost.bench.alto;

import io.guidepost.bench.load.FloodGenerator;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.OutputOptions;
import io.guidepost.bench.scene.ReadinessProbe;
import io.guidepost.bench.scene.RunningServerCommand;
import io.guidepost.bench.scene.TerminalProgress;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The Oracle's own load: many regulated clients, or one that floods. */
@Command(
        name = "proxidor-clients",
        description = {
            "Loads a running Proxidor server as the clients of the P2P-Oracle did: each sends a request, waits for the response",
            "or a time-out, then a delay, and repeats. With --flood one client sends as fast as it can instead, and ignores",
            "responses.",
            "",
            "Example: ./guidepost bench proxidor-clients 127.0.0.1:8899 --clients 750 --count 2500 --delay 5 --sync-stop"
        },
        mixinStandardHelpOptions = true)
public final class ProxidorClientsCommand implements Callable<Integer> {
    private static final int LISTS = 1000;
    private static final int ROWS_MAX = 40;
    private static final int DATAGRAM_BYTES = 2048;
    private static final double NANOS_IN_MILLI = 1e6;

    @Parameters(paramLabel = "HOST:PORT", description = "The server.")
    private String server = "";

    @Option(names = "--clients", paramLabel = "N", description = "Clients, each with a socket (default ${DEFAULT-VALUE}).")
    private int clients = 1;

    @Option(names = "--count", paramLabel = "N", description = "Requests of each (default ${DEFAULT-VALUE}).")
    private long count = 1000;

    @Option(names = "--size", paramLabel = "N", description = "Addresses in each list, 2 to 363 (default ${DEFAULT-VALUE}).")
    private int size = 100;

    @Option(names = "--delay", paramLabel = "MS", description = "From a response to the next request (default ${DEFAULT-VALUE}).")
    private long delayMillis;

    @Option(names = "--timeout", paramLabel = "MS", description = "Time-out of a request (default ${DEFAULT-VALUE}).")
    private int timeoutMillis = 500;

    @Option(names = "--sync-start", description = "All clients start together.")
    private boolean syncStart;

    @Option(names = "--sync-stop", description = "The first client that is done ends all.")
    private boolean syncStop;

    @Option(names = "--flood", description = "One client that ignores responses; only --count and --size apply.")
    private boolean flood;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Spec
    private CommandSpec command = CommandSpec.create();

    private final AtomicBoolean over = new AtomicBoolean();

    /** Results of one client. */
    private record Seen(long sent, long answers, long timeouts, long nanos, double millis, double least, double most) {
        double perSecond() {
            return answers / (nanos / 1e9);
        }
    }

    @Override
    public Integer call() throws IOException {
        InetSocketAddress address = RunningServerCommand.address(server);
        if (size < 2 || size > 363 || clients < 1 || count < 1 || timeoutMillis < 1 || delayMillis < 0) {
            throw new BenchFailure("lists have 2 to 363 addresses, and clients, requests and milliseconds are 1 or more");
        }
        ProxidorRequests questions = new ProxidorRequests(LISTS, size, null);
        BenchReport report = flood ? flooded(address, questions) : regulated(address, questions);
        output.publish(report, command);
        return 0;
    }

    private BenchReport flooded(InetSocketAddress address, ProxidorRequests questions) {
        try (BenchStage stage = new BenchStage(TerminalProgress.ofCommand())) {
            FloodGenerator flooder = FloodGenerator.unlimited(
                    List.of(stage.port(new InetSocketAddress(ReadinessProbe.localAddressTo(address), 0))), address, questions);
            long begun = System.nanoTime();
            while (flooder.accepted() < count) {
                flooder.drain();
                flooder.run();
            }
            double seconds = (System.nanoTime() - begun) / 1e9;
            return new BenchReport(
                    "A flood of lists of " + size,
                    List.of("", "sent", "sent/s", "MB/s", "answers seen"),
                    List.of(List.of(
                            "flooder",
                            flooder.accepted(),
                            flooder.accepted() / seconds,
                            flooder.accepted() / seconds * questions.message(0).length / 1e6,
                            flooder.answers())),
                    List.of("The flooder does not wait for responses, and misses some of them."));
        }
    }

    private BenchReport regulated(InetSocketAddress address, ProxidorRequests questions) {
        List<Seen> seen = new ArrayList<>();
        CountDownLatch there = new CountDownLatch(syncStart ? clients : 0);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Seen>> running = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                int number = i;
                running.add(threads.submit(() -> client(address, questions, number, there)));
            }
            for (Future<Seen> each : running) {
                seen.add(each.get());
            }
        } catch (ExecutionException e) {
            throw new BenchFailure("a client failed: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailure("interrupted", e);
        }
        return report(seen);
    }

    private Seen client(InetSocketAddress address, ProxidorRequests questions, int number, CountDownLatch there)
            throws IOException, InterruptedException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(address);
            socket.setSoTimeout(timeoutMillis);
            there.countDown();
            there.await();
            long begun = System.nanoTime();
            long sent = 0;
            long answers = 0;
            double sum = 0;
            double least = Double.POSITIVE_INFINITY;
            double most = 0;
            while (sent < count && !over.get()) {
                int list = (int) ((number * 31L + sent) % questions.count());
                double millis = ask(socket, questions.message(list).clone(), (int) sent++);
                if (millis >= 0) {
                    answers++;
                    sum += millis;
                    least = Math.min(least, millis);
                    most = Math.max(most, millis);
                }
                if (delayMillis > 0) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(delayMillis));
                }
            }
            if (syncStop) {
                over.set(true);
            }
            return new Seen(sent, answers, sent - answers, System.nanoTime() - begun, sum, least, most);
        }
    }

    /** Sends a request; returns the round trip in milliseconds, or less than 0 after a time-out. */
    private double ask(DatagramSocket socket, byte[] question, int id) throws IOException {
        ProxidorRequests.id(MemorySegment.ofArray(question), 0, id);
        byte[] answer = new byte[DATAGRAM_BYTES];
        DatagramPacket packet = new DatagramPacket(answer, answer.length);
        long begun = System.nanoTime();
        socket.send(new DatagramPacket(question, question.length));
        try {
            while (true) {
                socket.receive(packet);
                MemorySegment in = MemorySegment.ofArray(answer);
                if (packet.getLength() >= ProxidorRequests.HEADER_BYTES && ProxidorRequests.id(in, 0) == id) {
                    return ProxidorRequests.isRanked(in, 0) ? (System.nanoTime() - begun) / NANOS_IN_MILLI : -1;
                }
            }
        } catch (SocketTimeoutException e) {
            return -1;
        }
    }

    private BenchReport report(List<Seen> seen) {
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < Math.min(seen.size(), ROWS_MAX); i++) {
            rows.add(row(Integer.toString(i + 1), seen.get(i)));
        }
        long longest = seen.stream().mapToLong(Seen::nanos).max().orElse(1);
        Seen all = new Seen(
                seen.stream().mapToLong(Seen::sent).sum(),
                seen.stream().mapToLong(Seen::answers).sum(),
                seen.stream().mapToLong(Seen::timeouts).sum(),
                longest,
                seen.stream().mapToDouble(Seen::millis).sum(),
                seen.stream().mapToDouble(Seen::least).min().orElse(0),
                seen.stream().mapToDouble(Seen::most).max().orElse(0));
        rows.add(row("all", all));
        List<String> notes = new ArrayList<>();
        if (seen.size() > ROWS_MAX) {
            notes.add("The first " + ROWS_MAX + " clients are shown.");
        }
        notes.add("An unanswered request timed out after " + timeoutMillis + " ms, or the server refused to"
                + " rank; delay " + delayMillis + " ms.");
        return new BenchReport(
                clients + " regulated clients, lists of " + size,
                List.of("client", "sent", "answers", "unanswered", "answers/s", "least ms", "mean ms", "most ms"),
                rows,
                notes);
    }

    private static List<Object> row(String name, Seen seen) {
        return List.of(
                name,
                seen.sent,
                seen.answers,
                seen.timeouts,
                seen.perSecond(),
                seen.least,
                seen.millis / Math.max(1, seen.answers),
                seen.most);
    }
}
