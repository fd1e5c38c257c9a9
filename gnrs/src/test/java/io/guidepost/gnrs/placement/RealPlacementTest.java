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
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Placement over the real table of 306,388 prefixes: the vectors of the Java server of 2014, and its measured shares. */
class RealPlacementTest {
    private static final InetSocketAddress HERE = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 5001);

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

    @Test
    void vectors() {
        PlacementVectors.assertHold(
                placement(PlacementSettings.Mode.COMPATIBLE, 10), placement(PlacementSettings.Mode.DMAP, 10));
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
