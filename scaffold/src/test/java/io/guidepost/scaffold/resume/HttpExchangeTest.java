package io.guidepost.scaffold.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.scaffold.resume.HttpExchange.Resumption;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests are repeated, and which rest of a response is one. */
class HttpExchangeTest {
    private static final String GET = "GET /file HTTP/1.1\r\nHost: web\r\n\r\n";
    private static final String FOUND = "HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\nContent-Length: 1000000\r\nETag: \"a1\"\r\n\r\n";
    private static final String REST =
            "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 9000-999999/1000000\r\nContent-Length: 991000\r\nETag: \"a1\"\r\n\r\n";

    private final HttpExchange exchange = new HttpExchange();

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private HttpExchange exchange(String request, String response) {
        exchange.request(ascii(request));
        exchange.response(ascii(response));
        return exchange;
    }

    private static long delivered(String head, int body) {
        return (long) head.length() + body;
    }

    @Test
    void aGetIsRepeatedAndItsRestIsAskedForByRange() throws Malformed {
        exchange(GET, FOUND);
        long delivered = delivered(FOUND, 9_000);

        assertThat(exchange.end()).isEqualTo(FOUND.length() + 1_000_000);
        assertThat(exchange.resumption(FOUND.length() + 100)).as("there is little to save").isEqualTo(Resumption.REPEAT);
        assertThat(exchange.resumption(delivered)).isEqualTo(Resumption.RANGE);
        assertThat(new String(exchange.rangeRequest(delivered), StandardCharsets.ISO_8859_1))
                .isEqualTo("GET /file HTTP/1.1\r\nHost: web\r\nRange: bytes=9000-\r\nIf-Range: \"a1\"\r\n\r\n");
        assertThat(exchange.rest(ascii(REST.substring(0, 40)), delivered)).isNull();
        assertThat(exchange.rest(ascii(REST + "body"), delivered)).isEqualTo(new HttpExchange.Rest(REST.length(), 0));
        assertThat(exchange.resumption(exchange.end())).as("all is delivered").isEqualTo(Resumption.REPEAT);
    }

    @Test
    void withoutAStrongTagSomeBytesAreComparedFirst() throws Malformed {
        String found = FOUND.replace("\"a1\"", "W/\"a1\"");
        exchange(GET, found);
        long delivered = delivered(found, 9_000);
        String rest = REST.replace("9000-", "4904-").replace("991000", "995096");

        assertThat(new String(exchange.rangeRequest(delivered), StandardCharsets.ISO_8859_1))
                .endsWith("\r\nRange: bytes=4904-\r\n\r\n");
        assertThat(exchange.rest(ascii(rest), delivered)).isEqualTo(new HttpExchange.Rest(rest.length() + 4_096, 4_096));
    }

    /** A server that ignores ranges, one that has another file, and one that has another part of it. */
    @ParameterizedTest
    @CsvSource({
        "206, 200, the status is 200 and not 206",
        "9000-, 8999-, the range is",
        "/1000000, /1000001, the range is",
        "-999999, -999998, the range is",
        "991000, 990999, the length is not that of the range",
        "a1, a2, the entity tag is another",
        "ETag, X-Tag, the entity tag is another",
        "ETag, Transfer-Encoding, the length is not",
        "HTTP/1.1, HTTP/2, the response has no status line"
    })
    void whatIsNotTheRestIsNotTakenForIt(String right, String wrong, String reason) {
        exchange(GET, FOUND);

        assertThatThrownBy(() -> exchange.rest(ascii(REST.replace(right, wrong)), delivered(FOUND, 9_000)))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining(reason);
    }

    @Test
    void aRestInAnotherEncodingIsNotTaken() {
        exchange(GET, FOUND);

        assertThatThrownBy(() -> exchange.rest(
                        ascii(REST.replace("ETag", "Content-Encoding: gzip\r\nETag")), delivered(FOUND, 9_000)))
                .hasMessageContaining("encoding");
    }

    @ParameterizedTest
    @CsvSource({
        "POST /file HTTP/1.1, only GET and HEAD",
        "GET /file HTTP/2, does not end in HTTP/1.1",
        "GET /file, does not end in HTTP/1.1"
    })
    void otherRequestsAreNotRepeated(String line, String reason) {
        exchange.request(ascii(line + "\r\nHost: web\r\n\r\n"));

        assertThat(exchange.resumption(0)).isEqualTo(Resumption.NONE);
        assertThat(exchange.refusal()).contains(reason);
        assertThat(exchange.request()).as("what is not repeated is not kept").isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "Content-Length: 1, has a body",
        "Content-Length: 0x0, has a body",
        "Transfer-Encoding: chunked, has a body",
        "Upgrade: websocket, wants more",
        "Expect: 100-continue, wants more",
        "no field, is no field",
        "a b: c, no token"
    })
    void requestsThatAreMoreThanAQuestionAreNotRepeated(String field, String reason) {
        exchange.request(ascii("GET / HTTP/1.1\r\nHost: web\r\n" + field + "\r\n\r\n"));

        assertThat(exchange.resumption(0)).isEqualTo(Resumption.NONE);
        assertThat(exchange.refusal()).contains(reason);
    }

    @Test
    void whatIsPipelinedIsNotRepeated() {
        exchange.request(ascii(GET + "G"));
        assertThat(exchange.resumption(0)).isEqualTo(Resumption.NONE);

        HttpExchange later = new HttpExchange();
        later.request(ascii(GET));
        later.request(ascii("G"));
        assertThat(later.resumption(0)).isEqualTo(Resumption.NONE);
    }

    @Test
    void anUnfinishedRequestIsSentAgainAsFarAsItCame() {
        exchange.request(ascii(GET.substring(0, 10)));

        assertThat(exchange.resumption(0)).isEqualTo(Resumption.WAITING);
        assertThat(exchange.request()).hasSize(10);
        assertThat(exchange.resumption(1)).as("answered before it was asked").isEqualTo(Resumption.NONE);
    }

    /** TLS, and the first letters of a method with effects: what has not come as a whole might be such a request. */
    @ParameterizedTest
    @ValueSource(strings = {"P", "POST / HT", "HELO web", "\u0016\u0003\u0001", "GETS"})
    void whatMayNotBeASafeRequestIsNotSentAgain(String first) {
        exchange.request(ascii(first));

        assertThat(exchange.resumption(0)).isEqualTo(Resumption.NONE);
    }

    @Test
    void anOwnerMaySayThatAllMayBeRepeated() {
        String post = "POST /search HTTP/1.1\r\nContent-Length: 4\r\n\r\nab";
        HttpExchange repeatable = new HttpExchange(true, KeptBytes.unbounded());
        repeatable.request(ascii(post));
        repeatable.request(ascii("cd"));
        repeatable.response(ascii(FOUND));

        assertThat(repeatable.resumption(delivered(FOUND, 9_000))).isEqualTo(Resumption.REPEAT);
        assertThat(repeatable.request()).isEqualTo(ascii(post + "cd"));
        repeatable.request(ascii("P"));
        assertThat(repeatable.refusal()).contains("another request follows");
    }

    @Test
    void aLongRequestIsNotKept() {
        exchange.request(ascii("GET /" + "x".repeat(HttpExchange.REQUEST_BYTES_MAX - 5)));
        assertThat(exchange.refusal()).contains("longer than 64 KiB");
        HttpExchange more = new HttpExchange();
        more.request(ascii(GET.substring(0, 10)));
        more.request(new byte[HttpExchange.REQUEST_BYTES_MAX]);
        assertThat(more.refusal()).contains("longer than 64 KiB");
    }

    @ParameterizedTest
    @CsvSource({
        "Accept-Ranges: bytes, Accept-Ranges: none",
        "Content-Length: 1000000, Transfer-Encoding: chunked",
        "Content-Length: 1000000, Content-Length: many",
        "200 OK, 203 Changed",
        "200 OK, 206 Partial Content"
    })
    void otherResponsesAreRepeatedAsAWhole(String before, String after) {
        exchange(GET, FOUND.replace(before, after));

        assertThat(exchange.resumption(delivered(FOUND, 9_000))).isEqualTo(Resumption.REPEAT);
    }

    @Test
    void aClientsOwnRangeIsRepeatedAsAWhole() {
        exchange("GET /file HTTP/1.1\r\nRange: bytes=5-\r\n\r\n", FOUND);

        assertThat(exchange.resumption(delivered(FOUND, 9_000))).isEqualTo(Resumption.REPEAT);
    }

    @Test
    void responsesWithoutABodyEndWithTheirHead() {
        exchange("HEAD /file HTTP/1.0\r\n\r\n", FOUND);
        assertThat(exchange.end()).isEqualTo(FOUND.length());

        HttpExchange unchanged = new HttpExchange();
        unchanged.request(ascii(GET));
        unchanged.response(ascii("HTTP/1.1 304 Not Modified\r\n\r\n"));
        assertThat(unchanged.end()).isEqualTo(29);
    }

    @Test
    void anInterimResponseIsMoreThanWeKnow() {
        exchange(GET, "HTTP/1.1 103 Early Hints\r\n\r\n");

        assertThat(exchange.resumption(5)).isEqualTo(Resumption.NONE);
    }

    /** In any pieces the same is read; any bytes in between are a refusal or nothing, and no exception. */
    @Test
    void piecesAndNoiseDoNotMatter() {
        SplittableRandom random = new SplittableRandom(9);
        for (int round = 0; round < 20_000; round++) {
            byte[] request = ascii(GET);
            byte[] response = ascii(FOUND);
            boolean noise = random.nextBoolean();
            if (noise) {
                request[random.nextInt(request.length)] = (byte) random.nextInt();
                response[random.nextInt(response.length)] = (byte) random.nextInt();
            }
            HttpExchange one = new HttpExchange();
            int cut = random.nextInt(request.length + 1);
            one.request(Arrays.copyOf(request, cut));
            one.request(Arrays.copyOfRange(request, cut, request.length));
            cut = random.nextInt(response.length + 1);
            one.response(Arrays.copyOf(response, cut));
            one.response(Arrays.copyOfRange(response, cut, response.length));
            Resumption found = one.resumption(delivered(FOUND, 9_000));
            if (!noise) {
                assertThat(found).isEqualTo(Resumption.RANGE);
            }
            if (found == Resumption.RANGE) {
                one.rangeRequest(delivered(FOUND, 9_000));
            }
        }
    }
}
