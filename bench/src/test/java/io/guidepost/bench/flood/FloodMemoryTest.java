package io.guidepost.bench.flood;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.bench.alto.ProxidorRequests;
import io.guidepost.bench.alto.ProxidorTestNetwork;
import io.guidepost.bench.handle.HandleRequests;
import io.guidepost.bench.handle.HandleUnderTest;
import io.guidepost.bench.load.FloodGenerator;
import io.guidepost.bench.load.GnrsLookupRequests;
import io.guidepost.bench.load.UdpRequests;
import io.guidepost.bench.process.ProcessPinning;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.bench.scene.TerminalProgress;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.packet.Port;
import io.guidepost.server.BuiltServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * A server's memory, heap and off-heap, as the kernel counts it, does not grow while its doors of UDP are flooded. What leaks leaks
 * with each datagram, so datagrams are counted, not seconds: over half a million, a leak of 34 bytes for each is 16 MiB.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the kernel's account of a process is read from /proc")
class FloodMemoryTest {
    private static final int RECORDS = 1000;
    private static final int ROUTERS = 10;
    private static final int LIST_ADDRESSES = 20;

    /** Until then the compilers work, and the heap, tables and sketches of sources are touched for the first time. */
    private static final long FIRST = 250_000;

    private static final long DATAGRAMS = 500_000;
    private static final long DATAGRAMS_LONG = 100_000_000;
    private static final long GROWTH_BYTES_MAX = 16L << 20;

    /** One of so many datagrams is at least a request to each door; garbage is dropped before. */
    private static final double SHARE = 20;

    /** A flood goes on up to so many times its datagrams for doors whose sockets were full when it came. */
    private static final int LONGER = 4;

    /** Bursts between two looks at the server's counters. */
    private static final int BURSTS_A_LOOK = 500;

    /** A server that takes no more datagrams fails the test, which would otherwise never end. */
    private static final long STANDSTILL_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

    private static final List<String> REQUESTS =
            List.of("guidepost_gnrs_requests_total", "guidepost_handle_udp_requests_total", "guidepost_proxidor_requests_total");

    @BeforeAll
    static void theServerIsStartedAsItsLauncherDoes() {
        BuiltServer.folder().ifPresent(home -> System.setProperty("guidepost.server.home", home.toString()));
    }

    @Test
    void memoryDoesNotGrow() throws IOException {
        flood(DATAGRAMS);
    }

    @Test
    @Tag("long")
    void memoryDoesNotGrowInTenMinutes() throws IOException {
        flood(DATAGRAMS_LONG);
    }

    private static void flood(long datagrams) throws IOException {
        try (BenchStage stage = new BenchStage(TerminalProgress.none())) {
            InetSocketAddress lists = new InetSocketAddress(InetAddress.getLoopbackAddress(), ServerUnderTest.freeUdpPort());
            HandleUnderTest handles = HandleUnderTest.start("flooded", ProcessPinning.ANYWHERE, stage.folder(), RECORDS, Map.of(
                    "proximity.files", ProxidorTestNetwork.of(ROUTERS).writeFiles(stage.folder().resolve("network")).toString(),
                    "proxidor.enabled", "true",
                    "proxidor.listen", "127.0.0.1",
                    "proxidor.port", Integer.toString(lists.getPort())));
            ServerUnderTest server = stage.keep(handles.server());
            stage.load(server, RECORDS);
            Port any = stage.port(new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0));
            List<Door> doors = List.of(
                    Door.of(any, server.address(), new GnrsLookupRequests(RECORDS, any.localAddress())),
                    Door.of(any, handles.udp(), new HandleRequests(HandleUnderTest.PREFIX, RECORDS, OpFlag.PUBL)),
                    Door.of(any, lists, new ProxidorRequests(RECORDS, LIST_ADDRESSES, null)));
            send(server, doors, FIRST);
            long before = server.residentBytes();
            List<Double> taken = taken(server);
            send(server, doors, datagrams);
            long after = server.residentBytes();
            List<Double> now = taken(server);
            for (int i = 0; i < REQUESTS.size(); i++) {
                assertThat(now.get(i) - taken.get(i)).as(REQUESTS.get(i)).isGreaterThan(datagrams / SHARE);
            }
            assertThat(doors.stream().mapToLong(door -> door.requests().answers()).sum()).as("answers").isPositive();
            assertThat(after - before).as("growth after " + before).isLessThan(GROWTH_BYTES_MAX);
        }
    }

    /** Returns which of the doors took no more than a number of requests. */
    private static List<Integer> behind(double number, List<Double> before, List<Double> now) {
        return IntStream.range(0, now.size()).filter(i -> now.get(i) - before.get(i) <= number).boxed().toList();
    }

    /** The floods of a door, of which every datagram has another source. */
    private record Door(FloodGenerator garbage, FloodGenerator requests) {
        static Door of(Port from, InetSocketAddress to, UdpRequests requests) {
            return new Door(
                    new FloodGenerator(List.of(from), List.of(to), FloodScene.garbage(), requests.idOffset(), Double.POSITIVE_INFINITY)
                            .spoofing(),
                    FloodGenerator.unlimited(List.of(from), to, requests).spoofing());
        }

        void burst() {
            garbage.run();
            requests.run();
            requests.drain();
        }
    }

    /**
     * Floods the doors in turns until the server has taken that many more datagrams, and each door its share of them; in the end only those
     * that do not have it yet: a socket of an ordinary user holds little, and is full of the garbage that came first.
     */
    private static void send(ServerUnderTest server, List<Door> doors, long datagrams) {
        List<Double> first = taken(server);
        double last = sum(server);
        double end = last + datagrams;
        double latest = last + LONGER * datagrams;
        long movedNanos = System.nanoTime();
        List<Integer> behind = IntStream.range(0, doors.size()).boxed().toList();
        for (double now = last; now < end || now < latest + datagrams && !behind.isEmpty(); now = sum(server)) {
            if (now > last) {
                movedNanos = System.nanoTime();
            }
            assertThat(System.nanoTime() - movedNanos).as("standstill at " + now + " datagrams").isLessThan(STANDSTILL_NANOS_MAX);
            last = now;
            List<Door> flooded = now < latest ? doors : behind.stream().map(doors::get).toList();
            for (int i = 0; i < BURSTS_A_LOOK; i++) {
                flooded.forEach(Door::burst);
            }
            behind = behind(datagrams / SHARE, first, taken(server));
        }
    }

    private static double sum(ServerUnderTest server) {
        return taken(server).stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Returns how many datagrams each door has taken. */
    private static List<Double> taken(ServerUnderTest server) {
        return REQUESTS.stream().map(server::metric).toList();
    }
}
