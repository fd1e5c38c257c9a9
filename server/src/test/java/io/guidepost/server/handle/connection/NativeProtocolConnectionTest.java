package io.guidepost.server.handle.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.server.RunningServer;
import io.guidepost.server.handle.HandleMessages;
import io.guidepost.server.handle.ServerIdentity;
import io.guidepost.server.handle.TestListeners;
import io.guidepost.server.http.ConnectionCounter;
import io.guidepost.server.http.HttpServerSettings;
import io.guidepost.server.http.tls.TlsContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages over TCP, from clients of every kind. */
class NativeProtocolConnectionTest {
    private static final HttpServerSettings PRESSED = TestListeners.pressed(1);

    @TempDir
    private Path folder;

    @Test
    void aConnectionIsClosedBehindItsAnswer() throws Exception {
        try (TestListeners host = TestListeners.start(TestListeners.PATIENT, TestListeners.echo(), TestListeners.telling())) {
            HandleMessage answer = HandleMessages.overTcp(host.tcp(), HandleMessages.resolve(77, "1234/1"));
            assertThat(answer.envelope().requestId()).isEqualTo(77);
            assertThat(answer.body()).isEqualTo(new MessageBody.Text("TCP"));
        }
    }

    @Test
    void messagesThatAskToKeepItAreAnsweredInTheirOrder() throws Exception {
        try (TestListeners host = TestListeners.start(TestListeners.PATIENT, TestListeners.echo(), TestListeners.telling());
                Socket socket = HandleMessages.connect(host.tcp())) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int i = 1; i <= 200; i++) {
                all.writeBytes(HandleMessages.resolve(i, "1234/" + i, OpFlag.KPAL));
            }
            socket.getOutputStream().write(all.toByteArray());
            for (int i = 1; i <= 200; i++) {
                assertThat(HandleMessages.requestId(HandleMessages.next(socket.getInputStream()))).isEqualTo(i);
            }
            socket.getOutputStream().write(HandleMessages.resolve(201, "1234/last"));
            assertThat(HandleMessages.requestId(HandleMessages.next(socket.getInputStream()))).isEqualTo(201);
            assertThat(socket.getInputStream().read()).isNegative();
        }
    }

    @Test
    void whatFollowsARequestThatDoesNotKeepTheConnectionIsNotAnswered() throws Exception {
        try (TestListeners host = TestListeners.start(TestListeners.PATIENT, TestListeners.echo(), TestListeners.telling());
                Socket socket = HandleMessages.connect(host.tcp())) {
            socket.getOutputStream().write(HandleMessages.resolve(1, "1234/1"));
            assertThat(HandleMessages.requestId(HandleMessages.next(socket.getInputStream()))).isEqualTo(1);
            assertThat(socket.getInputStream().read()).isNegative();
        }
    }

    @Test
    void aLongListWaitsForItsReceiver() throws Exception {
        int parts = 200;
        String text = "x".repeat(100_000);
        try (TestListeners host = TestListeners.start(
                        TestListeners.PATIENT,
                        (call, replies) -> {
                            try {
                                for (int i = 1; i <= parts; i++) {
                                    replies.message(HandleMessages.answer(call.message(), i < parts, text), i == parts);
                                }
                            } catch (IOException e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        TestListeners.telling());
                Socket socket = HandleMessages.connect(host.tcp())) {
            socket.getOutputStream().write(HandleMessages.resolve(5, "0.NA/1234"));
            for (int i = 1; i <= parts; i++) {
                HandleMessage part = HandleMessage.read(HandleMessages.next(socket.getInputStream()));
                assertThat(part.header().has(OpFlag.CONT)).isEqualTo(i < parts);
            }
            assertThat(socket.getInputStream().read()).isNegative();
        }
    }

    @Test
    void aReceiverThatTakesNothingIsLeftAlone() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        HttpServerSettings impatient = TestListeners.patient(60_000, 300);
        try (TestListeners host = TestListeners.start(
                        impatient,
                        (call, replies) -> {
                            try {
                                for (int i = 0; i < 1000; i++) {
                                    replies.message(HandleMessages.answer(call.message(), true, "x".repeat(100_000)), false);
                                }
                            } catch (IOException e) {
                                gone.countDown();
                            }
                        },
                        TestListeners.telling());
                Socket socket = HandleMessages.connect(host.tcp())) {
            socket.getOutputStream().write(HandleMessages.resolve(5, "0.NA/1234"));
            gone.await();
            assertThat(host.count(ConnectionCounter.CONNECTIONS_ABORTED_SLOW_RECEIVER)).isEqualTo(1);
        }
    }

    @Test
    void aStreamFollowsItsMessageInTls() throws Exception {
        byte[] raw = new byte[3_000_000];
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair keys = generator.generateKeyPair();
        ServerIdentity identity = new ServerIdentity(folder, null, new SecureRandom());
        TlsContext tls = identity.tls(keys, "a test", List.of(), false);
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("server", identity.certificate(keys, "a test", List.of()));
        TrustManagerFactory trusts = TrustManagerFactory.getInstance("PKIX");
        trusts.init(trust);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trusts.getTrustManagers(), null);
        try (TestListeners host = TestListeners.start(
                        TestListeners.PATIENT,
                        (call, replies) -> {
                            try {
                                replies.message(HandleMessages.answer(call.message(), true, "begin"), false);
                                for (int at = 0; at < raw.length; at += 100_000) {
                                    replies.stream(raw, at, 100_000);
                                }
                            } catch (IOException e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        TestListeners.telling(),
                        tls);
                Socket socket = HandleMessages.connect(host.tcp())) {
            socket.getOutputStream().write(HandleMessages.resolve(5, "/", OpFlag.KPAL));
            HandleMessages.next(socket.getInputStream());
            assertThat(socket.getInputStream().readNBytes(4)).containsExactly('T', 'L', 'S', 0);
            try (Socket secure = context.getSocketFactory().createSocket(socket, "localhost", 0, true)) {
                assertThat(secure.getInputStream().readAllBytes()).hasSize(raw.length);
            }
        }
    }

    @Test
    void theLongestMessageIsTakenInPieces() throws Exception {
        try (TestListeners host = TestListeners.start(TestListeners.PATIENT, TestListeners.echo(), TestListeners.telling());
                Socket socket = HandleMessages.connect(host.tcp())) {
            byte[] longest = HandleMessages.longest(9);
            assertThat(longest).hasSize(20 + 262_144);
            for (int at = 0; at < longest.length; at += 10_000) {
                socket.getOutputStream().write(longest, at, Math.min(10_000, longest.length - at));
            }
            assertThat(HandleMessages.requestId(HandleMessages.next(socket.getInputStream()))).isEqualTo(9);
        }
    }

    @Test
    void aLongerOneIsRefusedByItsEnvelope() throws Exception {
        try (TestListeners host = TestListeners.start(TestListeners.PATIENT, TestListeners.echo(), TestListeners.telling());
                Socket socket = HandleMessages.connect(host.tcp())) {
            byte[] envelope = java.util.Arrays.copyOf(HandleMessages.longest(9), 20);
            envelope[19] = 1;
            socket.getOutputStream().write(envelope);
            HandleMessage answer = HandleMessage.read(HandleMessages.next(socket.getInputStream()));
            assertThat(answer.responseCode()).contains(ResponseCode.PROTOCOL_ERROR);
            assertThat(socket.getInputStream().read()).isNegative();
            assertThat(host.count(ConnectionCounter.REQUESTS_REFUSED_TOO_LONG)).isEqualTo(1);
        }
    }

    @Test
    void halfAMessageIsWaitedForSoLong() throws Exception {
        try (TestListeners host = TestListeners.start(PRESSED, TestListeners.echo(), TestListeners.telling());
                Socket socket = HandleMessages.connect(host.tcp())) {
            socket.getOutputStream().write(HandleMessages.resolve(1, "1234/1"), 0, 30);
            assertThat(socket.getInputStream().read()).isNegative();
            assertThat(host.count(ConnectionCounter.CONNECTIONS_ABORTED_SLOW_SENDER)).isEqualTo(1);
            assertThat(host.count(ConnectionCounter.CONNECTIONS_ABORTED_IDLE)).isZero();
        }
    }

    /** 131 kB may be underway for eight seconds, at 16 bytes in each millisecond. */
    @Test
    void aLongMessageMayTakeLonger() throws Exception {
        try (TestListeners host = TestListeners.start(
                        TestListeners.pressed(2), TestListeners.echo(), TestListeners.telling());
                Socket upload = HandleMessages.connect(host.tcp());
                Socket half = HandleMessages.connect(host.tcp())) {
            byte[] longest = HandleMessages.longest(9);
            upload.getOutputStream().write(longest, 0, longest.length / 2);
            half.getOutputStream().write(longest, 0, 30);
            assertThat(half.getInputStream().read()).isNegative();
            upload.getOutputStream().write(longest, longest.length / 2, longest.length - longest.length / 2);
            assertThat(HandleMessages.requestId(HandleMessages.next(upload.getInputStream()))).isEqualTo(9);
        }
    }

    @Test
    void aSilentConnectionIsClosed() throws Exception {
        try (TestListeners host = TestListeners.start(
                        TestListeners.patient(200, 10_000), TestListeners.echo(), TestListeners.telling());
                Socket socket = HandleMessages.connect(host.tcp())) {
            assertThat(socket.getInputStream().read()).isNegative();
            assertThat(host.count(ConnectionCounter.CONNECTIONS_ABORTED_IDLE)).isEqualTo(1);
        }
    }

    @Test
    void aMessageThatIsCutOffIsAnswered() throws Exception {
        try (TestListeners host = TestListeners.start(TestListeners.PATIENT, TestListeners.echo(), TestListeners.telling());
                Socket socket = HandleMessages.connect(host.tcp())) {
            socket.getOutputStream().write(HandleMessages.resolve(1, "1234/1"), 0, 30);
            socket.shutdownOutput();
            HandleMessage answer = HandleMessage.read(HandleMessages.next(socket.getInputStream()));
            assertThat(answer.responseCode()).contains(ResponseCode.PROTOCOL_ERROR);
            assertThat(socket.getInputStream().read()).isNegative();
        }
    }

    @Test
    void whoSendsNothingMoreIsStillAnswered() throws Exception {
        try (TestListeners host = TestListeners.start(TestListeners.PATIENT, TestListeners.echo(), TestListeners.telling());
                Socket socket = HandleMessages.connect(host.tcp())) {
            socket.getOutputStream().write(HandleMessages.resolve(3, "1234/1", OpFlag.KPAL));
            socket.shutdownOutput();
            assertThat(HandleMessages.requestId(HandleMessages.next(socket.getInputStream()))).isEqualTo(3);
            assertThat(socket.getInputStream().read()).isNegative();
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
                                replies.message(HandleMessages.answer(call.message(), false, "at last"), true);
                            } catch (InterruptedException | IOException e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        TestListeners.telling());
                Socket first = HandleMessages.connect(host.tcp())) {
            first.getOutputStream().write(HandleMessages.resolve(1, "1234/1"));
            assertThat(RunningServer.eventually(() -> host.host().inFlight() == 1)).isTrue();
            HandleMessage second = HandleMessages.overTcp(host.tcp(), HandleMessages.resolve(2, "1234/2"));
            assertThat(second.responseCode()).contains(ResponseCode.BUSY);
            assertThat(second.envelope().requestId()).isEqualTo(2);
            go.countDown();
            assertThat(HandleMessages.requestId(HandleMessages.next(first.getInputStream()))).isEqualTo(1);
        }
    }

    @Test
    void aFaultOfTheServiceIsAnswered() throws Exception {
        try (TestListeners host = TestListeners.start(
                TestListeners.PATIENT,
                (call, replies) -> {
                    throw new IllegalStateException("a fault of this test");
                },
                TestListeners.telling())) {
            assertThat(HandleMessages.overTcp(host.tcp(), HandleMessages.resolve(4, "1234/1")).responseCode()).contains(ResponseCode.ERROR);
            assertThat(host.count(ConnectionCounter.CONNECTION_FAULTS)).isEqualTo(1);
        }
    }

    @Test
    void connectionsAboveTheBoundAreClosedAtOnce() throws Exception {
        try (TestListeners host = TestListeners.start(
                        TestListeners.bounded(1, 10), TestListeners.echo(), TestListeners.telling());
                Socket first = HandleMessages.connect(host.tcp());
                Socket second = HandleMessages.connect(host.tcp());
                InputStream none = second.getInputStream()) {
            assertThat(none.read()).isNegative();
            assertThat(host.count(ConnectionCounter.CONNECTIONS_ABORTED_CONNECTIONS_MAX)).isEqualTo(1);
            first.getOutputStream().write(HandleMessages.resolve(1, "1234/1"));
            assertThat(HandleMessages.requestId(HandleMessages.next(first.getInputStream()))).isEqualTo(1);
        }
    }
}
