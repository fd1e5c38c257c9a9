package io.guidepost.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonPagesTest {
    @Test
    void writesWhatRfc8259Asks() {
        assertThat(JsonPages.write(JsonPages.object(
                        "text", "a \"b\" \\ \n\t\u0001",
                        "numbers", List.of(1, 2.5, Double.NaN),
                        "flag", true,
                        "none", List.of(),
                        "empty", Map.of())))
                .isEqualTo("""
                        {
                          "text": "a \\"b\\" \\\\ \\n\\t\\u0001",
                          "numbers": [
                            1,
                            2.5,
                            null
                          ],
                          "flag": true,
                          "none": [],
                          "empty": {}
                        }
                        """);
    }
}
