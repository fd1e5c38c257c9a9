package io.guidepost.gnrs.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounds of options where they are made. */
class GnrsOptionTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "127, 255"})
    void numbersAndLengthsThatFitAreTaken(int code, int length) {
        assertThat(new GnrsOption(code, new byte[length]).value()).hasSize(length);
    }

    @ParameterizedTest
    @CsvSource({"-1, 0", "128, 0", "0, 256"})
    void numbersAndLengthsThatDoNotFitAreRefused(int code, int length) {
        assertThatIllegalArgumentException().isThrownBy(() -> new GnrsOption(code, new byte[length]));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0xff, 0x100, 0xffff})
    void anAnswerMayHaveSoManyBytes(int bytes) {
        assertThat(GnrsOption.accept(bytes).number16()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0x1_0000})
    void anAnswerMayNotHaveSoManyBytes(int bytes) {
        assertThatIllegalArgumentException().isThrownBy(() -> GnrsOption.accept(bytes));
    }

    @Test
    void numbersAreReadAsTheyWereWritten() {
        assertThat(GnrsOption.partial(0x1234_5678).number32()).isEqualTo(0x1234_5678);
        assertThat(new GnrsOption(GnrsOptionType.REASON.code(), new byte[] {(byte) 0xfe}).number8()).isEqualTo(0xfe);
        assertThat(GnrsOption.accept().number16()).isZero();
    }

    /** As an option has a header, one byte cannot be added alone. */
    @Test
    void paddingIsAsLongAsIsWanted() {
        for (int wanted = 0; wanted <= 1000; wanted++) {
            int length = 0;
            for (GnrsOption each : GnrsOption.padding(wanted)) {
                length += GnrsWire.OPTION_HEADER_BYTES + each.value().length;
            }
            assertThat(length).as("for %d", wanted).isEqualTo(wanted % 129 == 1 ? wanted + 1 : wanted);
        }
    }

    @Test
    void optionsAreEqualByNumberAndValue() {
        GnrsOption option = new GnrsOption(0x61, new byte[] {35, 40});
        GnrsOption same = GnrsOption.accept(35 << 8 | 40);
        assertThat(option).isEqualTo(same).hasSameHashCodeAs(same).hasToString("ACCEPT=2328");
        List<GnrsOption> others =
                List.of(new GnrsOption(0x62, option.value()), new GnrsOption(0x61, new byte[] {35}), GnrsOption.accept());
        assertThat(others).doesNotContain(option);
        assertThat(others).extracting(GnrsOption::hashCode).doesNotContain(option.hashCode());
        assertThat(new GnrsOption(51, new byte[] {7})).hasToString("option 51=07");
    }
}
