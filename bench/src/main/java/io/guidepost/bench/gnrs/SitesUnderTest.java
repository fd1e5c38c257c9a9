package io.guidepost.bench.gnrs;

import io.guidepost.base.FaultyFile;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.bench.process.ProcessMeter;
import io.guidepost.bench.scene.BenchStage;
import io.guidepost.bench.scene.ServerUnderTest;
import io.guidepost.gnrs.placement.AsBindings;
import io.guidepost.gnrs.placement.Placement;
import io.guidepost.gnrs.placement.PlacementHash;
import io.guidepost.gnrs.placement.PlacementSettings;
import io.guidepost.proximity.AsNotation;
import io.guidepost.proximity.PrefixTable;
import io.guidepost.proximity.PrefixTableFile;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Several servers of the product, server {@code i} at 127.0.0.{@code i + 1}, that share records by a prefix table whose
 * ASes are bound to them in turn.
 */
final class SitesUnderTest {
    /** An origin that means "the sender". */
    static final InetSocketAddress NOWHERE = new InetSocketAddress(address(0, 0, 0, 0), 0);

    private final List<ServerUnderTest> servers;
    private final Placement placement;
    private long[] cpuBefore;
    private long[] cpuAfter;

    private SitesUnderTest(List<ServerUnderTest> servers, Placement placement) {
        this.servers = servers;
        this.placement = placement;
        this.cpuBefore = new long[servers.size()];
        this.cpuAfter = new long[servers.size()];
    }

    /**
     * The servers to start.
     *
     * @param prefixes the prefix table
     * @param running servers to start
     * @param bound servers that ASes are bound to: the running ones, and more that do not answer
     * @param silentMembers further servers of the membership file, without ASes
     * @param replicas K
     */
    record Plan(Path prefixes, int running, int bound, int silentMembers, int replicas) {}

    /** Starts servers on one processor, and waits until each answers. */
    static SitesUnderTest start(BenchStage stage, String name, int cpu, Plan plan, Map<String, String> settings)
            throws IOException {
        int port = ServerUnderTest.freeUdpPort();
        Path folder = Files.createDirectory(stage.folder().resolve(name.replaceAll("[^A-Za-z0-9]", "-")));
        List<InetSocketAddress> bound = addresses(plan.bound, port);
        Path bindings = folder.resolve("bindings");
        Placement placement;
        try {
            PrefixTable table = PrefixTable.of(PrefixTableFile.read(plan.prefixes, AsNotation.PLAIN));
            try (Writer out = Files.newBufferedWriter(bindings)) {
                AsBindings.spread(table, bound).write(out);
            }
            placement = Placement.load(
                    plan.prefixes,
                    bindings,
                    new PlacementSettings(
                            PlacementSettings.Mode.DMAP,
                            PlacementHash.SHA_1,
                            plan.replicas,
                            PlacementSettings.HASHES_MAX,
                            Set.of(bound.getFirst())));
        } catch (FaultyFile e) {
            throw new BenchFailure("the tables are faulty: " + e.getMessage(), e);
        }
        Path members = folder.resolve("members");
        List<InetSocketAddress> all = new ArrayList<>(bound);
        all.addAll(silent(plan.silentMembers, port));
        Files.write(
                members,
                IntStream.range(0, all.size()).mapToObj(i -> "site-" + (i + 1) + " " + text(all.get(i))).toList());
        List<ServerUnderTest> servers = new ArrayList<>();
        for (InetSocketAddress each : bound.subList(0, plan.running)) {
            Map<String, String> own = new LinkedHashMap<>();
            own.put("gnrs.listen", each.getAddress().getHostAddress());
            own.put("gnrs.port", Integer.toString(port));
            own.put("placement.prefix-file", plan.prefixes.toString());
            own.put("placement.binding-file", bindings.toString());
            own.put("placement.replicas", Integer.toString(plan.replicas));
            own.put("sites.file", members.toString());
            own.putAll(settings);
            servers.add(stage.launch(name + " " + lastByte(each), cpu, own));
        }
        servers.forEach(ServerUnderTest::awaitAnswer);
        return new SitesUnderTest(servers, placement);
    }

    private static List<InetSocketAddress> addresses(int number, int port) {
        List<InetSocketAddress> all = new ArrayList<>();
        for (int i = 1; i <= number; i++) {
            all.add(new InetSocketAddress(loopback(0, i), port));
        }
        return all;
    }

    private static List<InetSocketAddress> silent(int number, int port) {
        return IntStream.range(0, number)
                .mapToObj(i -> new InetSocketAddress(address(127, 64 + (i >> 16), i >> 8, i), port))
                .toList();
    }

    /** Returns 127.0.{@code third}.{@code fourth}. */
    static InetAddress loopback(int third, int fourth) {
        return address(127, 0, third, fourth);
    }

    private static InetAddress address(int first, int second, int third, int fourth) {
        try {
            return InetAddress.getByAddress(new byte[] {(byte) first, (byte) second, (byte) third, (byte) fourth});
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes are an address", e);
        }
    }

    private static int lastByte(InetSocketAddress address) {
        return address.getAddress().getAddress()[3] & 255;
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** Ends all servers. */
    void close() {
        servers.forEach(ServerUnderTest::end);
        servers.forEach(ServerUnderTest::close);
    }

    ServerUnderTest server(int number) {
        return servers.get(number);
    }

    List<InetSocketAddress> addresses() {
        return servers.stream().map(ServerUnderTest::address).toList();
    }

    int port() {
        return servers.getFirst().address().getPort();
    }

    /** Returns the placement of records. */
    Placement placement() {
        return placement;
    }

    /** Returns the sum of a metric over all servers. */
    double metric(String name) {
        return servers.stream().mapToDouble(server -> server.metric(name)).sum();
    }

    /**
     * Returns the processor time of all servers and remembers that of each, so that after two calls
     * {@link #cpuNanosOfEach} has the shares of the time between.
     */
    long cpuNanos() {
        cpuBefore = cpuAfter;
        cpuAfter = servers.stream().mapToLong(ServerUnderTest::cpuNanos).toArray();
        long sum = 0;
        for (long each : cpuAfter) {
            if (each == ProcessMeter.UNKNOWN) {
                return ProcessMeter.UNKNOWN;
            }
            sum += each;
        }
        return sum;
    }

    /** Returns the processor time of each server between the last two calls of {@link #cpuNanos}. */
    long[] cpuNanosOfEach() {
        long[] used = new long[cpuAfter.length];
        for (int i = 0; i < used.length; i++) {
            used[i] = cpuAfter[i] - cpuBefore[i];
        }
        return used;
    }
}
