package io.guidepost.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HttpRequestTest {
    private static HttpRequest request(String method, String target, String header, String value, String body) {
        return new HttpRequest(
                method, target, Map.of(header, List.of(value)), body.getBytes(StandardCharsets.UTF_8),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), false, Optional.empty());
    }

    @Test
    void gzipIsAcceptedUnlessItsQualityIsZero() {
        for (String each : List.of("gzip", "br, GZIP;q=0.5", "deflate,gzip;q=1")) {
            assertThat(request("GET", "/", "accept-encoding", each, "").acceptsGzip()).as(each).isTrue();
        }
        for (String each : List.of("", "br", "gzip;q=0", "gzip;q=0.000", "x-gzip")) {
            assertThat(request("GET", "/", "accept-encoding", each, "").acceptsGzip()).as(each).isFalse();
        }
    }

    @Test
    void tagsAreComparedWeakly() {
        for (String each : List.of("\"a\"", "W/\"a\"", "\"b\", \"a\"", "*")) {
            assertThat(request("GET", "/", "if-none-match", each, "").has("\"a\"")).as(each).isTrue();
            assertThat(request("HEAD", "/", "if-none-match", each, "").has("W/\"a\"")).as(each).isTrue();
            assertThat(request("POST", "/", "if-none-match", each, "").has("\"a\"")).as(each).isFalse();
        }
        assertThat(request("GET", "/", "if-none-match", "\"ab\", a", "").has("\"a\"")).isFalse();
        assertThat(request("GET", "/", "accept", "*/*", "").has("\"a\"")).isFalse();
    }

    @Test
    void aMediaTypeIsReadWithoutItsParameters() {
        assertThat(request("POST", "/", "content-type", " Text/XML ;charset=utf-8", "").mediaType()).isEqualTo("text/xml");
        assertThat(request("POST", "/", "accept", "*/*", "").mediaType()).isEmpty();
    }

    @Test
    void parametersComeFromTheQueryAndFromFormsAndObjects() throws Malformed {
        String form = "application/x-www-form-urlencoded";
        RequestParameters asked = RequestParameters.withBody(request("POST", "/?a=1&b", "content-type", form, "a=%C3%A9+2"));
        assertThat(asked.all("a")).containsExactly("1", "é 2");
        assertThat(asked.flag("b", false)).isTrue();
        assertThat(asked.first("c", "none")).isEqualTo("none");
        RequestParameters object = RequestParameters.withBody(
                request("POST", "/", "content-type", "application/json", "{\"a\":[1,\"2\"],\"b\":false}"));
        assertThat(object.integers("a")).containsExactly(1, 2);
        assertThat(object.flag("b", true)).isFalse();
        RequestParameters text = RequestParameters.withBody(request("POST", "/?b=YES", "content-type", "text/plain", "a=1"));
        assertThat(text.has("a")).isFalse();
        assertThat(text.flag("b", false)).isTrue();
        assertThatThrownBy(() -> RequestParameters.of("a&".repeat(17), 16)).hasMessageContaining("at most 16 parameters");
    }
}
