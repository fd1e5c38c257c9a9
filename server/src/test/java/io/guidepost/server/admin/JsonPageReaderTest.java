package io.guidepost.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JsonPageReaderTest {
    @Test
    void readsWhatJsonWrites() throws Exception {
        Map<String, Object> value = JsonPages.object(
                "text", "a \"b\" \\ \n\t\u0001 µ",
                "numbers", List.of(1L, -2L, 2.5),
                "flags", List.of(true, false),
                "none", List.of(),
                "deep", JsonPages.object("empty", JsonPages.object()));
        assertThat(JsonPageReader.read(JsonPages.write(value))).isEqualTo(value);
        assertThat(JsonPageReader.read(" {\"a\\u00b5\\/\":null} ")).isEqualTo(Map.of("aµ/", ""));
    }

    @Test
    void whatIsNoJsonIsRefusedWithThePlace() {
        for (String each : List.of("", "[]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":tru}", "{} x",
                "{\"a\":\"\\x\"}", "{\"a\":\"\\u00g0\"}", "{\"a\":\"", "{\"a\":[1 2]}")) {
            assertThatThrownBy(() -> JsonPageReader.read(each)).as(each).isInstanceOf(IOException.class)
                    .hasMessageContaining("the answer is not JSON: at character ");
        }
        assertThatThrownBy(() -> JsonPageReader.read("{\"a\":" + "[".repeat(100_000))).isInstanceOf(IOException.class);
    }

    @Test
    void whateverIsReadEndsInAValueOrARefusal() {
        SplittableRandom random = new SplittableRandom(7);
        String letters = "{}[]\",:\\u0aet1.-e nrl";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder("{");
            for (int length = random.nextInt(20); length > 0; length--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            try {
                assertThat(JsonPageReader.read(text.toString())).isNotNull();
            } catch (IOException e) {
                assertThat(e).hasMessageStartingWith("the answer is not JSON: at character ");
            }
        }
    }
}
