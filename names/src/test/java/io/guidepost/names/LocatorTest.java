package io.guidepost.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocatorTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.1.2.3:4444",
                "0.0.0.0:0",
                "255.255.255.255:65535",
                "[2001:db8::1]:4444",
                "guid:ffeeddccbbaa99887766554433221100aabbccdd",
                "https://example.org/a?b=c",
            })
    void whatIsPrintedIsReadBack(String text) throws Malformed {
        assertThat(Locator.parse(text)).hasToString(text);
        assertThat(Locator.parse(text)).isEqualTo(Locator.parse(text)).hasSameHashCodeAs(Locator.parse(text));
    }

    @Test
    void anyNameIsAPlace() throws Malformed {
        assertThat(Locator.parse("guid:two words")).isEqualTo(Locator.of(NameForm.parse("two words").guid()));
    }

    @Test
    void bytesAreThoseOfTheWire() throws Malformed {
        assertThat(Locator.parse("10.1.2.3:4444"))
                .isEqualTo(new Locator(0, new byte[] {10, 1, 2, 3, 0x11, 0x5c}));
        assertThat(new Locator(0, new byte[] {1, 2, 3})).hasToString("type0:010203");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "10.1.2.3          | write address:port, guid:NAME or a URL",
                "10.1.2:80         | is not an IPv4 address of four parts",
                "10.1.2.300:80     | is not",
                "10.1.2.3.4:80     | is not",
                "10.1.2.:80        | is not",
                "10.1.2.3a:80      | is not",
                "example.org:80    | is not a numeric IPv4 or IPv6 address",
                "10.1.2.3:65536    | '65536' is not a port from 0 to 65535",
                "10.1.2.3:-1       | '-1' is not a port from 0 to 65535",
                "[::1]:http        | 'http' is not a port from 0 to 65535",
                "guid:             | a word of 1 to 20 characters",
                "guid:two\u0007words | control characters such as U+0007",
                "ht tp://x         | is not a URL",
            })
    void otherTextIsRefusedWithTheReason(String text, String reason) {
        assertThatThrownBy(() -> Locator.parse(text)).isInstanceOf(Malformed.class).hasMessageContaining(reason);
    }

    @Test
    void everyTypeIsARowOfTheTable() {
        for (Locator.Type each : Locator.Type.values()) {
            assertThat(Locator.bytesMax(each.code())).isEqualTo(each.bytesMax());
        }
        assertThat(Locator.bytesMax(3)).isEqualTo(-1);
    }
}
