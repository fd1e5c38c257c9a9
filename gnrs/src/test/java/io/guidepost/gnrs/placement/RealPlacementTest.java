package io.guidepost.gnrs.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.guidepost.base.Addresses;
import io.guidepost.gnrs.GnrsTestData;
import io.guidepost.names.Guid;
import io.guidepost.proximity.AsNotation;
import io.guidepost.proximity.PrefixTable;
import io.guidepost.proximity.PrefixTableFile;
import io.guidepost.proximity.Prefixes;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Placement over the real table of 306,388 prefixes: the vectors of the Java server of 2014, and its measured shares. */
class RealPlacementTest {
    private static final InetSocketAddress HERE = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 5001);
    private static final long HOLE = -1;

    private static Prefixes prefixes = Prefixes.builder().build();
    private static PrefixTable table = PrefixTable.of(prefixes);

    @BeforeAll
    static void load() throws Exception {
        prefixes = PrefixTableFile.read(GnrsTestData.file("prefixes-306k.ipv4.gz"), AsNotation.JAVA);
        table = PrefixTable.of(prefixes);
    }

    /** Each AS on a server of its own, so that servers can be told apart. */
    private static Placement placement(PlacementSettings.Mode mode, int hashesMax) {
        Map<Long, InetSocketAddress> servers = new HashMap<>();
        for (int i = 1; i <= table.classes(); i++) {
            servers.put(table.value(i), new InetSocketAddress(Addresses.ofIpv4(0x7f000000 + i), 5001));
        }
        return Placement.of(
                prefixes,
                AsBindings.of(servers),
                new PlacementSettings(mode, PlacementHash.SHA_1, 5, hashesMax, Set.of(HERE)));
    }

    private record Vector(Guid guid, List<Long> compatible, List<Long> longest) {}

    private static final List<Vector> VECTORS = List.of(
            new Vector(
                    Guid.of(HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f10111213")),
                    List.of(18391L, 8513L, 9371L, 28708L, 42682L),
                    List.of(HOLE, HOLE, 9371L, HOLE, 42682L)),
            new Vector(
                    Guid.ofAscii("1"),
                    List.of(11798L, 3265L, 3269L, 32703L, 28748L),
                    List.of(HOLE, 3265L, 3269L, 32703L, 7377L)),
            new Vector(
                    Guid.of(new byte[20]),
                    List.of(7011L, 2907L, 6478L, 19029L, 174L),
                    List.of(5650L, 2907L, 6478L, 19029L, 2914L)));

    @Test
    void vectors() {
        Placement compatible = placement(PlacementSettings.Mode.COMPATIBLE, 10);
        Placement dmap = placement(PlacementSettings.Mode.DMAP, 10);
        for (Vector vector : VECTORS) {
            assertThat(compatible.replicas(vector.guid())).extracting(Replica::as).isEqualTo(vector.compatible());
            for (Replica replica : dmap.replicas(vector.guid())) {
                boolean hole = vector.longest().get(replica.number()) == HOLE;
                assertThat(replica.hashed().size() > 1).as(replica.toString()).isEqualTo(hole);
                if (!hole) {
                    assertThat(replica.as()).isEqualTo(vector.longest().get(replica.number()));
                }
            }
        }
        assertThat(dmap.replicas(VECTORS.getFirst().guid()).get(2).block()).isEqualTo("180.131.64.0/19");
        assertThat(dmap.replicas(VECTORS.getFirst().guid()).get(4).block()).isEqualTo("95.79.200.0/22");
        assertThat(dmap.replicas(VECTORS.get(1).guid()).get(4).block()).isEqualTo("44.0.0.0/8");
        assertThat(dmap.replicas(VECTORS.get(2).guid()).get(0).block()).isEqualTo("184.8.0.0/13");
        assertThat(dmap.replicas(VECTORS.get(2).guid()).get(4).block()).isEqualTo("204.0.0.0/14");
    }

    @Test
    void compatibleDiffersFromLongestMatchAsMeasured() {
        ServerIndex servers = new ServerIndex(AsBindings.of(Map.of()), Set.of());
        PatriciaResolver nearest = PatriciaResolver.of(prefixes, servers);
        assertThat(nearest.size()).isEqualTo(290_667);
        GuidHashes hashes = new GuidHashes(PlacementHash.SHA_1, 1);
        SplittableRandom random = new SplittableRandom(1);
        int announced = 0;
        int different = 0;
        for (int i = 0; i < 200_000; i++) {
            int address = random.nextInt();
            int found = table.findIpv4(address);
            if (found != PrefixTable.NONE) {
                announced++;
                different += nearest.explain(0, address, hashes, servers).as() == table.value(found) ? 0 : 1;
            }
        }
        assertThat(100.0 * different / announced).isBetween(13.4, 14.4);
        assertThat(announced / 200_000.0).isBetween(0.498, 0.508);
    }

    @Test
    void nearestBaseIsWhatAScanOfAllBasesFinds() {
        compareWithScan(2_000);
    }

    @Test
    @Tag("long")
    void nearestBaseIsWhatAScanOfAllBasesFindsFor200000Addresses() {
        compareWithScan(200_000);
    }

    private static void compareWithScan(int addresses) {
        ServerIndex servers = new ServerIndex(AsBindings.of(Map.of()), Set.of());
        PatriciaResolver nearest = PatriciaResolver.of(prefixes, servers);
        int[] bases = new int[prefixes.ipv4Size()];
        for (int i = 0; i < bases.length; i++) {
            bases[i] = prefixes.ipv4Base(i) ^ Integer.MIN_VALUE;
        }
        Arrays.sort(bases);
        GuidHashes hashes = new GuidHashes(PlacementHash.SHA_1, 1);
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < addresses; i++) {
            int address = random.nextInt();
            int best = bases[0];
            for (int base : bases) {
                int distance = base ^ address ^ Integer.MIN_VALUE;
                best = Integer.compareUnsigned(distance, best ^ address ^ Integer.MIN_VALUE) < 0 ? base : best;
            }
            assertThat(nearest.explain(0, address, hashes, servers).block())
                    .isEqualTo(Addresses.ofIpv4(best ^ Integer.MIN_VALUE).getHostAddress());
        }
    }

    @Test
    void hashingAgainFindsNearlyAlwaysABlock() {
        Placement dmap = placement(PlacementSettings.Mode.DMAP, 10);
        Placement compatible = placement(PlacementSettings.Mode.COMPATIBLE, 10);
        SplittableRandom random = new SplittableRandom(3);
        int deputies = 0;
        int fewer = 0;
        int guids = 40_000;
        for (int i = 0; i < guids; i++) {
            Guid guid = new Guid(random.nextLong(), random.nextLong(), random.nextInt());
            for (Replica replica : dmap.replicas(guid)) {
                deputies += replica.deputy() ? 1 : 0;
            }
            fewer += compatible.servers(guid).size() < 5 ? 1 : 0;
        }
        // 0.497 to the tenth is 0.092 %.
        assertThat(100.0 * deputies / (5 * guids)).isBetween(0.06, 0.13);
        assertThat(100.0 * fewer / guids).isCloseTo(3.9, withinPercentage(10));
    }

    @Test
    void allOfTheRealTablesLeadToTheServerTheyName() throws Exception {
        Placement placement = Placement.load(
                GnrsTestData.file("prefixes-306k.ipv4.gz"),
                GnrsTestData.file("as-binding-26424.ipv4.gz"),
                PlacementSettings.of(Set.of(HERE)));
        assertThat(placement.summary().allHere()).isTrue();
        assertThat(placement.summary().unboundAses()).isZero();
        assertThat(placement.placer().isHere(MemorySegment.ofArray(new byte[20]), 0)).isTrue();
    }
}
