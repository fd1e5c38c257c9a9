package io.guidepost.server.handle;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.server.RunningServer;
import io.guidepost.server.handle.connection.EnvelopeFraming;
import io.guidepost.server.http.ConnectionCounter;
import io.guidepost.server.http.HttpServerSettings;
import io.guidepost.server.http.tls.SelfSignedCertificate;
import io.guidepost.web.HttpResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTP/1.1, HTTP/2 and TLS on one port. */
class WebConnectionTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    @TempDir
    private Path folder;

    private static java.net.http.HttpResponse<byte[]> send(HttpClient client, HttpRequest.Builder request)
            throws Exception {
        return client.send(request.timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofByteArray());
    }

    private static HttpRequest.Builder to(TestListeners host, String scheme, String path) {
        return HttpRequest.newBuilder(URI.create(scheme + "://127.0.0.1:" + host.http().getPort() + path));
    }

    @Test
    void aMessageIsPostedAndItsAnswerHasALength() throws Exception {
        try (TestListeners host = TestListeners.start(TestListeners.PATIENT, TestListeners.echo(), TestListeners.telling());
                HttpClient client = HttpClient.newHttpClient()) {
            java.net.http.HttpResponse<byte[]> answer = send(
                    client,
                    to(host, "http", "/anything")
                            .header("Content-Type", "application/x-hdl-message")
                            .POST(HttpRequest.BodyPublishers.ofByteArray(HandleMessages.resolve(6, "1234/1"))));
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("content-type")).contains("application/x-hdl-message");
            assertThat(answer.headers().firstValue("content-length")).contains(Integer.toString(answer.body().length));
            assertThat(HandleMessage.read(answer.body()).envelope().requestId()).isEqualTo(6);
        }
    }

    @Test
    void requestsOnOneConnectionAreAnsweredInTheirOrder() throws Exception {
        try (TestListeners host = TestListeners.start(TestListeners.PATIENT, TestListeners.echo(), TestListeners.telling());
                Socket socket = HandleMessages.connect(host.http())) {
            for (String each : List.of("GET /one", "HEAD /two", "GET /three")) {
                String close = each.endsWith("three") ? "Connection: close\r\n" : "";
                socket.getOutputStream()
                        .write((each + " HTTP/1.1\r\nHost: a\r\n" + close + "\r\n").getBytes(US_ASCII));
            }
            String answers = new String(socket.getInputStream().readAllBytes(), US_ASCII);
            assertThat(answers.split("HTTP/1.1 200 OK", -1)).hasSize(4);
            assertThat(answers).containsSubsequence("GET /one 0", "content-length: 11", "GET /three 0").doesNotContain("HEAD /two");
        }
    }

    @Test
    void anAnswerOfHttp10EndsWithItsConnection() throws Exception {
        try (TestListeners host = TestListeners.start(TestListeners.PATIENT, TestListeners.echo(), request -> new HttpResponse(
                        200, List.of(), new HttpResponse.Stream(out -> out.write("streamed".getBytes(US_ASCII)))));
                Socket socket = HandleMessages.connect(host.http())) {
            socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII)).endsWith("\r\n\r\nstreamed");
        }
    }

    @Test
    void aLongStreamWaitsForItsReceiver() throws Exception {
        byte[] piece = new byte[10_000];
        try (TestListeners host = TestListeners.start(TestListeners.PATIENT, TestListeners.echo(), request -> new HttpResponse(
                        200, List.of(), new HttpResponse.Stream(out -> {
                            for (int i = 0; i < 1000; i++) {
                                out.write(piece);
                            }
                        })));
                HttpClient client = HttpClient.newHttpClient()) {
            assertThat(send(client, to(host, "http", "/")).body()).hasSize(10_000_000);
        }
    }

    @Test
    void http2IsSpokenByThoseWhoBeginWithItsPreface() throws Exception {
        try (TestListeners host = TestListeners.start(TestListeners.PATIENT, TestListeners.echo(), TestListeners.telling());
                Socket socket = HandleMessages.connect(host.http())) {
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
            socket.getOutputStream().write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
            byte[] frame = socket.getInputStream().readNBytes(9);
            assertThat(frame[3]).as("a frame of SETTINGS").isEqualTo((byte) 4);
        }
    }

    private KeyPair keys() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    private HttpClient client(X509Certificate trusted, KeyStore own) throws Exception {
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("server", trusted);
        TrustManagerFactory trusts = TrustManagerFactory.getInstance("PKIX");
        trusts.init(trust);
        KeyManagerFactory mine = KeyManagerFactory.getInstance("PKIX");
        mine.init(own, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(mine.getKeyManagers(), trusts.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    @Test
    void tlsIsSpokenWithTheServersOwnKeyAndHttp2Within() throws Exception {
        KeyPair server = keys();
        ServerIdentity identity = new ServerIdentity(folder, null, new SecureRandom());
        KeyStore none = KeyStore.getInstance("PKCS12");
        none.load(null, null);
        X509Certificate certificate = identity.certificate(server, "a test", List.of(LOOPBACK));
        try (TestListeners host = TestListeners.start(
                        TestListeners.PATIENT,
                        TestListeners.echo(),
                        TestListeners.telling(),
                        identity.tls(server, "a test", List.of(LOOPBACK), true));
                HttpClient client = client(certificate, none)) {
            java.net.http.HttpResponse<byte[]> answer = send(client, to(host, "https", "/page?x"));
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(new String(answer.body(), US_ASCII)).isEqualTo("GET /page?x 0 secure");
            java.net.http.HttpResponse<byte[]> old =
                    send(client, to(host, "https", "/old").version(HttpClient.Version.HTTP_1_1));
            assertThat(old.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
            assertThat(new String(send(client, to(host, "http", "/clear")).body(), US_ASCII)).isEqualTo("GET /clear 0");
        }
        assertThat(certificate.getPublicKey()).isEqualTo(server.getPublic());
    }

    @Test
    void theCertificateOfAClientIsHandedOn() throws Exception {
        KeyPair server = keys();
        KeyPair mine = keys();
        X509Certificate shown = SelfSignedCertificate.of(mine, "300:1234/ADMIN", List.of(), Instant.now(), new SecureRandom());
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("me", mine.getPrivate(), new char[0], new X509Certificate[] {shown});
        ServerIdentity identity = new ServerIdentity(folder, null, new SecureRandom());
        X509Certificate certificate = identity.certificate(server, "a test", List.of(LOOPBACK));
        try (TestListeners host = TestListeners.start(
                        TestListeners.PATIENT,
                        TestListeners.echo(),
                        TestListeners.telling(),
                        identity.tls(server, "a test", List.of(LOOPBACK), true));
                HttpClient client = client(certificate, store)) {
            assertThat(new String(send(client, to(host, "https", "/")).body(), US_ASCII)).contains("CN=300:1234/ADMIN");
        }
    }

    @Test
    void aBodyThatIsTooLongIsRefused() throws Exception {
        try (TestListeners host = TestListeners.start(TestListeners.PATIENT, TestListeners.echo(), TestListeners.telling());
                Socket socket = HandleMessages.connect(host.http())) {
            socket.getOutputStream()
                    .write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n".getBytes(US_ASCII));
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
            assertThat(in.readLine()).startsWith("HTTP/1.1 413");
            assertThat(host.count(ConnectionCounter.REQUESTS_REFUSED_TOO_LONG)).isEqualTo(1);
        }
    }

    @Test
    void whatIsNoHttpIsRefused() throws Exception {
        try (TestListeners host = TestListeners.start(TestListeners.PATIENT, TestListeners.echo(), TestListeners.telling());
                Socket socket = HandleMessages.connect(host.http())) {
            socket.getOutputStream().write("nonsense\r\n\r\n".getBytes(US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII)).startsWith("HTTP/1.1 400");
        }
        String line = "GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: a\r\n\r\n";
        try (TestListeners host = TestListeners.start(TestListeners.PATIENT, TestListeners.echo(), TestListeners.telling());
                Socket socket = HandleMessages.connect(host.http())) {
            socket.getOutputStream().write(line.getBytes(US_ASCII));
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
            assertThat(in.readLine()).startsWith("HTTP/1.1 414");
        }
    }

    @Test
    void halfARequestIsWaitedForSoLong() throws Exception {
        try (TestListeners host = TestListeners.start(
                        TestListeners.patient(500, 60_000), TestListeners.echo(), TestListeners.telling());
                Socket half = HandleMessages.connect(host.http());
                Socket body = HandleMessages.connect(host.http())) {
            half.getOutputStream().write("GET / HT".getBytes(US_ASCII));
            body.getOutputStream()
                    .write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf".getBytes(US_ASCII));
            assertThat(half.getInputStream().read()).isNegative();
            assertThat(new String(body.getInputStream().readAllBytes(), US_ASCII))
                    .startsWith("HTTP/1.1 408 Request Timeout\r\n")
                    .contains("connection: close");
            assertThat(host.count(ConnectionCounter.CONNECTIONS_ABORTED_SLOW_SENDER)).isEqualTo(2);
        }
    }

    @Test
    void halfOfAnUnusualRequestIsAnsweredTheSame() throws Exception {
        try (TestListeners host = TestListeners.start(TestListeners.pressed(1), TestListeners.echo(), TestListeners.telling());
                Socket body = HandleMessages.connect(host.http())) {
            body.getOutputStream()
                    .write("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nha".getBytes(US_ASCII));
            assertThat(new String(body.getInputStream().readAllBytes(), US_ASCII)).startsWith("HTTP/1.1 408 ");
            assertThat(host.count(ConnectionCounter.CONNECTIONS_ABORTED_SLOW_SENDER)).isEqualTo(1);
        }
    }

    /** The stream is ended, and others of its connection go on. */
    @Test
    void halfAStreamIsAnsweredTheSame() throws Exception {
        KeyPair server = keys();
        ServerIdentity identity = new ServerIdentity(folder, null, new SecureRandom());
        KeyStore none = KeyStore.getInstance("PKCS12");
        none.load(null, null);
        X509Certificate certificate = identity.certificate(server, "a test", List.of(LOOPBACK));
        try (TestListeners host = TestListeners.start(
                        TestListeners.pressed(1),
                        TestListeners.echo(),
                        TestListeners.telling(),
                        identity.tls(server, "a test", List.of(LOOPBACK), true));
                HttpClient client = client(certificate, none);
                AutoCloseable _ = client::shutdownNow) {
            HttpRequest.Builder stalled = to(host, "https", "/").POST(HttpRequest.BodyPublishers.fromPublisher(asked ->
                    asked.onSubscribe(new Flow.Subscription() {
                        private boolean sent;

                        @Override
                        public void request(long number) {
                            if (!sent) {
                                sent = true;
                                asked.onNext(ByteBuffer.wrap("half".getBytes(US_ASCII)));
                            }
                        }

                        @Override
                        public void cancel() {}
                    })));
            java.net.http.HttpResponse<byte[]> answer = send(client, stalled);
            assertThat(answer.statusCode()).isEqualTo(408);
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(host.count(ConnectionCounter.CONNECTIONS_ABORTED_SLOW_SENDER)).isEqualTo(1);
            assertThat(new String(send(client, to(host, "https", "/next")).body(), US_ASCII)).isEqualTo("GET /next 0 secure");
            assertThat(host.count(ConnectionCounter.CONNECTIONS_ACCEPTED)).isEqualTo(1);
        }
    }

    /** Another server's idle timeout is the clock. */
    @Test
    void aBodyMayComeLongAfterItsHead() throws Exception {
        try (TestListeners host = TestListeners.start(HttpServerSettings.STANDARD, TestListeners.echo(), TestListeners.telling());
                TestListeners clock = TestListeners.start(
                        TestListeners.patient(700, 60_000), TestListeners.echo(), TestListeners.telling());
                Socket client = HandleMessages.connect(host.http());
                Socket message = HandleMessages.connect(host.tcp());
                Socket waiting = HandleMessages.connect(clock.http())) {
            byte[] asked = HandleMessages.resolve(1, "1234/1");
            client.getOutputStream()
                    .write("POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 4\r\n\r\n".getBytes(US_ASCII));
            message.getOutputStream().write(asked, 0, 30);
            assertThat(waiting.getInputStream().read()).isNegative();
            client.getOutputStream().write("body".getBytes(US_ASCII));
            message.getOutputStream().write(asked, 30, asked.length - 30);
            assertThat(new String(client.getInputStream().readAllBytes(), US_ASCII)).endsWith("POST / 4");
            assertThat(HandleMessages.requestId(HandleMessages.next(message.getInputStream()))).isEqualTo(1);
        }
    }

    @Test
    void halfAGreetingIsWaitedForAsLong() throws Exception {
        try (TestListeners host = TestListeners.start(
                        TestListeners.pressed(1), TestListeners.echo(), TestListeners.telling(),
                        TlsGreetings.tls(folder));
                Socket socket = HandleMessages.connect(host.http())) {
            socket.getOutputStream().write(TlsGreetings.greeting(), 0, 100);
            assertThat(socket.getInputStream().read()).isNegative();
            assertThat(host.count(ConnectionCounter.CONNECTIONS_ABORTED_SLOW_SENDER)).isEqualTo(1);
        }
    }

    /** Keys take their time, and so does the way to and fro; both are no matter of how long a request may be out. */
    @Test
    void afterTheGreetingTlsMayTakeLonger() throws Exception {
        try (TestListeners host = TestListeners.start(
                        TestListeners.pressed(2), TestListeners.echo(), TestListeners.telling(),
                        TlsGreetings.tls(folder));
                Socket greeted = HandleMessages.connect(host.http());
                Socket half = HandleMessages.connect(host.http())) {
            greeted.getOutputStream().write(TlsGreetings.greeting());
            // The server's side of the greeting has begun to come, and now it waits for us.
            assertThat(greeted.getInputStream().read()).isEqualTo(0x16);
            half.getOutputStream().write("GET / HT".getBytes(US_ASCII));
            assertThat(half.getInputStream().read()).isNegative();
            assertThat(host.count(ConnectionCounter.CONNECTIONS_ABORTED_SLOW_SENDER)).isEqualTo(1);
            assertThat(RunningServer.eventually(() -> host.connections() == 1)).isTrue();
        }
    }

    @Test
    void aLongBodyMayTakeLonger() throws Exception {
        byte[] body = new byte[200_000];
        try (TestListeners host = TestListeners.start(
                        TestListeners.pressed(2), TestListeners.echo(), TestListeners.telling());
                Socket upload = HandleMessages.connect(host.http());
                Socket half = HandleMessages.connect(host.http())) {
            OutputStream out = upload.getOutputStream();
            out.write(("POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: " + body.length + "\r\n\r\n")
                    .getBytes(US_ASCII));
            out.write(body, 0, body.length / 2);
            half.getOutputStream().write("GET / HT".getBytes(US_ASCII));
            assertThat(half.getInputStream().read()).isNegative();
            out.write(body, body.length / 2, body.length / 2);
            assertThat(new String(upload.getInputStream().readAllBytes(), US_ASCII)).contains("POST / 200000");
        }
    }

    @Test
    void aConnectionThatAsksNothingIsClosed() throws Exception {
        try (TestListeners host = TestListeners.start(
                        TestListeners.patient(300, 10_000), TestListeners.echo(), TestListeners.telling());
                Socket socket = HandleMessages.connect(host.http())) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII)).startsWith("HTTP/1.1 200");
            assertThat(host.count(ConnectionCounter.CONNECTIONS_ABORTED_IDLE)).isEqualTo(1);
        }
    }

    @Test
    void tooManyRequestsAreToldThatTheServerIsBusy() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (TestListeners host = TestListeners.start(
                        TestListeners.bounded(100, 1),
                        (call, replies) -> {
                            try {
                                go.await();
                                replies.message(HandleMessages.answer(call.message(), false, ""), true);
                            } catch (InterruptedException | IOException e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        TestListeners.telling());
                Socket first = HandleMessages.connect(host.tcp());
                HttpClient client = HttpClient.newHttpClient()) {
            first.getOutputStream().write(HandleMessages.resolve(1, "1234/1"));
            assertThat(io.guidepost.server.RunningServer.eventually(() -> host.host().inFlight() == 1)).isTrue();
            assertThat(send(client, to(host, "http", "/")).statusCode()).isEqualTo(503);
            byte[] answer = send(
                            client,
                            to(host, "http", "/")
                                    .header("Content-Type", "application/x-hdl-message")
                                    .POST(HttpRequest.BodyPublishers.ofByteArray(HandleMessages.resolve(2, "1234/1"))))
                    .body();
            assertThat(HandleMessage.read(answer).responseCode()).contains(ResponseCode.BUSY);
            go.countDown();
        }
    }

    @Test
    void theListOfHandlesOverHttpIsOneBody() throws Exception {
        try (TestListeners host = TestListeners.start(
                        TestListeners.PATIENT,
                        (call, replies) -> {
                            try {
                                for (int i = 0; i < 20; i++) {
                                    replies.message(HandleMessages.answer(call.message(), i < 19, "x".repeat(1000)), i == 19);
                                }
                            } catch (IOException e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        TestListeners.telling());
                HttpClient client = HttpClient.newHttpClient()) {
            byte[] body = send(
                            client,
                            to(host, "http", "/")
                                    .header("Content-Type", "application/x-hdl-message")
                                    .POST(HttpRequest.BodyPublishers.ofByteArray(HandleMessages.resolve(2, "1234/1"))))
                    .body();
            int parts = 0;
            for (int at = 0; at < body.length; parts++) {
                at += 20 + ByteBuffer.wrap(body).getInt(at + EnvelopeFraming.LENGTH);
            }
            assertThat(parts).isEqualTo(20);
            assertThat(Arrays.copyOf(body, 2)).containsExactly(2, 11);
        }
    }
}
