package io.guidepost.handle.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The tables: numbers, flags, versions. */
class MessageTablesTest {
    @Test
    void numbersAreFoundAndDiffer() {
        Set<Integer> numbers = new HashSet<>();
        for (HandleOperation each : HandleOperation.values()) {
            assertThat(HandleOperation.of(each.number())).contains(each);
            assertThat(numbers.add(each.number())).as(each.name()).isTrue();
        }
        numbers.clear();
        for (ResponseCode each : ResponseCode.values()) {
            assertThat(ResponseCode.of(each.number())).contains(each);
            assertThat(numbers.add(each.number())).as(each.name()).isTrue();
        }
        assertThat(HandleOperation.of(0)).isEmpty();
        assertThat(ResponseCode.of(0)).isEmpty();
    }

    @Test
    void flagsAreTwelveBitsFromTheTop() {
        int all = 0;
        for (OpFlag each : OpFlag.values()) {
            all |= each.bit();
        }
        assertThat(all).isEqualTo(0xfff00000);
        assertThat(OpFlag.REPEATED)
                .isEqualTo(OpFlag.of(
                        OpFlag.CERT, OpFlag.ENCR, OpFlag.CACR, OpFlag.PUBL, OpFlag.RRDG, OpFlag.DNRF));
    }

    @Test
    void onlyChangesAreForAdministrators() {
        assertThat(HandleOperation.RESOLVE.isAdmin()).isFalse();
        assertThat(HandleOperation.GET_SITE.isAdmin()).isFalse();
        assertThat(HandleOperation.SET_UP_SESSION.isAdmin()).isFalse();
        assertThat(HandleOperation.CREATE.isAdmin()).isTrue();
        assertThat(HandleOperation.LIST_PREFIXES.isAdmin()).isTrue();
        assertThat(HandleOperation.DUMP_HANDLES.isAdmin()).isTrue();
    }

    @Test
    void anAnswerHasTheSuggestedVersionOrTheNewest() {
        assertThat(answer(2, 11, 2, 3)).isEqualTo("2.3");
        assertThat(answer(2, 3, 2, 11)).isEqualTo("2.11");
        assertThat(answer(2, 12, 2, 12)).isEqualTo("2.11");
        assertThat(answer(3, 0, 3, 0)).isEqualTo("2.11");
        assertThat(answer(2, 5, 0, 0)).isEqualTo("2.5");
        assertThat(answer(2, 0, 2, 0)).isEqualTo("2.0");
    }

    private static String answer(int major, int minor, int suggestedMajor, int suggestedMinor) {
        return ProtocolVersion.ofAnswer(
                        new ProtocolVersion(major, minor), new ProtocolVersion(suggestedMajor, suggestedMinor))
                .toString();
    }

    @Test
    void whatChangesWithTheVersion() {
        assertThat(new ProtocolVersion(2, 0).digest()).isEqualTo(DigestAlgorithm.MD5_OLD);
        assertThat(new ProtocolVersion(2, 1).digest()).isEqualTo(DigestAlgorithm.SHA1);
        assertThat(new ProtocolVersion(2, 6).digest()).isEqualTo(DigestAlgorithm.SHA1);
        assertThat(new ProtocolVersion(2, 7).digest()).isEqualTo(DigestAlgorithm.SHA256);
        assertThat(new ProtocolVersion(2, 4).coverage()).isEqualTo(ProtocolVersion.Coverage.MESSAGE);
        assertThat(new ProtocolVersion(2, 5).coverage()).isEqualTo(ProtocolVersion.Coverage.UNSUPPORTED);
        assertThat(new ProtocolVersion(2, 7).coverage()).isEqualTo(ProtocolVersion.Coverage.NUMBERS);
        assertThat(new ProtocolVersion(2, 8).coverage()).isEqualTo(ProtocolVersion.Coverage.SUGGESTION);
        assertThat(new ProtocolVersion(2, 3).encryptsWithVector()).isFalse();
        assertThat(new ProtocolVersion(2, 4).encryptsWithVector()).isTrue();
        assertThat(new ProtocolVersion(2, 4).countsMessages()).isFalse();
        assertThat(new ProtocolVersion(2, 5).countsMessages()).isTrue();
        assertThat(new ProtocolVersion(2, 8).marksPosition()).isFalse();
        assertThat(new ProtocolVersion(3, 0).marksPosition()).isTrue();
    }

    @Test
    void oldVersionsHaveFewerCodes() {
        ProtocolVersion old = new ProtocolVersion(2, 4);
        assertThat(ResponseCode.READ_ONLY.in(old)).isEqualTo(ResponseCode.PREFIX_REFERRAL);
        assertThat(ResponseCode.INVALID_VALUE.in(old)).isEqualTo(ResponseCode.VALUE_EXISTS);
        assertThat(ResponseCode.BUSY.in(old)).isEqualTo(ResponseCode.BUSY);
        assertThat(ResponseCode.READ_ONLY.in(new ProtocolVersion(2, 5))).isEqualTo(ResponseCode.READ_ONLY);
    }
}
