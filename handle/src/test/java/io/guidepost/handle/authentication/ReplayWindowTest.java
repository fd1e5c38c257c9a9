package io.guidepost.handle.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Numbers of messages: each once, in nearly any order. */
class ReplayWindowTest {
    private final ReplayWindow window = new ReplayWindow();

    @Test
    void aNumberIsUsedOnce() {
        assertThat(window.use(1)).isTrue();
        assertThat(window.use(1)).isFalse();
        assertThat(window.use(3)).isTrue();
        assertThat(window.use(2)).isTrue();
        assertThat(window.use(2)).isFalse();
        assertThat(window.use(0)).isTrue();
    }

    @Test
    void whatIsFarBehindIsRefused() {
        assertThat(window.use(200_000)).isTrue();
        assertThat(window.use(200_000 - 64_000)).isTrue();
        assertThat(window.use(200_000 - 64_000)).isFalse();
        assertThat(window.use(200_000 - 66_000)).isFalse();
        assertThat(window.use(1)).isFalse();
    }

    @Test
    void numbersHaveNoSign() {
        assertThat(window.use(-1)).isTrue();
        assertThat(window.use(-1)).isFalse();
        assertThat(window.use(-2)).isTrue();
        assertThat(window.use(Integer.MAX_VALUE)).isFalse();
    }

    @Test
    void itSaysWhatASetOfAllNumbersSays() {
        SplittableRandom random = new SplittableRandom(58);
        Set<Integer> used = new HashSet<>();
        int highest = 0;
        int fresh = 0;
        for (int i = 0; i < 500_000; i++) {
            int step = random.nextInt(1000) == 0 ? random.nextInt(200_000) : random.nextInt(5);
            int number = Math.max(0, highest + step - random.nextInt(random.nextInt(10) == 0 ? 70_000 : 20));
            boolean taken = window.use(number);
            highest = Math.max(highest, number);
            if (number > highest - 64_512) {
                assertThat(taken).isEqualTo(used.add(number));
                fresh += taken ? 1 : 0;
            } else if (taken) {
                assertThat(used.add(number)).isTrue();
            }
        }
        assertThat(fresh).isGreaterThan(100_000);
    }
}
