package io.guidepost.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** JSON as it is read: whole, or refused with the place. */
class JsonValueTest {
    private static JsonValue read(String text) throws Malformed {
        return JsonValue.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void everyKindIsRead() throws Malformed {
        JsonValue.Members object = (JsonValue.Members) read(" {\"a\":[1,-2.5e3,\"x\\u00e9\\n\"],\"b\":{\"c\":true,\"d\":null}} ");
        assertThat(object.members().keySet()).containsExactly("a", "b");
        assertThat(object.members().get("a"))
                .isEqualTo(new JsonValue.Elements(
                        List.of(new JsonValue.Number("1", 7), new JsonValue.Number("-2.5e3", 9), new JsonValue.Text("xé\n", 16)), 6));
        assertThat(object.members().get("b"))
                .isEqualTo(new JsonValue.Members(Map.of("c", new JsonValue.Truth(true, 38), "d", new JsonValue.Null(47)), 33));
    }

    @Test
    void whatIsNotJsonIsRefusedWithItsPlace() {
        for (String each : List.of(
                "", " ", "{bad", "[1,2", "{\"a\":1}x", "[01]", "{\"a\" 1}", "{\"a\":1,}", "[1,]", "nul", "\"a\nb\"", "[1 2]",
                "{\"a\":\"x", "'a'", "[+1]", "[\"\\x\"]", "[-]", "[1.]", "[,1]", "{,}", "[truex]", "{\"a\":1,\"a\":2}", "//",
                "[NaN]", "[] []", "{\"a\":1/**/}")) {
            assertThatThrownBy(() -> read(each)).as(each).isInstanceOf(Malformed.class);
        }
        assertThatThrownBy(() -> read("[1, 2, x]")).hasMessageContaining("offset 7");
    }

    @Test
    void bytesThatAreNotUtf8AreRefused() {
        for (byte[] each : List.of(
                new byte[] {'"', (byte) 0xff, (byte) 0xfe, '"'},
                new byte[] {'"', (byte) 0xc3, '"'},
                new byte[] {'"', (byte) 0xc0, (byte) 0x80, '"'})) {
            assertThatThrownBy(() -> JsonValue.read(each)).isInstanceOf(Malformed.class);
        }
    }

    @Test
    void depthAndLengthAreBounded() {
        assertThatThrownBy(() -> read("[".repeat(100_000))).isInstanceOf(Malformed.class).hasMessageContaining("nested");
        assertThatThrownBy(() -> read("9".repeat(1000))).isInstanceOf(Malformed.class).hasMessageContaining("too deeply or too long");
        assertThatThrownBy(() -> JsonValue.read(new byte[3 << 20])).hasMessageContaining("at most");
    }

    @Test
    void aFieldNamesWhatIsWrong() throws Malformed {
        JsonField body = read("{\"values\":[{\"index\":1},{\"index\":\"x\",\"ttl\":5000000000}]}").whole();
        List<JsonField> values = body.member("values").elements(10);
        assertThat(values.getFirst().member("index").integer(1, 5)).isOne();
        assertThatThrownBy(() -> values.getFirst().member("type")).hasMessageContaining("values[0].type is missing");
        assertThatThrownBy(() -> values.get(1).member("index").integer(1, 5)).hasMessageContaining("values[1].index is");
        assertThatThrownBy(() -> values.get(1).member("ttl").integer(0, 0xffff_ffffL))
                .hasMessageContaining("values[1].ttl is an integer from 0 to 4294967295 (at offset 42)");
        assertThatThrownBy(() -> body.member("values").text()).hasMessageContaining("should be a string, not an array");
        assertThatThrownBy(() -> body.member("values").elements(1)).hasMessageContaining("at most 1");
        assertThatThrownBy(body::text).hasMessageContaining("the JSON should be a string, not an object");
    }
}
