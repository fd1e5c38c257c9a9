package io.guidepost.bench.scene;

import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.KeyDistribution;
import io.guidepost.bench.load.LoadProfile;
import io.guidepost.bench.load.SyntheticRecords;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.IdleWait;
import io.guidepost.packet.Port;
import io.guidepost.packet.udp.SegmentationOffload;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The resources of a scene: a temporary folder, processes and sockets, all of which end when it closes. */
public final class BenchStage implements AutoCloseable {
    /** Longest expected datagram. */
    private static final int DATAGRAM_BYTES_MAX = 2048;

    private static final int BUFFER_BYTES = 8 << 20;
    private static final int BURST_LEAST = 64;

    /** Outstanding requests of the load phase: enough to fill the group commits of a durable store. */
    private static final int LOADING_OUTSTANDING = 512;

    /** Passes over unacknowledged records before a scene gives up. */
    private static final int LOADING_PASSES_MAX = 20;

    private final Path folder;
    private final TerminalProgress progress;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** Creates an empty stage with a temporary folder. */
    public BenchStage(TerminalProgress progress) {
        this.progress = progress;
        try {
            this.folder = Files.createTempDirectory("guidepost-bench");
        } catch (IOException e) {
            throw new BenchFailure("cannot make a temporary folder: " + e.getMessage(), e);
        }
    }

    public TerminalProgress progress() {
        return progress;
    }

    public Path folder() {
        return folder;
    }

    /** Registers a resource to be closed with the stage. */
    public <T extends AutoCloseable> T keep(T thing) {
        open.push(thing);
        return thing;
    }

    /** Starts the product, see {@link ServerUnderTest#start}. */
    public ServerUnderTest server(String name, int cpu, Map<String, String> settings) {
        progress.say("starting " + name);
        return keep(ServerUnderTest.start(name, cpu, folder, settings));
    }

    /** Starts the product without waiting, see {@link ServerUnderTest#launch}. */
    public ServerUnderTest launch(String name, int cpu, Map<String, String> settings) {
        progress.say("starting " + name);
        return keep(ServerUnderTest.launch(name, cpu, folder, settings));
    }

    /** Starts the C baseline, see {@link CBaseline#start}. */
    public CBaseline responder(int cpu, int records, boolean trains) {
        progress.say("starting the responder in C");
        return keep(CBaseline.start(cpu, folder, records, trains));
    }

    /** Creates a generator with sockets of its own. */
    public GnrsLoadGenerator generator(BenchTarget target, LoadProfile load, int flows, SegmentationOffload trains) {
        return generator(target, load, flows, trains, ReadinessProbe.localAddressTo(target.address()), target::cpuNanos);
    }

    /** Creates a generator with a given source address, and a given meter of processor time. */
    public GnrsLoadGenerator generator(
            BenchTarget target, LoadProfile load, int flows, SegmentationOffload trains, InetAddress local, LongSupplier serverNanos) {
        List<Port> ports = IntStream.range(0, flows)
                .mapToObj(flow -> port(new InetSocketAddress(local, 0), load.burst(), trains))
                .toList();
        return new GnrsLoadGenerator(ports, target.address(), load, System::nanoTime, serverNanos);
    }

    /** Opens a socket for single datagrams without responses. */
    public Port port() {
        return port(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /** Opens such a socket at an address. */
    public Port port(InetSocketAddress local) {
        return port(local, SegmentationOffload.OFF);
    }

    /** Opens such a socket, which may send and receive datagrams in trains. */
    public Port port(InetSocketAddress local, SegmentationOffload trains) {
        return port(local, BURST_LEAST, trains);
    }

    /** Creates a generator with one socket and single datagrams, as most clients are. */
    public GnrsLoadGenerator generator(BenchTarget target, LoadProfile load) {
        return generator(target, load, 1, SegmentationOffload.OFF);
    }

    private Port port(InetSocketAddress local, int burst, SegmentationOffload trains) {
        try {
            return keep(UdpPorts.open(UdpSettings.of(local)
                    .withSegmentationOffload(trains)
                    .withBurstMax(Math.max(BURST_LEAST, burst))
                    .withDatagramBytesMax(DATAGRAM_BYTES_MAX)
                    .withBuffers(BUFFER_BYTES, BUFFER_BYTES)));
        } catch (IOException e) {
            throw new BenchFailure("cannot open a socket: " + e.getMessage(), e);
        }
    }

    /** Loads {@link SyntheticRecords} 0 to {@code records - 1}, until each one is acknowledged. */
    public void load(BenchTarget target, int records) {
        load(target, records, LoadProfile.closed(KeyDistribution.sequential(0, records), LOADING_OUTSTANDING));
    }

    /** Loads records with a given load profile. */
    public void load(BenchTarget target, int records, LoadProfile how) {
        int[] left = new int[0];
        KeyDistribution keys = KeyDistribution.sequential(0, records);
        for (int pass = 1; pass <= LOADING_PASSES_MAX; pass++) {
            int count = pass == 1 ? records : left.length;
            progress.say("loading " + count + " records into " + target.name());
            LoadProfile load = how.withChanges(keys, LoadProfile.WHOLE, 0);
            List<Integer> unanswered = new ArrayList<>();
            GnrsLoadGenerator loader = generator(target, load);
            loader.onUnanswered(unanswered::add);
            apart(() -> loader.runCount(count));
            if (unanswered.isEmpty()) {
                progress.say("waiting for " + target.name() + " to become idle");
                IdleWait.AFTER_LOADING.await(target::cpuNanos);
                progress.done();
                return;
            }
            left = unanswered.stream().mapToInt(Integer::intValue).toArray();
            keys = KeyDistribution.listed(left);
        }
        throw new BenchFailure(target.name() + " did not acknowledge " + left.length + " of " + records
                + " records in " + LOADING_PASSES_MAX + " times");
    }

    /** A generator takes a priority for its thread, which processes that this thread starts afterwards would have too. */
    private static void apart(Runnable load) {
        try {
            CompletableFuture.runAsync(load, task -> Thread.ofPlatform().name("loader").start(task)).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof BenchFailure known ? known : e;
        }
    }

    @Override
    public void close() {
        progress.done();
        // All servers end at the same time.
        open.forEach(each -> {
            if (each instanceof ServerUnderTest server) {
                server.end();
            }
        });
        while (!open.isEmpty()) {
            closeQuietly(open.pop());
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(BenchStage::delete);
        } catch (IOException | UncheckedIOException e) {
            throw new BenchFailure("cannot remove " + folder + ": " + e.getMessage(), e);
        }
    }

    private static void closeQuietly(AutoCloseable thing) {
        try {
            thing.close();
        } catch (Exception e) {
            throw new BenchFailure("cannot end " + thing + ": " + e.getMessage(), e);
        }
    }

    /** Waits for a time, in which others work. */
    public static void rest(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailure("was interrupted", e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
