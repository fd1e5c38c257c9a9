package io.guidepost.bench.scaffold;

import static io.guidepost.bench.scaffold.NetworkUnderTest.DATAGRAMS;
import static io.guidepost.bench.scaffold.NetworkUnderTest.ECHO;
import static io.guidepost.bench.scaffold.NetworkUnderTest.FAR;

import io.guidepost.bench.process.NamespacePair;
import io.guidepost.bench.scene.SceneOptions;
import io.guidepost.server.cli.scaffold.DemoHosts.Offer;
import io.guidepost.server.cli.support.AdminOptions;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;

/** Datagrams, connections and quiet downloads, of which nothing is taken away. */
final class TrafficScenes {
    private static final int DATAGRAM_BYTES = 1_400;
    private static final int BUFFER_BYTES = 1 << 20;
    private static final long NAP_NANOS = 50_000;
    private static final long LAST_NANOS = 100_000_000;
    private static final int PATIENCE_MILLIS = 5_000;
    private static final int CALLS = 100;

    private final NetworkUnderTest network;
    private final SceneOptions options;

    // Datagrams of the latest run, as the receiver sees them; guarded by this.
    private int run;
    private int count;
    private long transit;
    private double jitter;

    private record Received(double megabits, double lostPercent, double jitterMillis) {}

    /** What a round has moved, and what each of its bytes took of the processors. */
    private record Moved(Received received, double nanosPerByte) {}

    private synchronized void arrived(int of, long sentNanos, long now) {
        if (of == run) {
            jitter += count++ > 0 ? Math.abs(now - sentNanos - transit) : 0;
            transit = now - sentNanos;
        }
    }

    private synchronized int nextRun() {
        count = 0;
        jitter = 0;
        return ++run;
    }

    /** Returns what has come of what was sent, with the mean difference of neighbours on their way (RFC 3550). */
    private synchronized Received flood(long sent, long nanos) {
        double megabits = count * 8e3 * DATAGRAM_BYTES / nanos;
        return new Received(megabits, 100.0 * (sent - count) / Math.max(1, sent), jitter / Math.max(1, count - 1) / 1e6);
    }

    /** Figures of one round at a host, of which the client has a name or an address. */
    private interface Measure<T> {
        List<T> of(String host) throws Exception;
    }

    TrafficScenes(NetworkUnderTest network) {
        this.network = network;
        this.options = network.options;
    }

    /** Moves something, and looks at the processors. */
    private Moved moved(Callable<Received> action) throws Exception {
        long cpu = network.cpuNanos();
        long begun = System.nanoTime();
        Received received = action.call();
        double bytes = received.megabits() * (System.nanoTime() - begun) / 8e3;
        return new Moved(received, (network.cpuNanos() - cpu) / Math.max(1, bytes));
    }

    private void rows(String name, List<List<Moved>> seen, String target) {
        row(name + ": received, Mbit/s", seen, each -> each.received().megabits(), network.labels ? ">= 0.9 of the baseline" : target);
        row(name + ": processor time, ns a byte", seen, Moved::nanosPerByte, network.labels ? "<= 1.1 of the baseline" : "");
    }

    /** Returns what was measured by the gateways, and by the kernel's own forwarding in the same rounds; the first is to warm up. */
    private <T> List<List<T>> rounds(String scene, Offer offer, Measure<T> measure) {
        List<List<T>> seen = List.of(new ArrayList<>(), new ArrayList<>());
        for (int round = 0; round <= options.rounds(); round++) {
            network.say(scene, round);
            for (int i = 0; i < seen.size(); i++) {
                String host = i == 0 ? NetworkUnderTest.name(offer) : NetworkUnderTest.FAR_ADDRESS;
                List<T> some = NetworkUnderTest.atClient(() -> measure.of(host));
                seen.get(i).addAll(round == 0 ? List.of() : some);
            }
        }
        return seen;
    }

    private <T> void row(String name, List<List<T>> seen, ToDoubleFunction<T> figure, String target) {
        List<List<Double>> figures = seen.stream().map(each -> each.stream().mapToDouble(figure).boxed().toList()).toList();
        network.table.row(name, figures.getFirst(), figures.getLast(), target);
    }

    private static void start(Callable<?> turn) {
        Thread.ofPlatform().daemon().start(new FutureTask<>(() -> {
            while (true) {
                turn.call();
            }
        }));
    }

    /** Datagrams at rates in Mbit/s, and TCP. */
    void throughput(List<Integer> rates) {
        DatagramChannel receiver = network.stage.keep(NamespacePair.within(NetworkUnderTest.FAR_HOST, () -> {
            DatagramChannel channel = DatagramChannel.open();
            channel.socket().setReceiveBufferSize(BUFFER_BYTES);
            return channel.bind(new InetSocketAddress(DATAGRAMS.port()));
        }));
        ByteBuffer buffer = ByteBuffer.allocateDirect(DATAGRAM_BYTES);
        start(() -> {
            receiver.receive(buffer.clear());
            arrived(buffer.getInt(0), buffer.getLong(Integer.BYTES), System.nanoTime());
            return receiver;
        });
        for (int rate : rates) {
            String name = rate + " Mbit/s";
            List<List<Moved>> floods =
                    rounds("throughput, " + name, DATAGRAMS, host -> List.of(moved(() -> flood(host, rate))));
            rows(name, floods, ">= 2,000 Mbit/s at most");
            row(name + ": lost, %", floods, each -> each.received().lostPercent(), "<= 0.02 % of 324 Mbit/s");
            row(name + ": jitter, ms", floods, each -> each.received().jitterMillis(), "<= 0.2 ms at 324 Mbit/s");
        }
        Download.Plan plan = new Download.Plan(options.windowNanos(), 0, 0, false, PATIENCE_MILLIS);
        for (String method : List.of("GET", "POST")) {
            rows("TCP, " + method, rounds("throughput, TCP, " + method, FAR, host -> List.of(moved(() -> {
                Download download = new Download(plan, Runnable::run).by(method).run(new InetSocketAddress(host, FAR.port()));
                return new Received(download.failure.isEmpty() ? download.megabitsPerSecond() : 0, 0, 0);
            }))), ">= 2,000 Mbit/s");
        }
        network.table.notes.add("A GET could go on elsewhere, so that the client's gateway looks at each byte; a POST could not.");
    }

    private Received flood(String host, int megabits) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open().connect(new InetSocketAddress(host, DATAGRAMS.port()))) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(DATAGRAM_BYTES);
            // The first one finds the way.
            channel.write(buffer);
            LockSupport.parkNanos(LAST_NANOS);
            buffer.putInt(0, nextRun());
            long sent = 0;
            long begun = System.nanoTime();
            for (long now = begun; now - begun < options.windowNanos(); now = System.nanoTime()) {
                if (sent >= (now - begun) * (megabits / (8e3 * DATAGRAM_BYTES))) {
                    LockSupport.parkNanos(NAP_NANOS);
                } else {
                    channel.write(buffer.clear().putLong(Integer.BYTES, now));
                    sent++;
                }
            }
            long taken = System.nanoTime() - begun;
            LockSupport.parkNanos(LAST_NANOS);
            return flood(sent, taken);
        }
    }

    /** Round trips of small and large datagrams. */
    void latency() {
        DatagramSocket echo = network.stage.keep(NamespacePair.within(NetworkUnderTest.FAR_HOST, () -> new DatagramSocket(ECHO.port())));
        DatagramPacket packet = new DatagramPacket(new byte[BUFFER_BYTES], 0);
        start(() -> {
            packet.setLength(BUFFER_BYTES);
            echo.receive(packet);
            echo.send(packet);
            return echo;
        });
        for (int bytes : new int[] {18, 1_472}) {
            String name = "latency: " + bytes + " bytes, us";
            row(name, rounds(name, ECHO, host -> ask(host, bytes)), each -> each, network.labels ? "<= 1.1 of the baseline" : "<= 120 us");
        }
    }

    private List<Double> ask(String host, int bytes) throws IOException {
        List<Double> micros = new ArrayList<>();
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(host, ECHO.port()));
            socket.setSoTimeout(PATIENCE_MILLIS);
            DatagramPacket packet = new DatagramPacket(new byte[bytes], bytes);
            long begun = System.nanoTime();
            for (long now = begun; now - begun < options.windowNanos() / 2; now = System.nanoTime()) {
                socket.send(packet);
                socket.receive(packet);
                micros.add((System.nanoTime() - now) / 1e3);
            }
        }
        return micros;
    }

    /** A name resolved and a connection made, each time anew; then the first of two hosts that do not know each other. */
    void calls() throws IOException {
        List<List<Double>> calls = rounds("calls", FAR, host -> {
            List<Double> micros = new ArrayList<>();
            for (int i = 0; i < options.size(CALLS, 5); i++) {
                micros.add(call(host));
            }
            return micros;
        });
        row("calls: resolve and connect, us", calls, each -> each, "p50 <= 500 us");
        double mean = calls.getFirst().stream().mapToDouble(Double::doubleValue).average().orElse(0);
        network.table.row("calls: mean, us", List.of(mean), List.of(), "< 1,000 us");
        List<Double> first = new ArrayList<>();
        for (int round = 1; round <= options.rounds(); round++) {
            network.say("calls, first contact", round);
            network.settle();
            network.restartGateway();
            NetworkUnderTest.address(FAR);
            first.add(NetworkUnderTest.atClient(() -> call(NetworkUnderTest.name(FAR))) / 1e3);
        }
        network.table.row("calls: first contact of two hosts, ms", first, List.of(), "<= 4 ms");
        network.table.notes.add("calls: a first contact follows a start of the client's gateway, whose code is not compiled yet.");
    }

    private static double call(String host) throws IOException {
        long begun = System.nanoTime();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, FAR.port()), PATIENCE_MILLIS);
            socket.setSoLinger(true, 0);
            return (System.nanoTime() - begun) / 1e3;
        }
    }

    /** A download while all processors are busy: nothing may take that for a dead host. */
    void calm(double minutes) throws IOException {
        int before = AdminOptions.rows(network.hosts.flows(), "failovers").size();
        AtomicBoolean over = new AtomicBoolean();
        int busy = Runtime.getRuntime().availableProcessors();
        network.stage.progress().say("calm: " + minutes + " minutes");
        for (int i = 0; i < busy; i++) {
            Thread.ofPlatform().daemon().start(() -> {
                while (!over.get()) {
                    Thread.onSpinWait();
                }
            });
        }
        InetSocketAddress at = NetworkUnderTest.address(NetworkUnderTest.WEB);
        Download.Plan plan = new Download.Plan(0, 0, (long) (minutes * 60e9), false, PATIENCE_MILLIS);
        Download download = NetworkUnderTest.atClient(() -> new Download(plan, Runnable::run).run(at));
        over.set(true);
        double changed = AdminOptions.rows(network.hosts.flows(), "failovers").size() - before;
        network.table.row("calm: flows that changed their instance", List.of(changed), List.of(), "0");
        network.table.row("calm: longest gap, ms", List.of(download.gapMillis()), List.of(), "");
        network.table.notes.add("calm: " + busy + " threads took all that they got from one download"
                + (download.failure.isEmpty() ? "." : ", which failed: " + download.failure + "."));
    }
}
