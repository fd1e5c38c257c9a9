package io.guidepost.gnrs.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which requests for one name may be under way together. */
class PerKeyOrderingTest {
    private final PerKeyOrdering<String, Integer> lanes = new PerKeyOrdering<>();

    @Test
    void lookUpsDoNotWaitForEachOther() {
        assertThat(lanes.enter("a", 1, false)).isTrue();
        assertThat(lanes.enter("a", 2, false)).isTrue();
        assertThat(lanes.leave("a")).isEmpty();
        assertThat(lanes.leave("a")).isEmpty();
    }

    @Test
    void aWriteWaitsAndIsWaitedFor() {
        assertThat(lanes.enter("a", 1, false)).isTrue();
        assertThat(lanes.enter("a", 2, true)).isFalse();
        assertThat(lanes.enter("a", 3, false)).isFalse();
        assertThat(lanes.enter("a", 4, false)).isFalse();
        assertThat(lanes.enter("a", 5, true)).isFalse();
        assertThat(lanes.leave("a")).containsExactly(2);
        assertThat(lanes.enter("a", 6, false)).isFalse();
        assertThat(lanes.leave("a")).containsExactly(3, 4);
        assertThat(lanes.leave("a")).isEmpty();
        assertThat(lanes.leave("a")).containsExactly(5);
        assertThat(lanes.leave("a")).containsExactly(6);
        assertThat(lanes.leave("a")).isEmpty();
        assertThat(lanes.enter("a", 7, true)).isTrue();
    }

    @Test
    void otherNamesDoNotMatter() {
        assertThat(lanes.enter("a", 1, true)).isTrue();
        assertThat(lanes.enter("b", 2, true)).isTrue();
    }
}
