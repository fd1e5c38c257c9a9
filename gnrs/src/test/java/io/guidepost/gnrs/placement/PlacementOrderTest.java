package io.guidepost.gnrs.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Prefix;
import io.guidepost.names.Guid;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The order of replicas, which all servers and clients share: that of the hashes. Each block of eight bits is announced by the
 * AS of its first octet, so the hashes that the Java server of 2014 makes of a GUID name the ASes one after the other.
 */
class PlacementOrderTest {
    private static final Map<Guid, List<Integer>> OCTETS = Map.of(
            Guid.of(HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f10111213")),
            List.of(0xea, 0xe4, 0xb4, 0x5a, 0x5f),
            Guid.ofAscii("1"),
            List.of(0x32, 0x52, 0x5e, 0x89, 0x2c),
            Guid.of(new byte[Guid.BYTES]),
            List.of(0xb8, 0x85, 0xad, 0xd1, 0xcc));

    private static InetSocketAddress server(int octet) {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0." + octet), 5001);
    }

    private static Placement placement(PlacementSettings.Mode mode, Map<Integer, Integer> shared) {
        Prefixes.Builder prefixes = Prefixes.builder();
        Map<Long, InetSocketAddress> bindings = new HashMap<>();
        for (int octet = 0; octet < 256; octet++) {
            prefixes.add(Prefix.ofIpv4(octet << 24, 8), 1 + octet);
            bindings.put(1L + octet, server(shared.getOrDefault(octet, octet)));
        }
        return Placement.of(
                prefixes.build(),
                AsBindings.of(bindings),
                new PlacementSettings(mode, PlacementHash.SHA_1, 5, 10, Set.of(server(0))));
    }

    private static List<InetSocketAddress> placed(Placement placement, Guid guid) {
        InetSocketAddress[] found = new InetSocketAddress[PlacementLimits.REPLICAS_MAX];
        int count = placement.placer().servers(MemorySegment.ofArray(guid.toBytes()), 0, found);
        return List.copyOf(Arrays.asList(found).subList(0, count));
    }

    @ParameterizedTest
    @EnumSource(PlacementSettings.Mode.class)
    void replicasAndServersComeInTheOrderOfTheHashes(PlacementSettings.Mode mode) {
        Placement placement = placement(mode, Map.of());
        OCTETS.forEach((guid, octets) -> {
            List<InetSocketAddress> servers = octets.stream().map(PlacementOrderTest::server).toList();
            assertThat(placement.replicas(guid)).extracting(Replica::number).containsExactly(0, 1, 2, 3, 4);
            assertThat(placement.replicas(guid))
                    .extracting(replica -> replica.server().orElseThrow())
                    .isEqualTo(servers);
            assertThat(placement.servers(guid)).containsExactlyElementsOf(servers);
            assertThat(placed(placement, guid)).isEqualTo(servers);
        });
    }

    /** Where hashes meet at one server it stands where the first of them led. */
    @ParameterizedTest
    @EnumSource(PlacementSettings.Mode.class)
    void aServerStandsWhereTheFirstHashLedToIt(PlacementSettings.Mode mode) {
        Placement placement = placement(mode, Map.of(0xd1, 0x85, 0xcc, 0xb8));
        Guid zeros = Guid.of(new byte[Guid.BYTES]);
        List<InetSocketAddress> servers = List.of(server(0xb8), server(0x85), server(0xad));
        assertThat(placement.servers(zeros)).containsExactlyElementsOf(servers);
        assertThat(placed(placement, zeros)).isEqualTo(servers);
    }
}
