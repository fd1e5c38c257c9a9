package io.guidepost.scaffold.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AntiReplayWindowTest {
    /** Against a set of all that was taken. */
    @Test
    void eachNumberIsTakenOnce() {
        for (int seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            AntiReplayWindow window = new AntiReplayWindow(2);
            Set<Long> taken = new HashSet<>();
            long highest = -1;
            long centre = 0;
            for (int i = 0; i < 2_000; i++) {
                centre += random.nextInt(20) == 0 ? random.nextInt(200) : random.nextInt(2);
                long number = Math.max(0, centre + random.nextInt(-80, 3));
                boolean expected = highest - number < 64 && !taken.contains(number);
                assertThat(window.isNew(number)).isEqualTo(expected);
                assertThat(window.take(number)).isEqualTo(expected);
                if (expected) {
                    taken.add(number);
                    highest = Math.max(highest, number);
                }
            }
        }
    }

    @Test
    void goesToTheLastNumber() {
        AntiReplayWindow window = new AntiReplayWindow(2);

        assertThat(window.take(0xffff_ffffL)).isTrue();
        assertThat(window.take(0xffff_ffffL)).isFalse();
        assertThat(window.take(0xffff_ffffL - 63)).isTrue();
        assertThat(window.take(0xffff_ffffL - 64)).isFalse();
        assertThat(window.take(0)).isFalse();
    }
}
