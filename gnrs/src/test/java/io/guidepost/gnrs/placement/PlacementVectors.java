package io.guidepost.gnrs.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.names.Guid;
import io.guidepost.proximity.Prefixes;
import java.util.HexFormat;
import java.util.List;

/** Where the Java server of 2014, with its table of 306,388 prefixes, sent three GUIDs, and which blocks contain their addresses. */
final class PlacementVectors {
    private static final long HOLE = -1;

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

    /** A block for each of their addresses and ASes: one that contains it, or, in a hole or where another is nearer by XOR, one beside. */
    private static final String SMALL_TABLE = """
            234.148.172.0/24 18391
            228.88.193.0/24 8513
            180.131.64.0/19 9371
            90.77.198.0/24 28708
            95.79.200.0/22 42682
            50.246.229.0/24 11798
            82.94.0.0/16 3265
            94.80.0.0/16 3269
            137.112.0.0/16 32703
            44.0.0.0/8 7377
            44.180.87.0/24 28748
            184.8.0.0/13 5650
            184.13.228.0/24 7011
            133.65.0.0/16 2907
            173.20.0.0/16 6478
            209.219.0.0/16 19029
            204.0.0.0/14 2914
            204.3.58.0/24 174
            """;

    private PlacementVectors() {}

    /** Returns a table in which they hold, though most of its blocks are made up. */
    static Prefixes smallTable() throws Malformed {
        Prefixes.Builder builder = Prefixes.builder();
        for (String line : SMALL_TABLE.lines().toList()) {
            int space = line.indexOf(' ');
            builder.add(Prefix.parse(line.substring(0, space)), Long.parseLong(line.substring(space + 1)));
        }
        return builder.build();
    }

    static void assertHold(Placement compatible, Placement dmap) {
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
}
