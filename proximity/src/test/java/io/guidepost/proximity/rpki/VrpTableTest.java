package io.guidepost.proximity.rpki;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class VrpTableTest {
    private static Vrp vrp(String prefix, int maxLength, long as) throws Malformed {
        Prefix parsed = Prefix.parse(prefix);
        return new Vrp(parsed, maxLength + (parsed.isIpv4() ? Prefix.IPV4_BITS_BEFORE : 0), as);
    }

    private static OriginValidity validate(VrpTable table, String prefix, long as) throws Malformed {
        return table.validate(Prefix.parse(prefix), as);
    }

    @Test
    void originsAreValidatedAsInRfc6811() throws Malformed {
        VrpTable table = VrpTable.of(List.of(
                vrp("192.0.2.0/24", 24, 64500),
                vrp("198.51.0.0/16", 20, 64501),
                vrp("198.51.100.0/24", 24, 64502),
                vrp("203.0.113.0/24", 32, 0),
                vrp("2001:db8::/32", 48, 4_200_000_000L)));
        assertThat(validate(table, "192.0.2.0/24", 64500)).isEqualTo(OriginValidity.VALID);
        assertThat(validate(table, "192.0.2.0/24", 64501)).isEqualTo(OriginValidity.INVALID);
        assertThat(validate(table, "192.0.2.0/25", 64500)).as("longer than allowed").isEqualTo(OriginValidity.INVALID);
        assertThat(validate(table, "192.0.0.0/16", 64500)).as("not covered").isEqualTo(OriginValidity.NOT_FOUND);
        assertThat(validate(table, "198.51.16.0/20", 64501)).isEqualTo(OriginValidity.VALID);
        assertThat(validate(table, "198.51.100.0/24", 64502)).isEqualTo(OriginValidity.VALID);
        assertThat(validate(table, "198.51.100.0/24", 64501)).as("no VRP of 64501 allows /24").isEqualTo(OriginValidity.INVALID);
        assertThat(validate(table, "203.0.113.0/24", 0)).as("AS 0 makes nothing valid").isEqualTo(OriginValidity.INVALID);
        assertThat(validate(table, "192.0.2.0/24", 0)).as("a set has no origin").isEqualTo(OriginValidity.INVALID);
        assertThat(validate(table, "2001:db8:7::/48", 4_200_000_000L)).isEqualTo(OriginValidity.VALID);
        assertThat(validate(table, "2001:db8:7:1::/64", 4_200_000_000L)).isEqualTo(OriginValidity.INVALID);
        assertThat(validate(table, "2001:db9::/32", 4_200_000_000L)).isEqualTo(OriginValidity.NOT_FOUND);
        assertThat(table.size()).isEqualTo(5);
        assertThat(table.ipv4()).isEqualTo(4);
    }

    @Test
    void theFamiliesDoNotCoverEachOther() throws Malformed {
        VrpTable table = VrpTable.of(List.of(vrp("::/0", 128, 1), vrp("2001:db8::/32", 32, 1)));
        assertThat(validate(table, "192.0.2.0/24", 2)).isEqualTo(OriginValidity.NOT_FOUND);
        assertThat(validate(table, "2001:db9::/32", 2)).isEqualTo(OriginValidity.INVALID);
    }

    @Test
    void whatSeveralCachesTellCountsTogether() throws Malformed {
        VrpTable one = VrpTable.of(List.of(vrp("192.0.2.0/24", 24, 1), vrp("10.0.0.0/8", 8, 1)));
        VrpTable two = VrpTable.of(List.of(vrp("192.0.2.0/24", 24, 1), vrp("192.0.2.0/24", 24, 2)));
        VrpTable both = VrpTable.union(List.of(one, VrpTable.EMPTY, two));
        assertThat(both.size()).isEqualTo(3);
        assertThat(validate(both, "192.0.2.0/24", 1)).isEqualTo(OriginValidity.VALID);
        assertThat(validate(both, "192.0.2.0/24", 2)).isEqualTo(OriginValidity.VALID);
        assertThat(VrpTable.union(List.of(one, VrpTable.EMPTY))).isSameAs(one);
    }

    /** Addresses of few bits, so that blocks lie within each other often. */
    private static Prefix random(SplittableRandom random) {
        return random.nextBoolean()
                ? Prefix.ofIpv4(random.nextInt(16) << 28 | random.nextInt(4) << 20, random.nextInt(33))
                : new Prefix((long) random.nextInt(8) << 61 | (long) random.nextInt(4) << 40, random.nextInt(3), random.nextInt(129));
    }

    @Test
    void itAnswersAsAListThatIsReadThrough() {
        SplittableRandom random = new SplittableRandom(8210);
        for (int round = 0; round < 200; round++) {
            Map<Vrp, Boolean> all = new HashMap<>();
            for (int i = random.nextInt(60); i > 0; i--) {
                Prefix prefix = random(random);
                all.put(new Vrp(prefix, random.nextInt(prefix.length(), 129), random.nextInt(4)), random.nextInt(4) > 0);
            }
            List<Vrp> kept = all.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey).toList();
            VrpTable table = VrpTable.of(all.keySet()).with(all);
            List<Vrp> told = new ArrayList<>();
            table.forEach(told::add);
            assertThat(told).containsExactlyInAnyOrderElementsOf(kept).isSorted();
            for (Vrp each : all.keySet()) {
                assertThat(table.contains(each)).as(each.toString()).isEqualTo(kept.contains(each));
            }
            for (int i = 0; i < 200; i++) {
                Prefix prefix = random(random);
                long origin = random.nextInt(4);
                List<Vrp> covering = kept.stream()
                        .filter(each -> each.prefix().isIpv4() == prefix.isIpv4()
                                && each.prefix().length() <= prefix.length()
                                && each.prefix().contains(prefix.high(), prefix.low()))
                        .toList();
                boolean valid = origin != 0
                        && covering.stream().anyMatch(each -> each.as() == origin && prefix.length() <= each.maxLength());
                assertThat(table.validate(prefix, origin)).as(prefix + " of " + origin + " in " + kept).isEqualTo(
                        covering.isEmpty() ? OriginValidity.NOT_FOUND : valid ? OriginValidity.VALID : OriginValidity.INVALID);
            }
        }
    }
}
