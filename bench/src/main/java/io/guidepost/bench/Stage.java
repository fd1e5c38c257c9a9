package io.guidepost.bench;

import io.guidepost.packet.Port;
import io.guidepost.packet.Trains;
import io.guidepost.packet.Udp;
import io.guidepost.packet.UdpSettings;
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
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What a scene plays on: a temporary folder, processes and sockets, all of which are gone when it closes. */
final class Stage implements AutoCloseable {
    /** Longest datagram that a benchmark expects. */
    private static final int DATAGRAM_BYTES_MAX = 2048;

    private static final int BUFFER_BYTES = 8 << 20;
    private static final int BURST_LEAST = 64;

    /** Requests outstanding while records are loaded: enough to fill the groups of a durable store. */
    private static final int LOADING_OUTSTANDING = 512;

    /** Passes over the records that a server did not acknowledge, before it is given up. */
    private static final int LOADING_PASSES_MAX = 20;

    private final Path folder;
    private final Progress progress;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    /** An empty stage with a folder of its own. */
    Stage(Progress progress) {
        this.progress = progress;
        try {
            this.folder = Files.createTempDirectory("guidepost-bench");
        } catch (IOException e) {
            throw new Failure("cannot make a temporary folder: " + e.getMessage(), e);
        }
    }

    Progress progress() {
        return progress;
    }

    Path folder() {
        return folder;
    }

    /** Keeps something that is closed when the stage is. */
    <T extends AutoCloseable> T keep(T thing) {
        open.push(thing);
        return thing;
    }

    /** Starts the product, see {@link ServerUnderTest#start}. */
    ServerUnderTest server(String name, int cpu, Map<String, String> settings) {
        progress.say("starting " + name);
        return keep(ServerUnderTest.start(name, cpu, folder, settings));
    }

    /** Starts the baseline in C, see {@link Responder#start}. */
    Responder responder(int cpu, int records, boolean trains) {
        progress.say("starting the responder in C");
        return keep(Responder.start(cpu, folder, records, trains));
    }

    /** A generator with sockets of its own. */
    Generator generator(Target target, Load load, int flows, Trains trains) {
        return generator(target, load, flows, trains, Probe.localAddressTo(target.address()), target::cpuNanos);
    }

    /** A generator that asks from an address of its own, and counts the processor time of whom it likes. */
    Generator generator(
            Target target, Load load, int flows, Trains trains, InetAddress local, LongSupplier serverNanos) {
        List<Port> ports = IntStream.range(0, flows)
                .mapToObj(flow -> port(new InetSocketAddress(local, 0), load.burst(), trains))
                .toList();
        return new Generator(ports, target.address(), load, System::nanoTime, serverNanos);
    }

    /** A socket for datagrams that are sent one by one and not answered. */
    Port port() {
        return port(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /** The same at an address. */
    Port port(InetSocketAddress local) {
        return port(local, BURST_LEAST, Trains.OFF);
    }

    /** A generator with one socket and single datagrams: what most clients look like. */
    Generator generator(Target target, Load load) {
        return generator(target, load, 1, Trains.OFF);
    }

    private Port port(InetSocketAddress local, int burst, Trains trains) {
        try {
            return keep(Udp.open(UdpSettings.of(local)
                    .withTrains(trains)
                    .withBurstMax(Math.max(BURST_LEAST, burst))
                    .withDatagramBytesMax(DATAGRAM_BYTES_MAX)
                    .withBuffers(BUFFER_BYTES, BUFFER_BYTES)));
        } catch (IOException e) {
            throw new Failure("cannot open a socket: " + e.getMessage(), e);
        }
    }

    /** Loads {@link SyntheticRecords} 0 to {@code records - 1}, until each one is acknowledged. */
    void load(Target target, int records) {
        load(target, records, Load.closed(Keys.sequential(0, records), LOADING_OUTSTANDING));
    }

    /** The same, as a load says that asks for nothing yet. */
    void load(Target target, int records, Load how) {
        int[] left = new int[0];
        Keys keys = Keys.sequential(0, records);
        for (int pass = 1; pass <= LOADING_PASSES_MAX; pass++) {
            int count = pass == 1 ? records : left.length;
            progress.say("loading " + count + " records into " + target.name());
            Load load = how.withChanges(keys, Load.WHOLE, 0);
            List<Integer> unanswered = new ArrayList<>();
            Generator loader = generator(target, load);
            loader.onUnanswered(unanswered::add);
            loader.runCount(count);
            if (unanswered.isEmpty()) {
                progress.say("waiting for " + target.name() + " to come to rest");
                Rest.AFTER_LOADING.await(target::cpuNanos);
                progress.done();
                return;
            }
            left = unanswered.stream().mapToInt(Integer::intValue).toArray();
            keys = Keys.listed(left);
        }
        throw new Failure(target.name() + " did not acknowledge " + left.length + " of " + records
                + " records, though asked " + LOADING_PASSES_MAX + " times");
    }

    @Override
    public void close() {
        progress.done();
        while (!open.isEmpty()) {
            closeQuietly(open.pop());
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(Stage::delete);
        } catch (IOException | UncheckedIOException e) {
            throw new Failure("cannot remove " + folder + ": " + e.getMessage(), e);
        }
    }

    private static void closeQuietly(AutoCloseable thing) {
        try {
            thing.close();
        } catch (Exception e) {
            throw new Failure("cannot end " + thing + ": " + e.getMessage(), e);
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
