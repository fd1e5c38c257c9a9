package io.guidepost.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonWriterTest {
    @Test
    void writesWhatRfc8259Asks() {
        assertThat(JsonWriter.text(JsonWriter.object(
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
        assertThat(JsonWriter.line(JsonWriter.object("a", List.of(1, 2L), "b", "\n"))).isEqualTo("{\"a\":[1,2],\"b\":\"\\n\"}");
    }

    @Test
    void whatIsWrittenIsReadAgainAsPlainValues() throws Malformed {
        Map<String, Object> value = JsonWriter.object(
                "text", "a \"b\" \\ \n\t\u0001 µ",
                "numbers", List.of(1L, -2L, 2.5, 1e300, Long.MIN_VALUE, Long.MAX_VALUE),
                "flags", List.of(true, false),
                "none", List.of(),
                "deep", JsonWriter.object("empty", JsonWriter.object()));
        byte[] json = JsonWriter.text(value).getBytes(StandardCharsets.UTF_8);
        assertThat(JsonValue.read(json).whole().object()).isEqualTo(value);
        byte[] escaped = " {\"a\\u00b5\\/\":null} ".getBytes(StandardCharsets.UTF_8);
        assertThat(JsonValue.read(escaped).whole().object()).isEqualTo(Map.of("aµ/", ""));
    }

    @Test
    void aStreamThatFailsDoesNotLookWhole() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        JsonWriter.write(out, json -> json.writeStartArray().writeString("a").writeEndArray());
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("[\"a\"]");
        out.reset();
        assertThatThrownBy(() -> JsonWriter.write(out, json -> {
                    json.writeStartArray().writeString("a");
                    throw new IOException("the disk");
                }))
                .isInstanceOf(IOException.class)
                .hasMessage("the disk");
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("[\"a\"");
        OutputStream gone = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("the receiver is gone");
            }
        };
        assertThatThrownBy(() -> JsonWriter.write(gone, json -> json.writeString("a")))
                .isInstanceOf(IOException.class)
                .hasMessage("the receiver is gone");
    }
}
