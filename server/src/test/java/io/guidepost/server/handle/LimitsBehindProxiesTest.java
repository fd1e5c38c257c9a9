package io.guidepost.server.handle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.cli.HandleDemo;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whoever guesses secrets is soon made to wait: each client of a trusted proxy for itself, and those whom nobody trusts by
 * the address that they have, whatever they say of it.
 */
class LimitsBehindProxiesTest {
    /** So many guesses are sent at a time, as an account fills again by ten guesses a second. */
    private static final int AT_ONCE = 50;

    private static final int GUESSES_MAX = 5_000;

    @TempDir
    private Path folder;

    private HandleTestServer start(String... trusted) throws Exception {
        return HandleTestServer.start(folder, trusted);
    }

    private HttpClient client() throws Exception {
        return HttpClient.newBuilder()
                .sslContext(PinnedTrust.in(folder.resolve("handle/serverCertificate.pem")))
                .build();
    }

    private static HttpRequest put(HandleTestServer server, String secret, String forwardedFor) {
        String user = HandleDemo.BY_SECRET.toString().replace(":", "%3A") + ":" + secret;
        return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.httpPort() + "/api/handles/1234/behind"))
                .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(user.getBytes(UTF_8)))
                .header("Content-Type", "application/json")
                .header("X-Forwarded-For", forwardedFor)
                .PUT(HttpRequest.BodyPublishers.ofString("[{\"index\":1,\"type\":\"URL\",\"data\":\"https://example.org/\"}]"))
                .build();
    }

    private static int status(HandleTestServer server, HttpClient client, String forwardedFor) throws Exception {
        return client.send(put(server, HandleDemo.SECRET, forwardedFor), BodyHandlers.discarding())
                .statusCode();
    }

    /** Guesses at a time; whether one of them was made to wait. */
    private static boolean guess(HandleTestServer server, HttpClient client, IntFunction<String> forwardedFor) {
        List<CompletableFuture<HttpResponse<Void>>> guesses = IntStream.range(0, AT_ONCE)
                .mapToObj(i -> client.sendAsync(put(server, "a guess", forwardedFor.apply(i)), BodyHandlers.discarding()))
                .toList();
        boolean waits = false;
        for (CompletableFuture<HttpResponse<Void>> each : guesses) {
            HttpResponse<Void> response = each.join();
            assertThat(response.statusCode()).isIn(401, 429);
            waits |= response.statusCode() == 429;
        }
        return waits;
    }

    private static boolean guessUntilMadeToWait(HandleTestServer server, HttpClient client, IntFunction<String> forwardedFor) {
        for (int guesses = 0; guesses < GUESSES_MAX; guesses += AT_ONCE) {
            int before = guesses;
            if (guess(server, client, i -> forwardedFor.apply(before + i))) {
                return true;
            }
        }
        return false;
    }

    @Test
    void clientsOfATrustedProxyHaveLimitsOfTheirOwn() throws Exception {
        try (HandleTestServer server = start("http.trusted-proxies=127.0.0.0/8");
                HttpClient client = client()) {
            assertThat(guessUntilMadeToWait(server, client, _ -> "203.0.113.1")).isTrue();
            assertThat(status(server, client, "203.0.113.2")).as("another client of the proxy").isEqualTo(201);
            assertThat(guessUntilMadeToWait(server, client, i -> "198.51.100." + i % 250 + ", 203.0.113.3"))
                    .as("a client that sends such a line too is whom the proxy adds")
                    .isTrue();
            assertThat(status(server, client, "198.51.100.1")).isEqualTo(200);
        }
    }

    @Test
    void nobodyElseCanLendItselfAnAddress() throws Exception {
        try (HandleTestServer server = start("http.trusted-proxies=10.0.0.0/8");
                HttpClient client = client()) {
            assertThat(guessUntilMadeToWait(server, client, i -> "198.51." + i / 250 + "." + i % 250)).isTrue();
        }
    }

    @Test
    void norCanItSpoilThatOfAnother() throws Exception {
        try (HandleTestServer server = start("http.trusted-proxies=127.0.0.2/32");
                HttpClient client = client();
                HttpClient proxy = HttpClient.newBuilder()
                        .sslContext(PinnedTrust.in(folder.resolve("handle/serverCertificate.pem")))
                        .localAddress(InetAddress.ofLiteral("127.0.0.2"))
                        .build()) {
            assertThat(guessUntilMadeToWait(server, client, _ -> "203.0.113.1")).isTrue();
            assertThat(status(server, proxy, "203.0.113.1")).as("who has that address in truth").isEqualTo(201);
        }
    }
}
