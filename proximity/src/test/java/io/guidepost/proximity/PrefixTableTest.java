package io.guidepost.proximity;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables against a scan of all their prefixes. */
class PrefixTableTest {
    /** What a table should say: every prefix is looked at. */
    private static Optional<PrefixTable.Entry> scan(List<PrefixTable.Entry> entries, long high, long low) {
        Optional<PrefixTable.Entry> best = Optional.empty();
        for (PrefixTable.Entry each : entries) {
            boolean sameFamily = each.prefix().isIpv4() == Addresses.isIpv4(high, low);
            if (sameFamily
                    && each.prefix().contains(high, low)
                    && (best.isEmpty() || best.get().prefix().length() <= each.prefix().length())) {
                best = Optional.of(each);
            }
        }
        return best;
    }

    private static PrefixTable table(List<PrefixTable.Entry> entries) {
        Prefixes.Builder builder = Prefixes.builder();
        entries.forEach(each -> builder.add(each.prefix(), each.value()));
        return PrefixTable.of(builder.build());
    }

    private static void assertFinds(PrefixTable table, List<PrefixTable.Entry> entries, long high, long low) {
        Optional<PrefixTable.Entry> expected = scan(entries, high, low);
        int found = table.find(high, low);
        assertThat(found == PrefixTable.NONE ? Optional.empty() : Optional.of(table.value(found)))
                .as("value of %x:%x", high, low)
                .isEqualTo(expected.map(PrefixTable.Entry::value));
        assertThat(table.longest(high, low)).isEqualTo(expected.map(PrefixTable.Entry::prefix));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void findsTheLongestIpv4Prefix(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<PrefixTable.Entry> entries = new ArrayList<>();
        int count = random.nextInt(1, 300);
        // Few different first bits, so that blocks enclose each other and share bases.
        int spread = random.nextInt(1, 33);
        for (int i = 0; i < count; i++) {
            int base = random.nextInt() << (32 - spread) | random.nextInt(4) * 0x55;
            entries.add(new PrefixTable.Entry(Prefix.ofIpv4(base, random.nextInt(33)), random.nextInt(20) * 200_000_000L));
        }
        PrefixTable table = table(entries);
        for (int i = 0; i < 2_000; i++) {
            int address = random.nextInt();
            if (i % 2 == 0) {
                // At the edges of blocks: the last bits around a base or an end.
                Prefix near = entries.get(random.nextInt(count)).prefix();
                address = (int) near.low() + random.nextInt(-2, 3)
                        + (random.nextBoolean() ? (int) ~Addresses.lowMask(near.length()) : 0);
            }
            assertFinds(table, entries, Addresses.IPV4_HIGH, Addresses.ipv4Low(address));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void findsTheLongestIpv6Prefix(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<PrefixTable.Entry> entries = new ArrayList<>();
        int count = random.nextInt(1, 200);
        for (int i = 0; i < count; i++) {
            long high = 0x2001_0db8_0000_0000L | random.nextLong() & 0xffff_ffffL >>> random.nextInt(33);
            long low = random.nextLong() << random.nextInt(65);
            entries.add(new PrefixTable.Entry(new Prefix(high, low, random.nextInt(129)), random.nextInt(20)));
        }
        PrefixTable table = table(entries);
        for (int i = 0; i < 2_000; i++) {
            Prefix near = entries.get(random.nextInt(count)).prefix();
            boolean end = random.nextBoolean();
            long high = near.high() | (end ? ~Addresses.highMask(near.length()) : 0);
            long low = (near.low() | (end ? ~Addresses.lowMask(near.length()) : 0)) + random.nextInt(-2, 3);
            assertFinds(table, entries, i % 8 == 0 ? random.nextLong() : high, low);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void findsTheNearestAnnouncedAddress(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<PrefixTable.Entry> entries = new ArrayList<>();
        int count = random.nextInt(1, 60);
        for (int i = 0; i < count; i++) {
            entries.add(new PrefixTable.Entry(
                    Prefix.ofIpv4(random.nextInt() >>> random.nextInt(8), random.nextInt(4, 33)), i));
        }
        PrefixTable table = table(entries);
        for (int i = 0; i < 2_000; i++) {
            int address = random.nextInt() >>> random.nextInt(12);
            long least = Long.MAX_VALUE;
            for (PrefixTable.Entry each : entries) {
                // The least XOR with any address of a block: its own bits free, the shared ones not.
                long shared = (address ^ (int) each.prefix().low()) & (int) Addresses.lowMask(each.prefix().length());
                least = Math.min(least, shared & 0xffffffffL);
            }
            int nearest = table.nearestIpv4(address);
            assertThat((nearest ^ address) & 0xffffffffL).isEqualTo(least);
            assertThat(table.findIpv4(nearest)).isNotEqualTo(PrefixTable.NONE);
        }
    }

    @Test
    void anEmptyTableFindsNothing() {
        PrefixTable empty = PrefixTable.of(Prefixes.builder().build());
        assertThat(empty.findIpv4(0)).isEqualTo(PrefixTable.NONE);
        assertThat(empty.find(-1, -1)).isEqualTo(PrefixTable.NONE);
        assertThat(empty.nearestIpv4(7)).isEqualTo(7);
        assertThat(empty.longest(-1, -1)).isEmpty();
        assertThat(empty.size()).isZero();
        assertThat(empty.ipv4Share()).isZero();
    }

    @Test
    void wholeSpacesAndSingleAddressesArePrefixes() throws Exception {
        List<PrefixTable.Entry> entries = new ArrayList<>();
        for (String text : List.of("0.0.0.0/0", "255.255.255.255/32", "0.0.0.0/32", "::/0", "ffff::/128",
                "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffc/126",
                "2001:db8::/63", "2001:db8::/64", "2001:db8::/65", "2001:db8::/124", "2001:db8::4/125")) {
            entries.add(new PrefixTable.Entry(Prefix.parse(text), entries.size()));
        }
        PrefixTable table = table(entries);
        for (int tail = -9; tail <= 9; tail++) {
            assertFinds(table, entries, Addresses.IPV4_HIGH, Addresses.ipv4Low(tail));
            assertFinds(table, entries, -1, tail);
            assertFinds(table, entries, 0xffff_0000_0000_0000L, tail);
            assertFinds(table, entries, 0x2001_0db8_0000_0000L, tail);
            assertFinds(table, entries, 0x2001_0db8_0000_0001L, tail);
        }
        assertThat(table.ipv4Share()).isEqualTo(1.0);
    }

    @Test
    void entriesComeSortedAndTheLaterOfTwoCounts() throws Exception {
        PrefixTable table = table(List.of(
                new PrefixTable.Entry(Prefix.parse("200.0.0.0/8"), 1),
                new PrefixTable.Entry(Prefix.parse("10.1.0.0/16"), 2),
                new PrefixTable.Entry(Prefix.parse("2001:db8::/32"), 3),
                new PrefixTable.Entry(Prefix.parse("10.0.0.0/8"), 4),
                new PrefixTable.Entry(Prefix.parse("10.1.0.0/16"), 0xffffffffL)));
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < table.size(); i++) {
            entries.add(table.entry(i).prefix() + " " + table.entry(i).value());
        }
        assertThat(entries)
                .containsExactly("10.0.0.0/8 4", "10.1.0.0/16 4294967295", "200.0.0.0/8 1", "2001:db8::/32 3");
        assertThat(table.ipv4Share()).isEqualTo(2.0 / 256);
        assertThat(table.classes()).isEqualTo(4);
    }

    @Test
    void aPartOfATableHasThoseValuesAlone() throws Exception {
        PrefixTable some = table(List.of(
                        new PrefixTable.Entry(Prefix.parse("10.0.0.0/8"), 1),
                        new PrefixTable.Entry(Prefix.parse("10.1.0.0/16"), 2)))
                .only(value -> value == 1);
        assertThat(some.size()).isEqualTo(1);
        assertThat(some.value(some.findIpv4(0x0a010000))).isEqualTo(1);
    }
}
