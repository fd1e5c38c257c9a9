package io.guidepost.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PemTest {
    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void isReadAsWritten() throws Malformed {
        byte[] bytes = new byte[100];
        bytes[99] = -1;
        byte[] text = Pem.write("THING", bytes);

        assertThat(Pem.read("THING", text)).isEqualTo(bytes);
        assertThat(new String(text, StandardCharsets.US_ASCII).lines())
                .startsWith("-----BEGIN THING-----", "A".repeat(64))
                .endsWith("-----END THING-----");
    }

    @Test
    void whatIsNoneIsRefused() {
        assertThatThrownBy(() -> Pem.read("KEY", Pem.write("THING", new byte[1])))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("no lines -----BEGIN KEY-----");
        assertThatThrownBy(() -> Pem.read("KEY", ascii("-----END KEY----- -----BEGIN KEY-----"))).isInstanceOf(Malformed.class);
        assertThatThrownBy(() -> Pem.read("KEY", ascii("-----BEGIN KEY-----A-----END KEY-----")))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("base 64");
    }
}
