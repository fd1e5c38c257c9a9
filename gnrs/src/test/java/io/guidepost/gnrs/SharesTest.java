package io.guidepost.gnrs;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.names.Exchange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SharesTest {
    /** The table of the class's Javadoc: so many that take all they get leave so much to others. */
    @ParameterizedTest
    @CsvSource({"1, 3072, 1024", "2, 1755, 585", "10, 396, 132", "100, 40, 13"})
    void greedyHoldersLeaveRoom(int greedy, int each, int left) {
        Shares shares = new Shares(4096, 3, 42);
        for (boolean more = true; more; ) {
            more = false;
            for (int i = 0; i < greedy; i++) {
                more |= shares.enter(i);
            }
        }
        assertThat(4096 - shares.taken()).isBetween(left - greedy / 10 - 2, left + 2);
        assertThat(shares.taken() / greedy).isBetween(each - 1, each + 1);
        assertThat(shares.full()).isFalse();
        assertThat(shares.enter(greedy + 1)).isTrue();
    }

    @Test
    void theSmallestTableHasAPlace() {
        Shares shares = new Shares(1, 3, 42);
        assertThat(shares.enter(7)).isTrue();
        assertThat(shares.full()).isTrue();
        assertThat(shares.enter(8)).isFalse();
        shares.leave(7);
        assertThat(shares.enter(8)).isTrue();
    }

    /** What is scarce elsewhere counts as the places do. */
    @Test
    void aShareIsOfWhatIsScarcest() {
        Shares shares = new Shares(4096, 3, 42);
        for (int i = 0; i < 30; i++) {
            assertThat(shares.enter(1, 10)).isTrue();
        }
        assertThat(shares.enter(1, 10)).isFalse();
        assertThat(shares.enter(2, 10)).isTrue();
        assertThat(shares.enter(3, 0)).isFalse();
    }

    /** Against counts in a map: never more than the table, never refused below the share when alone in its cells. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void countsAsAMapDoes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int max = 1 + random.nextInt(300);
        Shares shares = new Shares(max, 3, random.nextLong());
        Map<Long, Integer> model = new HashMap<>();
        List<Long> inside = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            if (random.nextInt(100) < 55) {
                // A few holders, so that sharing a cell with another in both rows is as good as impossible.
                long holder = random.nextInt(1 + random.nextInt(8));
                int held = model.getOrDefault(holder, 0);
                boolean may = inside.size() < max && held < 3 * (max - inside.size());
                assertThat(shares.enter(holder)).as("seed %d, step %d", seed, step).isEqualTo(may);
                if (may) {
                    model.merge(holder, 1, Integer::sum);
                    inside.add(holder);
                }
            } else if (!inside.isEmpty()) {
                long holder = inside.remove(random.nextInt(inside.size()));
                model.merge(holder, -1, Integer::sum);
                shares.leave(holder);
            }
            assertThat(shares.taken()).isEqualTo(inside.size());
        }
    }

    @Test
    void networksAreToldApart() {
        long home = v4(192, 0, 2, 1);
        assertThat(home).isEqualTo(v4(192, 0, 2, 255)).isNotEqualTo(v4(192, 0, 3, 1));
        long six = SourcePrefix.of(0x2001_0db8_0000_01aaL, 1);
        assertThat(six)
                .isEqualTo(SourcePrefix.of(0x2001_0db8_0000_01ffL, 99))
                .isNotEqualTo(SourcePrefix.of(0x2001_0db8_0000_02aaL, 1));
        // The IPv6 network whose number is that of an IPv4 network.
        assertThat(SourcePrefix.of(home << 8, 0)).isNotEqualTo(home);
    }

    private static long v4(int a, int b, int c, int d) {
        return SourcePrefix.of(Exchange.IPV4_HIGH, Exchange.ipv4Low(a << 24 | b << 16 | c << 8 | d));
    }
}
