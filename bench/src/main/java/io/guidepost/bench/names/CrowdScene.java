package io.guidepost.bench.names;

import io.guidepost.bench.load.StreamClient;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.scene.BenchReport;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.MedianSpread;
import io.guidepost.bench.scene.SceneOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Many watchers and a steady rate of writes in bounded memory, and how soon one change is seen everywhere. */
final class CrowdScene {
    private static final int WRITES_PER_SECOND = 1000;
    private static final int WRITERS = 4;
    private static final int WATCHERS_OF_A_NAME = 10;
    private static final int CHANGES = 100;
    private static final long SEEN_NANOS_MAX = TimeUnit.SECONDS.toNanos(20);
    private static final double MIB = 1 << 20;

    private final SceneOptions options;
    private final BenchStage stage;

    CrowdScene(SceneOptions options, BenchStage stage) {
        this.options = options;
        this.stage = stage;
    }

    BenchReport play(int count) throws IOException {
        GuidepostNames target = GuidepostNames.start(stage, options.serverCpu());
        int names = Math.max(1, count / WATCHERS_OF_A_NAME);
        target.load(0, names);
        List<List<Object>> rows = new ArrayList<>();
        seen(target, rows);
        double alone = target.residentBytes() / MIB;
        stage.progress().say("opening " + count + " watchers");
        try (WatcherCrowd watchers = WatcherCrowd.open(target, count, each -> NumberedNames.name(each % names))) {
            rows.add(List.of("resident MiB with the watchers", target.residentBytes() / MIB, "without", alone));
            for (int round = 1; round <= options.rounds(); round++) {
                stage.progress().say("round " + round + " of " + options.rounds());
                rows.add(round(target, watchers, names, count / names, round));
            }
        }
        return new BenchReport(
                count + " watchers and " + WRITES_PER_SECOND + " writes a second",
                List.of("what", "figure", "and", "as well"),
                rows,
                List.of("Each name has " + WATCHERS_OF_A_NAME + " watchers, each on a connection of its own. Writes are durable."));
    }

    /** Writes at the rate for a while; every event of it must arrive. */
    private List<Object> round(GuidepostNames target, WatcherCrowd watchers, int names, int each, int round) throws IOException {
        long before = watchers.events();
        long cpu = target.cpuNanos();
        long begun = System.nanoTime();
        long writes = options.windowNanos() * WRITES_PER_SECOND / TimeUnit.SECONDS.toNanos(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int first = i;
            threads.add(Thread.ofPlatform().start(() -> write(target, names, begun, first, writes)));
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailure("interrupted", e);
        }
        long took = System.nanoTime() - begun;
        boolean all = watchers.await(before + writes * each, SEEN_NANOS_MAX);
        return List.of(
                "round " + round + ": writes a second", writes * 1e9 / took,
                (all ? "all " : "only ") + (watchers.events() - before) + " events; resident MiB, CPU share",
                MedianSpread.number(target.residentBytes() / MIB) + ", " + MedianSpread.number((target.cpuNanos() - cpu) / (double) took));
    }

    private static void write(GuidepostNames target, int names, long begun, int first, long writes) {
        try (StreamClient writer = target.writer(names)) {
            for (long i = first; i < writes; i += WRITERS) {
                long due = begun + i * TimeUnit.SECONDS.toNanos(1) / WRITES_PER_SECOND;
                for (long now = System.nanoTime(); now - due < 0; now = System.nanoTime()) {
                    LockSupport.parkNanos(due - now);
                }
                writer.ask(i);
            }
        } catch (IOException e) {
            throw new BenchFailure("a writer was cut off: " + e.getMessage(), e);
        }
    }

    /** Changes one name again and again, and notes when the change is acknowledged, read, resolved and told. */
    private void seen(GuidepostNames target, List<List<Object>> rows) throws IOException {
        List<Double> acknowledged = new ArrayList<>();
        List<Double> read = new ArrayList<>();
        List<Double> resolved = new ArrayList<>();
        List<Double> told = new ArrayList<>();
        try (HttpConnection writer = new HttpConnection(target.address());
                HttpConnection reader = new HttpConnection(target.address());
                DatagramSocket dns = new DatagramSocket();
                WatcherCrowd watcher = WatcherCrowd.open(target, 1, _ -> NumberedNames.name(0))) {
            dns.connect(target.dns());
            dns.setSoTimeout(1000);
            int changes = options.size(CHANGES, 3);
            for (int i = 1; i <= changes; i++) {
                String place = "10.255." + i + '.' + i + ":80";
                long begun = System.nanoTime();
                writer.call(HttpConnection.put("/v1/names/" + NumberedNames.name(0), "{\"places\":[{\"place\":\"" + place + "\"}]}"));
                acknowledged.add((System.nanoTime() - begun) / 1e6);
                while (!reader.call(HttpConnection.get("/v1/names/" + NumberedNames.name(0))).contains(place)) {
                    Thread.onSpinWait();
                }
                read.add((System.nanoTime() - begun) / 1e6);
                while (address(dns) != (10 << 24 | 255 << 16 | i << 8 | i)) {
                    Thread.onSpinWait();
                }
                resolved.add((System.nanoTime() - begun) / 1e6);
                if (!watcher.await(i, SEEN_NANOS_MAX)) {
                    throw new BenchFailure("the watcher was told " + watcher.events() + " changes of " + i);
                }
                told.add((System.nanoTime() - begun) / 1e6);
            }
        }
        rows.add(List.of("ms until one change is acknowledged", MedianSpread.of(acknowledged), "read over HTTP", MedianSpread.of(read)));
        rows.add(List.of("ms until it is resolved over DNS", MedianSpread.of(resolved), "told to a watcher", MedianSpread.of(told)));
    }

    /** Asks DNS for the address of the first name; returns the last of the answer. */
    private static int address(DatagramSocket dns) throws IOException {
        ByteArrayOutputStream question = new ByteArrayOutputStream();
        question.writeBytes(new byte[] {0, 7, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0});
        for (String label : (NumberedNames.name(0) + "." + GuidepostNames.ZONE).split("\\.", -1)) {
            question.write(label.length());
            question.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
        }
        question.writeBytes(new byte[] {0, 0, 1, 0, 1});
        dns.send(new DatagramPacket(question.toByteArray(), question.size()));
        DatagramPacket answer = new DatagramPacket(new byte[512], 512);
        dns.receive(answer);
        return ByteBuffer.wrap(answer.getData()).getInt(answer.getLength() - Integer.BYTES);
    }
}
