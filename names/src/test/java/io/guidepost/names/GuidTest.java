package io.guidepost.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuidTest {
    @Test
    void bytesGoInAndComeOutUnchanged() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1000; i++) {
            byte[] bytes = new byte[Guid.BYTES];
            random.nextBytes(bytes);
            byte[] padded = new byte[27];
            Guid.of(bytes).write(MemorySegment.ofArray(padded), 3);
            assertThat(Arrays.copyOfRange(padded, 3, 23)).isEqualTo(bytes);
            assertThat(Guid.read(MemorySegment.ofArray(padded), 3)).isEqualTo(Guid.of(bytes));
        }
    }

    @Test
    void orderIsThatOfUnsignedBytes() {
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 10_000; i++) {
            byte[] a = new byte[Guid.BYTES];
            random.nextBytes(a);
            byte[] b = a.clone();
            b[random.nextInt(Guid.BYTES)] ^= (byte) random.nextInt(256);
            assertThat(Integer.signum(Guid.of(a).compareTo(Guid.of(b))))
                    .isEqualTo(Integer.signum(Arrays.compareUnsigned(a, b)));
        }
    }

    @Test
    void hexadecimalAndWordsAreRead() throws Malformed {
        String hex = "000102030405060708090a0b0c0d0e0f10111213";
        assertThat(Guid.parse(hex)).hasToString(hex);
        assertThat(Guid.parse(hex.toUpperCase(java.util.Locale.ROOT))).hasToString(hex);
        assertThat(Guid.parse("1")).hasToString("3100000000000000000000000000000000000000");
        assertThat(Guid.ofAscii("a word that is longer than twenty"))
                .isEqualTo(Guid.ofAscii("a word that is longe"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``                                       | 40 hexadecimal digits or a word",
                "this word has more than twenty letters   | 40 hexadecimal digits or a word",
                "000102030405060708090a0b0c0d0e0f1011121x | 'x' is not a hexadecimal digit (at offset 39)",
                "two words                                | printable ASCII characters only (at offset 3)",
            })
    void otherTextIsRefusedWithTheReason(String text, String reason) {
        assertThatThrownBy(() -> Guid.parse(text)).isInstanceOf(Malformed.class).hasMessageContaining(reason);
    }

    @Test
    void anotherLengthIsRefused() {
        assertThatThrownBy(() -> Guid.of(new byte[19])).hasMessage("a GUID has 20 bytes, not 19");
    }
}
