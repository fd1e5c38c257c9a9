package io.guidepost.scaffold.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LabelTest {
    @Test
    void isAnAddressOrderedFromCoarseToFine() throws Malformed {
        Label label = new Label(0x12_3456_789aL, 0xbcde, 0x0f01_2345, 0x6789_abcd);

        assertThat(label).hasToString("fd12:3456:789a:bcde:f01:2345:6789:abcd");
        assertThat(Label.parse("fd12:3456:789a:bcde:f01:2345:6789:abcd")).isEqualTo(label);
    }

    @Test
    void everyLabelIsReadAsWritten() throws Malformed {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 10_000; i++) {
            Label label = new Label(random.nextLong() >>> 24, random.nextInt() >>> 16, random.nextInt(), random.nextInt());
            assertThat(Label.isLabel(label.high())).isTrue();
            assertThat(Label.of(label.high(), label.low())).isEqualTo(label);
            assertThat(Label.parse(label.toString())).isEqualTo(label);
        }
    }

    @Test
    void otherAddressesAreNone() {
        assertThatThrownBy(() -> Label.parse("2001:db8::1")).hasMessageContaining("begins with the byte fd");
        assertThatThrownBy(() -> Label.parse("192.0.2.1")).isInstanceOf(Malformed.class);
        assertThatThrownBy(() -> Label.parse("fd00::g")).hasMessageContaining("'fd00::g' is not an IPv6 address");
        assertThatThrownBy(() -> new Label(1L << 40, 0, 0, 0)).hasMessageContaining("40 bits");
        assertThatThrownBy(() -> new Label(0, 1 << 16, 0, 0)).hasMessageContaining("16");
    }
}
