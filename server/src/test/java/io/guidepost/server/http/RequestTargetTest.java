package io.guidepost.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.handle.TestListeners;
import io.guidepost.web.HttpHandler;
import io.guidepost.web.HttpResponse;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which authority and which path a request is for (RFC 9112 section 3). */
class RequestTargetTest {
    private static final HttpHandler TELLING = request -> HttpResponse.of(
            200, "text/plain", request.method() + " " + request.target() + " of " + request.headers().getOrDefault("host", List.of()));

    private static String ask(String request) throws Exception {
        try (TestListeners host = TestListeners.start(TestListeners.PATIENT, TestListeners.echo(), TELLING);
                Socket socket = new Socket(host.http().getAddress(), host.http().getPort())) {
            socket.getOutputStream().write((request + "GET /end HTTP/1.0\r\n\r\n").getBytes(US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);
            boolean refused = answer.startsWith("HTTP/1.1 400");
            assertThat(host.count(ConnectionCounter.REQUESTS_REFUSED_MALFORMED)).isEqualTo(refused ? 1 : 0);
            return refused ? "400" : answer.split("\r\n\r\n|HTTP/1.1 ", 4)[2];
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.0\r\nConnection: keep-alive\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: user@a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\n\r\n",
        "GET http://user@a/ HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET page HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
        "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n"
    })
    void requestsForNoOneHostOrPathAreRefused(String request) throws Exception {
        assertThat(ask(request)).isEqualTo("400");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "GET / HTTP/1.1 | a | GET / of [a]",
        "GET / HTTP/1.1 | a.example:80 | GET / of [a.example:80]",
        "GET / HTTP/1.1 | [2001:db8::1]:80 | GET / of [[2001:db8::1]:80]",
        "GET / HTTP/1.1 | '' | GET / of []",
        "GET http://b:8000/page?x=%41 HTTP/1.1 | a | GET /page?x=%41 of [b:8000]",
        "GET HTTP://b HTTP/1.1 | a | GET / of [b]",
        "GET http://b?x HTTP/1.1 | a | GET /?x of [b]",
        "GET https://b/ HTTP/1.1 | '' | GET / of [b]",
        "GET /%64irect%6Fry%2Fa%7e HTTP/1.1 | a | GET /directory%2Fa~ of [a]",
        "GET /%zz%4 HTTP/1.1 | a | GET /%zz%4 of [a]",
        "OPTIONS * HTTP/1.1 | a | OPTIONS * of [a]",
    })
    void oneHostAndOnePathAreTold(String line, String host, String told) throws Exception {
        assertThat(ask(line + "\r\nHost: " + host + "\r\n\r\n")).isEqualTo(told);
    }

    @Test
    void anOlderClientNeedsNoHost() throws Exception {
        assertThat(ask("GET /page HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")).isEqualTo("GET /page of []");
    }
}
