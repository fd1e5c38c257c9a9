package io.guidepost.middlebox.nat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MappingIndexTest {
    private final MappingIndex index = new MappingIndex(8);

    private int find(int hash) {
        int at = index.home(hash);
        for (long row = index.row(at); row != 0; row = index.row(at)) {
            if (MappingIndex.hash(row) == hash) {
                return MappingIndex.mapping(row);
            }
            at = index.after(at);
        }
        return NatTable.NONE;
    }

    @Test
    void aReaderThatAnEntryMovesPastIsTold() {
        // Three that begin in the last row, so that two of them stand in the first ones.
        int last = 15;
        for (int i = 0; i < 3; i++) {
            index.add(last + 16 * i, i);
        }
        int before = index.moves();
        int second = index.after(index.home(last));
        assertThat(index.isStill(before)).isTrue();
        index.remove(last, 0);
        // The reader of the third was at the second row, and goes on.
        assertThat(index.row(index.after(second))).isZero();
        assertThat(index.isStill(before)).isFalse();
        assertThat(find(last + 32)).isEqualTo(2);
        assertThat(find(last + 16)).isEqualTo(1);
        assertThat(find(last)).isEqualTo(NatTable.NONE);
        assertThat(index.isStill(index.moves())).isTrue();
    }

    @Test
    void anEntryDoesNotMoveBeforeItsHome() {
        index.add(3, 0);
        index.add(3 + 16, 1);
        index.add(5, 2);
        index.add(4, 3);
        index.remove(3, 0);
        assertThat(find(3 + 16)).isEqualTo(1);
        assertThat(find(5)).isEqualTo(2);
        assertThat(find(4)).isEqualTo(3);
    }
}
