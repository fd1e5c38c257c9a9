package io.guidepost.gnrs.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.guidepost.base.Addresses;
import io.guidepost.base.FaultyFile;
import io.guidepost.base.Prefix;
import io.guidepost.names.Guid;
import io.guidepost.proximity.PrefixTable;
import io.guidepost.proximity.Prefixes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Placement over small tables, against the definition followed by a scan. */
class PlacementTest {
    private static final InetSocketAddress HERE = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 5001);

    private record Line(int base, int length, long as) {
        boolean contains(int address) {
            return length == 0 || (address ^ base) >>> (32 - length) == 0;
        }

        /** The least XOR of an address and any of the block. */
        long distance(int address) {
            return length == 0 ? 0 : Integer.toUnsignedLong((address ^ base) >>> (32 - length) << (32 - length));
        }
    }

    private static InetSocketAddress server(long as) {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 5000 + (int) as);
    }

    private static Prefixes prefixes(List<Line> lines) {
        Prefixes.Builder builder = Prefixes.builder();
        lines.forEach(line -> builder.add(Prefix.ofIpv4(line.base, line.length), line.as));
        return builder.build();
    }

    private static AsBindings bindings(int from, int to) {
        Map<Long, InetSocketAddress> servers = new LinkedHashMap<>();
        for (long as = from; as <= to; as++) {
            servers.put(as, server(as));
        }
        return AsBindings.of(servers);
    }

    private static PlacementSettings settings(PlacementSettings.Mode mode, int replicas, int hashesMax) {
        return new PlacementSettings(mode, PlacementHash.SHA_1, replicas, hashesMax, Set.of(HERE));
    }

    /** Random lines of ASes 1 to 8, most of the space a hole. */
    private static List<Line> lines(SplittableRandom random) {
        List<Line> lines = new ArrayList<>();
        int count = random.nextInt(1, 40);
        for (int i = 0; i < count; i++) {
            int length = random.nextInt(3, 20);
            lines.add(new Line(random.nextInt() & -1 << (32 - length), length, random.nextInt(1, 9)));
        }
        return lines;
    }

    private static long longest(List<Line> lines, int address) {
        long as = -1;
        int length = -1;
        for (Line line : lines) {
            if (line.contains(address) && line.length >= length) {
                as = line.as;
                length = line.length;
            }
        }
        return as;
    }

    private static Guid random(SplittableRandom random) {
        return new Guid(random.nextLong(), random.nextLong(), random.nextInt());
    }

    private static int hashAgain(int address) throws Exception {
        byte[] bytes = HexFormat.of().parseHex(HexFormat.of().toHexDigits(address));
        byte[] digest = MessageDigest.getInstance("SHA-1").digest(bytes);
        return HexFormat.fromHexDigits(HexFormat.of().formatHex(digest, 0, 4));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void dmapFollowsItsDefinition(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        List<Line> lines = lines(random);
        int hashesMax = random.nextInt(1, 11);
        // ASes 7 and 8 have no server: as if they announced nothing.
        List<Line> bound = lines.stream().filter(line -> line.as <= 6).toList();
        if (bound.isEmpty()) {
            return;
        }
        Placement placement =
                Placement.of(prefixes(lines), bindings(1, 6), settings(PlacementSettings.Mode.DMAP, 7, hashesMax));
        Placer placer = placement.placer();
        for (int i = 0; i < 300; i++) {
            Guid guid = random(random);
            GuidHashes hashes = new GuidHashes(PlacementHash.SHA_1, 7);
            hashes.start(MemorySegment.ofArray(guid.toBytes()), 0);
            boolean here = false;
            for (Replica replica : placement.replicas(guid)) {
                int address = hashes.address(replica.number());
                List<Object> hashed = new ArrayList<>(List.of(Addresses.ofIpv4(address)));
                while (longest(bound, address) < 0 && hashed.size() < hashesMax) {
                    address = hashAgain(address);
                    hashed.add(Addresses.ofIpv4(address));
                }
                boolean deputy = longest(bound, address) < 0;
                assertThat(replica.hashed()).isEqualTo(hashed);
                assertThat(replica.deputy()).isEqualTo(deputy);
                assertThat(replica.as()).isEqualTo(deputy ? deputy(bound, address) : longest(bound, address));
                assertThat(replica.server()).contains(server(replica.as()));
                assertThat(replica.here()).isEqualTo(replica.as() == 1);
                here |= replica.here();
            }
            assertThat(placer.isHere(MemorySegment.ofArray(guid.toBytes()), 0)).isEqualTo(here);
            assertThat(placement.servers(guid).contains(HERE)).isEqualTo(here);
        }
    }

    /** The announcer of the address at the least distance: the nearest of all blocks, and in it the longest match. */
    private static long deputy(List<Line> lines, int address) {
        long least = lines.stream().mapToLong(line -> line.distance(address)).min().orElseThrow();
        return longest(lines, address ^ (int) least);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void compatibleTakesTheNearestBaseAndTheLastLineOfEach(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Line> lines = lines(random);
        Placement placement =
                Placement.of(prefixes(lines), bindings(1, 8), settings(PlacementSettings.Mode.COMPATIBLE, 5, 10));
        Placer placer = placement.placer();
        for (int i = 0; i < 300; i++) {
            Guid guid = random(random);
            GuidHashes hashes = new GuidHashes(PlacementHash.SHA_1, 5);
            hashes.start(MemorySegment.ofArray(guid.toBytes()), 0);
            boolean here = false;
            for (Replica replica : placement.replicas(guid)) {
                int address = hashes.address(replica.number());
                Line best = lines.getFirst();
                for (Line line : lines) {
                    best = Integer.compareUnsigned(line.base ^ address, best.base ^ address) <= 0 ? line : best;
                }
                assertThat(replica.as()).isEqualTo(best.as);
                assertThat(replica.block()).isEqualTo(Addresses.ofIpv4(best.base).getHostAddress());
                here |= best.as == 1;
            }
            assertThat(placer.isHere(MemorySegment.ofArray(guid.toBytes()), 0)).isEqualTo(here);
        }
    }

    @Test
    void guidsGoWhereTheJavaServerSentThem() throws Exception {
        Prefixes table = PlacementVectors.smallTable();
        Map<Long, InetSocketAddress> servers = new LinkedHashMap<>();
        PrefixTable all = PrefixTable.of(table);
        for (int i = 1; i <= all.classes(); i++) {
            servers.put(all.value(i), server(i));
        }
        PlacementVectors.assertHold(
                Placement.of(table, AsBindings.of(servers), settings(PlacementSettings.Mode.COMPATIBLE, 5, 10)),
                Placement.of(table, AsBindings.of(servers), settings(PlacementSettings.Mode.DMAP, 5, 10)));
    }

    private static List<InetAddress> addresses(String... literals) {
        return Stream.of(literals).map(InetAddress::ofLiteral).toList();
    }

    @Test
    void compatibleLeavesAReplicaWithoutServerOut() {
        List<Line> lines = List.of(new Line(0, 1, 1), new Line(1 << 31, 1, 2));
        Placement placement =
                Placement.of(prefixes(lines), bindings(1, 1), settings(PlacementSettings.Mode.COMPATIBLE, 5, 10));
        // Its first address, 184.13.229.209, is of AS 2, its fourth too.
        Guid zeros = Guid.of(new byte[20]);
        assertThat(placement.replicas(zeros).getFirst())
                .isEqualTo(new Replica(0, addresses("184.13.229.209"), "128.0.0.0", false, 2, Optional.empty(), false));
        assertThat(placement.summary().unboundAses()).isEqualTo(1);
        assertThat(placement.summary().allHere()).isFalse();
    }

    @Test
    void dmapExplainsHolesAndDeputies() {
        List<Line> lines = List.of(new Line(0x0a000000, 8, 2));
        Placement placement =
                Placement.of(prefixes(lines), bindings(1, 8), settings(PlacementSettings.Mode.DMAP, 1, 3));
        assertThat(placement.replicas(Guid.of(new byte[20])))
                .containsExactly(new Replica(
                        0,
                        addresses("184.13.229.209", "252.173.62.116", "181.91.21.81"),
                        "10.0.0.0/8",
                        true,
                        2,
                        Optional.of(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 5002)),
                        false));
    }

    @Test
    void whereEverythingLeadsHereNothingIsHashed() {
        Placement placement = Placement.of(
                prefixes(List.of(new Line(0, 8, 1), new Line(1 << 30, 8, 1))),
                bindings(1, 8),
                settings(PlacementSettings.Mode.DMAP, 5, 10));
        assertThat(placement.placer()).isSameAs(Placer.EVERYTHING_HERE);
        assertThat(placement.summary()).isEqualTo(new PlacementSummary(2, 1, 0, 1, 2.0 / 256, true));
        assertThat(Placement.everything().placer()).isSameAs(Placer.EVERYTHING_HERE);
        assertThat(Placement.everything().replicas(Guid.ofAscii("a"))).isEmpty();
    }

    @Test
    void tablesThatDoNotBelongTogetherAreRefused(@TempDir Path folder) throws Exception {
        Path prefixFile = Files.writeString(folder.resolve("p"), "10.0.0.0/8 1\n");
        Path bindingFile = Files.writeString(folder.resolve("b"), "2 127.0.0.1 5001\n");
        assertThatThrownBy(() -> Placement.load(prefixFile, bindingFile, PlacementSettings.of(Set.of(HERE))))
                .isInstanceOf(FaultyFile.class)
                .hasMessageContaining("no IPv4 prefix belongs to an AS that has a server");
    }

    @Test
    void aPublishedPlacementIsFollowed() {
        LivePlacement live = new LivePlacement(Placement.everything());
        Placer placer = live.placer();
        MemorySegment guid = MemorySegment.ofArray(new byte[20]);
        assertThat(placer.isHere(guid, 0)).isTrue();
        live.publish(Placement.of(
                prefixes(List.of(new Line(0, 0, 2))), bindings(1, 8), settings(PlacementSettings.Mode.DMAP, 5, 10)));
        assertThat(placer.isHere(guid, 0)).isFalse();
        live.publish(Placement.everything());
        assertThat(placer.isHere(guid, 0)).isTrue();
    }

    @Test
    void settingsHaveRanges() {
        assertThatThrownBy(() -> settings(PlacementSettings.Mode.DMAP, 33, 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("replicas: from 1 to 32, not 33");
        assertThatThrownBy(() -> settings(PlacementSettings.Mode.DMAP, 5, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @EnumSource(PlacementSettings.Mode.class)
    void askingAllocatesNothing(PlacementSettings.Mode mode) {
        // One small block: nearly every address is hashed again to the end, and goes to a deputy.
        Placer placer = Placement.of(
                        prefixes(List.of(new Line(0x0a000000, 16, 2), new Line(0x0b000000, 16, 3))),
                        bindings(1, 8),
                        settings(mode, 5, 10))
                .placer();
        MemorySegment guids = MemorySegment.ofArray(new byte[20 + 256]);
        for (int i = 0; i < 256; i++) {
            guids.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 37));
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        int here = 0;
        // The first rounds compile; one round without allocation shows that asking needs none.
        for (int round = 0; round < 8; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 3_000; i++) {
                here += placer.isHere(guids, i & 0xff) ? 1 : 0;
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).isZero();
        assertThat(here).isZero();
    }
}
