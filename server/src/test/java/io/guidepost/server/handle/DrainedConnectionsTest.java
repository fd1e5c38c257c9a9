package io.guidepost.server.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.service.HandleRequestHandler;
import io.guidepost.server.http.ConnectionCounter;
import io.guidepost.server.http.tls.GeneratedCertificate;
import io.guidepost.web.HttpHandler;
import io.guidepost.web.HttpResponse;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that another process cannot have end behind what was asked, and their clients hear so: no request is cut. */
class DrainedConnectionsTest {
    @TempDir
    private static Path folder;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    private void await() {
        try {
            asked.countDown();
            goOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A page that waits for the test. */
    private HttpHandler pages() {
        return request -> {
            if (request.path().equals("/slow")) {
                await();
            }
            return HttpResponse.of(200, "text/plain", request.path());
        };
    }

    private HandleRequestHandler messages() {
        return (call, replies) -> {
            if (HandleMessages.requestId(call.message()) == 2) {
                await();
            }
            TestListeners.echo().answer(call, replies);
        };
    }

    private static HttpRequest to(TestListeners host, String path) {
        return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + host.http().getPort() + path))
                .timeout(Duration.ofSeconds(20))
                .build();
    }

    private TestListeners host() throws Exception {
        return TestListeners.start(
                TestListeners.PATIENT,
                messages(),
                pages(),
                GeneratedCertificate.of(folder, "a test", List.of(InetAddress.ofLiteral("127.0.0.1")), new SecureRandom()));
    }

    private static HttpClient client(HttpClient.Version version) throws Exception {
        return HttpClient.newBuilder().sslContext(PinnedTrust.in(folder.resolve("certificate.pem"))).version(version).build();
    }

    @Test
    void aStreamOfHttp2IsAnsweredAndTheNextRequestOpensAnotherConnection() throws Exception {
        try (TestListeners host = host();
                HttpClient client = client(HttpClient.Version.HTTP_2)) {
            CompletableFuture<java.net.http.HttpResponse<String>> slow =
                    client.sendAsync(to(host, "/slow"), BodyHandlers.ofString());
            asked.await();
            host.host().host().drain();
            // The client may have sent this before it heard, and then it was not taken: either way it is answered.
            assertThat(client.send(to(host, "/next"), BodyHandlers.ofString()).body()).isEqualTo("/next");
            assertThat(host.count(ConnectionCounter.CONNECTIONS_ACCEPTED)).isEqualTo(2);
            goOn.countDown();
            assertThat(slow.join().version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(slow.join().body()).isEqualTo("/slow");
        }
    }

    @Test
    void theLastAnswerOfHttp1OverTlsSaysSo() throws Exception {
        try (TestListeners host = host();
                HttpClient client = client(HttpClient.Version.HTTP_1_1)) {
            assertThat(client.send(to(host, "/first"), BodyHandlers.ofString()).headers().firstValue("connection")).isEmpty();
            host.host().host().drain();
            assertThat(client.send(to(host, "/last"), BodyHandlers.ofString()).headers().firstValue("connection")).contains("close");
            assertThat(host.count(ConnectionCounter.CONNECTIONS_ACCEPTED)).isEqualTo(1);
            assertThat(client.send(to(host, "/next"), BodyHandlers.ofString()).body()).isEqualTo("/next");
            assertThat(host.count(ConnectionCounter.CONNECTIONS_ACCEPTED)).isEqualTo(2);
        }
    }

    @Test
    void aMessageOverTcpThatIsBeingAnsweredIsTheLastOfItsConnection() throws Exception {
        try (TestListeners host = TestListeners.start(TestListeners.PATIENT, messages(), pages());
                Socket connection = HandleMessages.connect(host.tcp())) {
            connection.getOutputStream().write(HandleMessages.resolve(1, "1234/1", OpFlag.KPAL));
            assertThat(HandleMessages.requestId(HandleMessages.next(connection.getInputStream()))).isEqualTo(1);
            connection.getOutputStream().write(HandleMessages.resolve(2, "1234/1", OpFlag.KPAL));
            asked.await();
            host.host().host().drain();
            goOn.countDown();
            assertThat(HandleMessages.requestId(HandleMessages.next(connection.getInputStream()))).isEqualTo(2);
            assertThat(connection.getInputStream().read()).isNegative();
        }
    }
}
