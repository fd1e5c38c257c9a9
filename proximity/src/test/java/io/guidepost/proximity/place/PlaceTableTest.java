package io.guidepost.proximity.place;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Address;
import io.guidepost.base.Addresses;
import io.guidepost.base.FaultyFile;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.PrefixTable;
import io.guidepost.proximity.PrefixTestData;
import io.guidepost.proximity.Prefixes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of places, edited again and again, against a scan of what they should hold. */
class PlaceTableTest {
    private static int scan(Map<Prefix, Integer> prefixes, long high, long low) {
        int place = PlaceTable.NOWHERE;
        int longest = -1;
        for (Map.Entry<Prefix, Integer> each : prefixes.entrySet()) {
            Prefix prefix = each.getKey();
            boolean sameFamily = prefix.isIpv4() == Addresses.isIpv4(high, low);
            if (sameFamily && prefix.length() > longest && prefix.contains(high, low)) {
                place = each.getValue();
                longest = prefix.length();
            }
        }
        return place;
    }

    /**
     * With few places there is room for all; near 65,535 blocks and places meet in pages, in the base, or in both, and above
     * tries take over.
     */
    @ParameterizedTest
    @ValueSource(ints = {20, 65_200, 65_400, 65_530, 65_535, 100_000})
    void findsWhatAScanFinds(int placeMax) {
        SplittableRandom random = new SplittableRandom(placeMax);
        Map<Prefix, Integer> prefixes = new HashMap<>();
        PlaceTable table = PlaceTable.EMPTY;
        for (int round = 0; round < 12; round++) {
            PlaceTableEdit edit = table.edit();
            int highest = round < 4 ? 20 : placeMax;
            for (int i = random.nextInt(1, 400); i > 0; i--) {
                Prefix prefix = prefix(random);
                if (random.nextInt(4) == 0) {
                    edit.remove(prefix);
                    prefixes.remove(prefix);
                } else {
                    int place = 1 + random.nextInt(highest);
                    edit.put(prefix, place, place);
                    prefixes.put(prefix, place);
                }
            }
            table = edit.build();
            assertThat(table.size()).isEqualTo(prefixes.size());
            check(table, prefixes, random);
            check(table.settled(), prefixes, random);
            table = round % 5 == 4 ? table.settled() : table;
        }
        Map<Prefix, Integer> told = new HashMap<>();
        table.forEach(told::put);
        assertThat(told).isEqualTo(prefixes);
    }

    private static void check(PlaceTable table, Map<Prefix, Integer> prefixes, SplittableRandom random) {
        for (int i = 0; i < 300; i++) {
            Prefix near = prefix(random);
            long high = near.high();
            long low = near.low() | (near.isIpv4() ? random.nextInt(256) : random.nextInt());
            assertThat(table.find(high, low)).as("place of %s", near).isEqualTo(scan(prefixes, high, low));
        }
    }

    /** Spread over half of the pages, so that a base is worth while, and often inside each other. */
    private static Prefix prefix(SplittableRandom random) {
        if (random.nextInt(5) == 0) {
            return new Prefix(0x2001000000000000L | random.nextInt(8), random.nextLong(), 40 + random.nextInt(89));
        }
        int base = random.nextInt(512) << 23 | random.nextInt(4) << 8 | random.nextInt(256);
        return Prefix.ofIpv4(base, random.nextInt(10) == 0 ? random.nextInt(20) : 20 + random.nextInt(13));
    }

    /** IPv6 prefixes of all lengths inside each other, in few places of the space, so that nodes of all depths are cut. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void findsWhatAScanFindsInIpv6(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<Prefix, Integer> prefixes = new HashMap<>();
        PlaceTable table = PlaceTable.EMPTY;
        for (int round = 0; round < 12; round++) {
            PlaceTableEdit edit = table.edit();
            for (int i = random.nextInt(1, 100); i > 0; i--) {
                Prefix prefix = ipv6(random, random.nextInt(129));
                if (random.nextInt(4) == 0) {
                    edit.remove(prefix);
                    prefixes.remove(prefix);
                } else {
                    int place = 1 + random.nextInt(1_000_000);
                    edit.put(prefix, place, place);
                    prefixes.put(prefix, place);
                }
            }
            table = edit.build();
            for (int i = 0; i < 500; i++) {
                Prefix host = ipv6(random, 128);
                assertThat(table.find(host.high(), host.low()))
                        .as("place of %s", host)
                        .isEqualTo(scan(prefixes, host.high(), host.low()));
            }
        }
    }

    /** Bytes are 0, 255 or of a few bits, so that addresses have beginnings in common, and ends of nodes are met. */
    private static Prefix ipv6(SplittableRandom random, int length) {
        long[] halves = {0x20L << 56, 0};
        for (int i = 1; i < 16; i++) {
            long one = random.nextInt(3) == 0 ? 0 : random.nextInt(3) == 0 ? 255 : 1L << random.nextInt(8);
            halves[i / 8] |= one << 56 - 8 * (i % 8);
        }
        return new Prefix(halves[0], halves[1], length);
    }

    @Test
    void eachSlash24OfAPageMayBeCut() {
        PlaceTableEdit edit = PlaceTable.EMPTY.edit();
        for (int i = 0; i < 1 << 14; i++) {
            edit.put(Prefix.ofIpv4(10 << 24 | i << 8, 25), 1, 0);
            edit.put(Prefix.ofIpv4(10 << 24 | i << 8 | 128, 25), 2 + i, 0);
        }
        PlaceTable table = edit.build();
        for (int i = 0; i < 1 << 14; i++) {
            assertThat(table.findIpv4(10 << 24 | i << 8 | 5)).isEqualTo(1);
            assertThat(table.findIpv4(10 << 24 | i << 8 | 200)).isEqualTo(2 + i);
        }
    }

    @Test
    void aSnapshotStaysAsItWas() {
        PlaceTableEdit edit = PlaceTable.EMPTY.edit();
        for (int i = 0; i < 1_024; i++) {
            edit.put(Prefix.ofIpv4(i << 22, 24), 1, 0);
        }
        PlaceTable first = edit.build();
        PlaceTableEdit more = first.edit();
        for (int i = 0; i < 1_024; i += 2) {
            more.put(Prefix.ofIpv4(i << 22, 25), 2, 0);
        }
        PlaceTable second = more.build();
        for (int i = 0; i < 1_024; i++) {
            assertThat(first.findIpv4(i << 22)).isEqualTo(1);
            assertThat(second.findIpv4(i << 22)).isEqualTo(i % 2 == 0 ? 2 : 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 100_000})
    void loopBacksCountWhereNoPrefixIs(int placeMax) {
        PlaceTableEdit edit = PlaceTable.EMPTY.edit();
        edit.put(Prefix.ofIpv4(99 << 24, 8), placeMax, 0);
        edit.put(Prefix.ofIpv4(10 << 24, 8), 1, 0);
        Address covered = Address.ofIpv4(10 << 24 | 5);
        Address open = Address.ofIpv4(11 << 24 | 5);
        Address six = new Address(0x20010db800000000L, 1);
        Address low = new Address(0, 1);
        edit.loopBacks(List.of(six, open, covered, low), new int[] {2, 3, 4, 5});
        PlaceTable table = edit.build();
        assertThat(table.findIpv4(covered.ipv4())).isEqualTo(1);
        assertThat(table.findIpv4(open.ipv4())).isEqualTo(3);
        assertThat(table.findIpv4(open.ipv4() + 1)).isEqualTo(PlaceTable.NOWHERE);
        assertThat(table.find(six.high(), six.low())).isEqualTo(2);
        assertThat(table.find(0, 1)).isEqualTo(5);
        PlaceTableEdit uncover = table.edit();
        uncover.remove(Prefix.ofIpv4(10 << 24, 8));
        assertThat(uncover.build().findIpv4(covered.ipv4())).isEqualTo(4);
        PlaceTableEdit without = table.edit();
        without.loopBacks(List.of(covered), new int[] {4});
        assertThat(without.build().findIpv4(open.ipv4())).isEqualTo(PlaceTable.NOWHERE);
        assertThat(without.build().find(six.high(), six.low())).isEqualTo(PlaceTable.NOWHERE);
    }

    /** A million real prefixes: all that a poptrie of them says. */
    @Test
    void agreesWithThePrefixTableOnARealTable() throws IOException, FaultyFile, io.guidepost.base.Malformed {
        List<Prefix> prefixes = new ArrayList<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(PrefixTestData.file("prefixes-1062k.txt.gz"))), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank() && line.charAt(0) != '#') {
                    prefixes.add(Prefix.parse(line.strip()));
                }
            }
        }
        PlaceTableEdit edit = PlaceTable.EMPTY.edit();
        Prefixes.Builder builder = Prefixes.builder();
        for (int i = 0; i < prefixes.size(); i++) {
            int place = 1 + (prefixes.get(i).hashCode() >>> 8) % 300;
            edit.put(prefixes.get(i), place, 0);
            builder.add(prefixes.get(i), place);
        }
        PlaceTable table = edit.build();
        PrefixTable expected = PrefixTable.of(builder.build());
        assertThat(table.size()).isEqualTo(expected.size()).isEqualTo(1_062_046);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1_000_000; i++) {
            Prefix prefix = prefixes.get(random.nextInt(prefixes.size()));
            long low = prefix.low() | (prefix.isIpv4() ? random.nextInt() & 0xffL : random.nextInt());
            int found = expected.find(prefix.high(), low);
            if (table.find(prefix.high(), low) != (found == PrefixTable.NONE ? 0 : (int) expected.value(found))) {
                throw new AssertionError("place of an address in " + prefix);
            }
        }
    }
}
