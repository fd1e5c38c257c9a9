package io.guidepost.lab.soak;

import io.guidepost.server.cli.support.ChildProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Measures the server at even distances, and reads its log for stack traces. */
final class ResourceSampler implements AutoCloseable {
    static final String LOG = "no line of the log is of a stack trace";

    /** A collection of garbage costs the server some milliseconds, and jcmd a start: one sample of this number has one. */
    private static final int COLLECTED_EVERY = 8;

    private static final int KIBI = 1024;
    private static final int DIGITS = 3;

    private final SoakServer server;
    private final Path store;
    private final List<DoorTally> tallies;
    private final SoakCurves curves;
    private final BrokenPromises broken;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon(true).name("guidepost-soak-sampler").factory());
    private final long beganNanos = System.nanoTime();
    private long lastNanos = beganNanos;
    private long answered;
    private int number;

    ResourceSampler(
            SoakServer server, Path store, List<DoorTally> tallies, SoakCurves curves, BrokenPromises broken, double everySeconds) {
        this.server = server;
        this.store = store;
        this.tallies = tallies;
        this.curves = curves;
        this.broken = broken;
        long every = (long) (everySeconds * 1000);
        var _ = timer.scheduleWithFixedDelay(this::sample, every, every, TimeUnit.MILLISECONDS);
    }

    private void sample() {
        try {
            server.stackTraces().forEach(each -> broken.add(LOG, each.strip()));
            long pid = server.pid();
            // Between two processes there is nothing to measure.
            double heap = number % COLLECTED_EVERY == COLLECTED_EVERY - 1 ? heapBehindCollection(pid) : Double.NaN;
            Path process = Path.of("/proc", Long.toString(pid));
            double resident = 0;
            double threads = 0;
            for (String line : Files.readAllLines(process.resolve("status"))) {
                String[] words = line.split("\\s+", 3);
                switch (words[0]) {
                    case "VmRSS:" -> resident = KIBI * Double.parseDouble(words[1]);
                    case "Threads:" -> threads = Double.parseDouble(words[1]);
                    default -> {}
                }
            }
            long descriptors;
            try (Stream<Path> open = Files.list(process.resolve("fd"))) {
                descriptors = open.count();
            }
            long now = System.nanoTime();
            long all = tallies.stream().mapToLong(DoorTally::answered).sum();
            Histogram micros = new Histogram(DIGITS);
            tallies.forEach(each -> each.addTo(micros));
            curves.add(new SoakCurves.Sample(
                    (now - beganNanos) / 1e9, pid, (all - answered) * 1e9 / (now - lastNanos),
                    micros.getValueAtPercentile(99) / 1000.0, resident, heap, threads, descriptors, diskBytes()));
            lastNanos = now;
            answered = all;
            number++;
        } catch (IOException | UncheckedIOException between) {
            // The process ended meanwhile.
        }
    }

    private double heapBehindCollection(long pid) throws IOException {
        ChildProcesses.run(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), Long.toString(pid), "GC.run");
        return server.heapBytes();
    }

    private double diskBytes() throws IOException {
        double bytes = 0;
        try (Stream<Path> files = Files.walk(store)) {
            for (Path each : files.toList()) {
                bytes += each.endsWith("ballast") || !Files.isRegularFile(each) ? 0 : Files.size(each);
            }
        }
        return bytes;
    }

    @Override
    public void close() {
        timer.shutdown();
        try {
            boolean _ = timer.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sample();
    }
}
