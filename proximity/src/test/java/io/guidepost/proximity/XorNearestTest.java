package io.guidepost.proximity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The nearest key against a scan of all keys. */
class XorNearestTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10, 100, 5_000})
    void findsWhatAScanFinds(int count) {
        SplittableRandom random = new SplittableRandom(count);
        for (int spread = 0; spread < 32; spread += 5) {
            int shift = spread;
            int[] keys = IntStream.generate(() -> random.nextInt() << shift >>> random.nextInt(3))
                    .limit(count)
                    .map(key -> key ^ Integer.MIN_VALUE)
                    .sorted()
                    .distinct()
                    .map(key -> key ^ Integer.MIN_VALUE)
                    .toArray();
            XorNearest nearest = XorNearest.of(keys);
            for (int i = 0; i < 500; i++) {
                int address = i % 2 == 0 ? random.nextInt() : keys[random.nextInt(keys.length)] ^ 1 << random.nextInt(32);
                assertThat(nearest.key(nearest.find(address))).isEqualTo(scan(keys, address));
            }
        }
    }

    private static int scan(int[] keys, int address) {
        int best = keys[0];
        for (int key : keys) {
            best = Integer.compareUnsigned(key ^ address, best ^ address) < 0 ? key : best;
        }
        return best;
    }

    @Test
    void thereMayBeNoKeys() {
        assertThat(XorNearest.of(new int[0]).find(7)).isEqualTo(-1);
    }

    @Test
    void keysMustRise() {
        assertThatThrownBy(() -> XorNearest.of(new int[] {-1, 1})).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> XorNearest.of(new int[] {1, 1})).isInstanceOf(IllegalArgumentException.class);
    }
}
