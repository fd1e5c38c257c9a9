package io.guidepost.proximity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Prefix;
import org.junit.jupiter.api.Test;

/** Invented tables against the counts of the real one. */
class PrefixTableGeneratorTest {
    @Test
    void aWholeTableIsLikeTheRealOne() {
        PrefixTable table = PrefixTable.of(
                PrefixTableGenerator.generate(1, PrefixTableGenerator.PREFIXES, PrefixTableGenerator.ASES));
        assertThat(table.size()).isEqualTo(306_388);
        assertThat(table.ipv4Share()).isBetween(0.47, 0.54);
        assertThat(table.classes()).isBetween(20_000, 26_424);
        int nested = -1;
        Prefix outermost = table.entry(0).prefix();
        for (int i = 0; i < table.size(); i++) {
            Prefix prefix = table.entry(i).prefix();
            if (outermost.contains(prefix.high(), prefix.low())) {
                nested++;
            } else {
                outermost = prefix;
            }
        }
        // In the real table 153,138 prefixes lie inside others.
        assertThat(nested).isBetween(140_000, 165_000);
    }

    @Test
    void oneSeedGivesOneTable() throws Exception {
        String first = PrefixTableFileTest.text(PrefixTable.of(PrefixTableGenerator.generate(5, 2_000, 100)));
        String second = PrefixTableFileTest.text(PrefixTable.of(PrefixTableGenerator.generate(5, 2_000, 100)));
        String other = PrefixTableFileTest.text(PrefixTable.of(PrefixTableGenerator.generate(6, 2_000, 100)));
        assertThat(first).isEqualTo(second);
        assertThat(first).isNotEqualTo(other);
        assertThat(first.lines().count()).isBetween(1_980L, 2_020L);
    }

    @Test
    void whatCannotBeInventedIsSaid() {
        assertThatThrownBy(() -> PrefixTableGenerator.generate(1, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PrefixTableGenerator.generate(1, 1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
