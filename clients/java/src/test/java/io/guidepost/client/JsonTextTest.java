package io.guidepost.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {
    @Test
    void valuesAreRead() {
        assertThat(JsonText.parse(" {\"a\": [1, -2.5e1, true, null, {}], \"b\\\"\\n\\u00e9\": \"x\\/\"} "))
                .isEqualTo(Map.of("a", Arrays.asList(1.0, -25.0, true, null, Map.of()), "b\"\né", "x/"));
        assertThat(JsonText.parse("\"" + "long\\n".repeat(100_000) + "\"")).isEqualTo("long\n".repeat(100_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1", "[1,]", "{\"a\"}", "{\"a\" 1}", "{a:1}", "{1:2}", "word", "1 2", "\"open", "[1 2]", "\"\\u12\""})
    void otherTextIsRefused(String text) {
        assertThatThrownBy(() -> JsonText.parse(text)).isInstanceOf(GuidepostException.class).hasMessageContaining("no JSON");
    }

    @Test
    void nestingIsBounded() {
        assertThatThrownBy(() -> JsonText.parse("[".repeat(100_000))).isInstanceOf(GuidepostException.class);
    }

    @Test
    void whatIsWrittenIsReadAgain() {
        Map<String, Object> value = Map.of("quote \" and \\", List.of("line\nand\u0001 \u00e9 \ud83d\ude80", 0.5, false));
        assertThat(JsonText.parse(JsonText.write(value))).isEqualTo(value);
    }
}
