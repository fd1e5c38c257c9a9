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
    void eachPartOfALabelIsRead() throws Malformed {
        byte[] file = ascii(new String(Pem.write("THING", new byte[] {1}), StandardCharsets.US_ASCII)
                + new String(Pem.write("KEY", new byte[] {2}), StandardCharsets.US_ASCII)
                + "a remark\n"
                + new String(Pem.write("THING", new byte[] {3}), StandardCharsets.US_ASCII));

        assertThat(Pem.readAll("THING", file)).containsExactly(new byte[] {1}, new byte[] {3});
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
