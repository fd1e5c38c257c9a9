package io.guidepost.scaffold.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.ObjectKey;
import io.guidepost.scaffold.wire.MessageType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a peer that does not keep to the rules can have of a listener. */
@Timeout(120)
class StreamBoundsTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final ObjectKey object = ObjectKey.generate(RANDOM);
    private final CountDownLatch ended = new CountDownLatch(1);
    private UdpObjectRouter router;
    private RouterLink client;

    @BeforeEach
    void open() throws Exception {
        router = new UdpObjectRouter();
        client = RouterLink.open(HostKey.generate(RANDOM), List.of(InetAddress.ofLiteral("127.0.0.9")), 0, router.at());
    }

    @AfterEach
    void close() throws Exception {
        ended.countDown();
        client.close();
        router.close();
    }

    private StreamInstance instance(String allowed) throws Exception {
        return new StreamInstance(router.at(), () -> Long.MAX_VALUE, allowed, List.of("127.0.0.2"))
                .offer(object, "web", null, channel -> {
                    try {
                        ended.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                });
    }

    private static Socket socket(StreamInstance instance) throws IOException {
        return new Socket(instance.listener.at().getAddress(), instance.listener.at().getPort());
    }

    private StreamConnection opened(Socket socket, Guid instance) throws Exception {
        StreamConnection connection = new StreamConnection(socket);
        StreamHandshake handshake = new StreamHandshake(client, connection);
        StreamHandshake.Request request =
                new StreamHandshake.Request(MessageType.SYN, 0, 5, 0, object.guid(), instance, new byte[0]);
        Association agreed = handshake.ask(request);
        handshake.answered(request, agreed);
        return connection;
    }

    /** The connection ends, behind what was on its way, and is counted a moment later. */
    private static void isReset(StreamInstance instance, StreamConnection connection) {
        assertThatThrownBy(() -> {
                    while (true) {
                        connection.read();
                    }
                })
                .isInstanceOf(IOException.class);
        while (instance.link.count(StreamCount.STREAMS_RESET) == 0) {
            Thread.onSpinWait();
        }
        assertThat(instance.link.count(StreamCount.DROPS_MALFORMED)).isEqualTo(1);
    }

    @Test
    void moreThanTheWindowEndsTheStream() throws Exception {
        try (StreamInstance instance = instance("127.0.0.0/8");
                Socket socket = socket(instance)) {
            StreamConnection connection = opened(socket, instance.service().instance());
            connection.write(new StreamFrame(StreamFrame.Kind.NEXT, 0, 0), new byte[0]);
            byte[] bytes = new byte[StreamLimits.DATA_BYTES_MAX];
            assertThat(connection.read()).isEqualTo(new StreamFrame(StreamFrame.Kind.NEXT, 0, 0));
            for (long at = 0; at < StreamLimits.WINDOW_BYTES; at += bytes.length) {
                connection.write(new StreamFrame(StreamFrame.Kind.DATA, at, bytes.length), bytes);
            }
            assertThat(instance.link.count(StreamCount.DROPS_MALFORMED)).isZero();
            connection.write(new StreamFrame(StreamFrame.Kind.DATA, StreamLimits.WINDOW_BYTES, 1), bytes);
            isReset(instance, connection);
        }
    }

    @Test
    void bytesBehindAGapEndTheStream() throws Exception {
        try (StreamInstance instance = instance("127.0.0.0/8");
                Socket socket = socket(instance)) {
            StreamConnection connection = opened(socket, instance.service().instance());
            connection.write(new StreamFrame(StreamFrame.Kind.DATA, 1, 1), new byte[1]);
            isReset(instance, connection);
        }
    }

    @Test
    void whatIsNotOfferedCannotBeReached() throws Exception {
        try (StreamInstance instance = instance("127.0.0.0/8");
                Socket socket = socket(instance)) {
            assertThatThrownBy(() -> opened(socket, Guid.ofAscii("other")))
                    .isInstanceOf(StreamHandshake.Refused.class)
                    .hasMessage("the host knows no such flow");
        }
    }

    @Test
    void aHostThatIsNotAllowedIsToldSo() throws Exception {
        try (StreamInstance instance = instance(Guid.ofAscii("another").toString());
                Socket socket = socket(instance)) {
            assertThatThrownBy(() -> opened(socket, instance.service().instance()))
                    .isInstanceOf(StreamHandshake.Refused.class)
                    .hasMessage("the host may not do that");
            assertThat(instance.link.count(StreamCount.DROPS_NOT_ALLOWED)).isEqualTo(1);
        }
    }

    @Test
    void connectionsThatSayNothingAreBounded() throws Exception {
        List<Socket> open = new ArrayList<>();
        try (StreamInstance instance = instance("127.0.0.0/8")) {
            for (int i = 0; i < StreamLimits.HALF_OPEN_MAX; i++) {
                open.add(socket(instance));
                assertThat(open.getLast().getInputStream().read()).isPositive();
            }
            try (Socket more = socket(instance)) {
                assertThat(more.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(instance.link.count(StreamCount.DROPS_TOO_MANY)).isEqualTo(1);
        } finally {
            for (Socket each : open) {
                each.close();
            }
        }
    }

    /** Else a host that was forgotten would be agreed with by the same keys again, and what was recorded of it would be new. */
    @Test
    void noHostIsForgottenWithoutAnotherKey() throws Exception {
        try (StreamInstance server = instance("127.0.0.0/8")) {
            HostKey share = server.link.share();
            Association agreed = server.link.agree(client.own().open(), client.share().open());
            byte[] theirs = new byte[32];
            for (int i = 0; i <= StreamLimits.ASSOCIATIONS_MAX; i++) {
                ByteBuffer.wrap(theirs).putInt(i);
                server.link.keep(agreed, theirs);
            }
            assertThat(server.link.share()).isNotSameAs(share);
            assertThat(server.link.agree(client.own().open(), client.share().open()).isBy(share)).isFalse();
            opened(socket(server), server.service().instance()).close();
            opened(socket(server), server.service().instance()).close();
        }
    }
}
