package io.guidepost.scaffold.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Sha256;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.HostKey;
import io.guidepost.scaffold.key.ObjectKey;
import io.guidepost.scaffold.wire.MessageType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ServiceChannelTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final byte[] KEY = new byte[Continuation.KEY_BYTES];

    private final ObjectKey object = ObjectKey.generate(RANDOM);
    private UdpObjectRouter router;
    private RouterLink client;

    @BeforeEach
    void open() throws Exception {
        router = new UdpObjectRouter();
        client = RouterLink.open(HostKey.generate(RANDOM), List.of(InetAddress.ofLiteral("127.0.0.9")), 0, router.at());
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        router.close();
    }

    private static long never() {
        return Long.MAX_VALUE;
    }

    private static void echo(ServiceChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(10_000);
        while (channel.read(bytes.clear()) >= 0) {
            channel.write(bytes.flip());
        }
    }

    private static byte[] bytes(long seed, int count) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** Reads to the end. */
    private static byte[] hash(ServiceChannel channel) throws IOException {
        MessageDigest hash = Sha256.begin();
        ByteBuffer bytes = ByteBuffer.allocate(7_000);
        while (channel.read(bytes.clear()) >= 0) {
            hash.update(bytes.flip());
        }
        return hash.digest();
    }

    private static CompletableFuture<Void> send(ServiceChannel channel, byte[] bytes) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                channel.write(ByteBuffer.wrap(bytes));
                channel.shutdownOutput();
                done.complete(null);
            } catch (IOException e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private static byte[] read(ServiceChannel channel, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
        assertThat(bytes.remaining()).isZero();
        return bytes.array();
    }

    private static byte[] sha256(byte[] bytes) {
        MessageDigest hash = Sha256.begin();
        hash.update(bytes);
        return hash.digest();
    }

    @Test
    void bytesComeBackFromAnObject() throws Exception {
        try (StreamInstance instance = new StreamInstance(router.at(), ServiceChannelTest::never, "127.0.0.2")) {
            instance.offer(object, "web", null, ServiceChannelTest::echo);
            try (ServiceChannel channel = ServiceChannel.connect(client, "web")) {
                assertThat(channel.object()).isEqualTo(object.guid());
                channel.write(ByteBuffer.wrap(bytes(1, 100)));
                assertThat(read(channel, 100)).isEqualTo(bytes(1, 100));
                channel.shutdownOutput();
                assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
            assertThat(client.count(StreamCount.STREAMS_CONNECTED)).isEqualTo(1);
            assertThat(client.count(StreamCount.STREAMS_RESET)).isZero();
        }
    }

    @Test
    void megabytesOutliveConnectionsThatAreCutAgainAndAgain() throws Exception {
        Random random = new Random(7);
        LongSupplier until = () -> {
            synchronized (random) {
                return 50_000L + random.nextInt(400_000);
            }
        };
        byte[] all = bytes(2, 6 << 20);
        try (StreamInstance instance = new StreamInstance(router.at(), until, "127.0.0.2")) {
            instance.offer(object, "web", null, ServiceChannelTest::echo);
            try (ServiceChannel channel = ServiceChannel.connect(client, "web")) {
                CompletableFuture<Void> sent = send(channel, all);
                assertThat(hash(channel)).isEqualTo(sha256(all));
                sent.join();
            }
            assertThat(instance.relays.getFirst().cuts()).isGreaterThan(20);
            assertThat(client.count(StreamCount.STREAMS_RESUMED)).isGreaterThan(20);
            assertThat(client.count(StreamCount.STREAMS_RESET)).isZero();
        }
    }

    @Test
    void aStreamGoesOnAtAnotherPlaceOfTheInstance() throws Exception {
        try (StreamInstance instance = new StreamInstance(router.at(), ServiceChannelTest::never, "127.0.0.2", "127.0.0.3")) {
            instance.offer(object, "web", null, ServiceChannelTest::echo);
            try (ServiceChannel channel = ServiceChannel.connect(client, "web")) {
                channel.write(ByteBuffer.wrap(bytes(1, 100)));
                assertThat(read(channel, 100)).isEqualTo(bytes(1, 100));
                instance.relays.getFirst().close();
                channel.write(ByteBuffer.wrap(bytes(2, 300_000)));
                assertThat(read(channel, 300_000)).isEqualTo(bytes(2, 300_000));
            }
            assertThat(client.count(StreamCount.STREAMS_RESUMED)).isPositive();
        }
    }

    @Test
    void aPathThatFallsSilentIsLeft() throws Exception {
        try (StreamInstance instance = new StreamInstance(router.at(), ServiceChannelTest::never, "127.0.0.2")) {
            instance.offer(object, "web", null, ServiceChannelTest::echo);
            try (ServiceChannel channel = ServiceChannel.connect(client, "web")) {
                channel.write(ByteBuffer.wrap(bytes(1, 100)));
                assertThat(read(channel, 100)).isEqualTo(bytes(1, 100));
                instance.relays.getFirst().silence();
                channel.write(ByteBuffer.wrap(bytes(2, 300_000)));
                assertThat(read(channel, 300_000)).isEqualTo(bytes(2, 300_000));
            }
            assertThat(client.count(StreamCount.STREAMS_RESUMED)).isPositive();
        }
    }

    @Test
    void withoutAContinuationAStreamIsOverWithItsInstance() throws Exception {
        try (StreamInstance first = new StreamInstance(router.at(), ServiceChannelTest::never, "127.0.0.2");
                StreamInstance second = new StreamInstance(router.at(), ServiceChannelTest::never, "127.0.0.4")) {
            first.offer(object, "web", null, ServiceChannelTest::echo);
            try (ServiceChannel channel = ServiceChannel.connect(client, "web")) {
                channel.write(ByteBuffer.wrap(bytes(1, 100)));
                read(channel, 100);
                second.offer(object, "web", null, ServiceChannelTest::echo);
                first.kill();
                assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).hasMessageContaining("the instance is gone");
                assertThatThrownBy(() -> channel.write(ByteBuffer.allocate(1))).hasMessageContaining("the instance is gone");
            }
            try (ServiceChannel channel = ServiceChannel.connect(client, "web")) {
                channel.write(ByteBuffer.wrap(bytes(1, 100)));
                assertThat(read(channel, 100)).isEqualTo(bytes(1, 100));
            }
        }
    }

    /**
     * Counts bytes that come, and sends one million for each 1,000: what an instance has to know to go on is how many of both
     * there were.
     */
    private static void count(ServiceChannel channel, CountDownLatch served) throws IOException {
        long state = channel.restored().map(each -> ByteBuffer.wrap(each).getLong()).orElse(0L);
        long[] position = {state};
        ByteBuffer request = ByteBuffer.allocate(8);
        channel.continuation(ByteBuffer.allocate(8).putLong(position[0]).array());
        while (channel.read(request) >= 0) {
            if (!request.hasRemaining()) {
                long end = request.flip().getLong();
                request.clear();
                while (position[0] < end) {
                    byte[] next = new byte[(int) Math.min(5_000, end - position[0])];
                    for (int i = 0; i < next.length; i++) {
                        next[i] = byteAt(position[0] + i);
                    }
                    channel.write(ByteBuffer.wrap(next));
                    position[0] += next.length;
                    if (position[0] == end) {
                        channel.continuation(ByteBuffer.allocate(8).putLong(position[0]).array());
                    }
                }
                served.countDown();
            }
        }
    }

    private static byte byteAt(long position) {
        return (byte) (position * 31 + (position >>> 9));
    }

    private static byte[] expected(long from, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = byteAt(from + i);
        }
        return bytes;
    }

    private static ByteBuffer until(long end) {
        return ByteBuffer.allocate(8).putLong(0, end);
    }

    @Test
    void theNextInstanceGoesOnFromTheSealedContinuation() throws Exception {
        CountDownLatch served = new CountDownLatch(1);
        try (StreamInstance first = new StreamInstance(router.at(), ServiceChannelTest::never, "127.0.0.2");
                StreamInstance second = new StreamInstance(router.at(), ServiceChannelTest::never, "127.0.0.4")) {
            first.offer(object, "count", KEY, channel -> count(channel, served));
            try (ServiceChannel channel = ServiceChannel.connect(client, "count")) {
                second.offer(object, "count", KEY, channel2 -> count(channel2, served));
                channel.write(until(1_000_000));
                assertThat(read(channel, 600_000)).isEqualTo(expected(0, 600_000));
                // In the middle of an answer: the continuation is that of before it, and what came since is compared.
                first.kill();
                assertThat(read(channel, 400_000)).isEqualTo(expected(600_000, 400_000));
                channel.write(until(1_500_000));
                assertThat(read(channel, 500_000)).isEqualTo(expected(1_000_000, 500_000));
            }
            assertThat(client.count(StreamCount.STREAMS_CONTINUED)).isEqualTo(1);
            assertThat(second.link.count(StreamCount.STREAMS_SERVED)).isEqualTo(1);
        }
    }

    @Test
    void aDrainedInstanceGivesItsStreamsAway() throws Exception {
        CountDownLatch served = new CountDownLatch(1);
        try (StreamInstance first = new StreamInstance(router.at(), ServiceChannelTest::never, "127.0.0.2");
                StreamInstance second = new StreamInstance(router.at(), ServiceChannelTest::never, "127.0.0.4")) {
            first.offer(object, "count", KEY, channel -> count(channel, served));
            try (ServiceChannel channel = ServiceChannel.connect(client, "count")) {
                channel.write(until(1_000));
                assertThat(read(channel, 1_000)).isEqualTo(expected(0, 1_000));
                served.await();
                second.offer(object, "count", KEY, channel2 -> count(channel2, served));
                first.listener.drain(first.service());
                channel.write(until(2_000));
                assertThat(read(channel, 1_000)).isEqualTo(expected(1_000, 1_000));
            }
            assertThat(second.link.count(StreamCount.STREAMS_SERVED)).isEqualTo(1);
        }
    }

    @Test
    void aHostThatEndsLeavesAtOnce() throws Exception {
        try (StreamInstance instance = new StreamInstance(router.at(), ServiceChannelTest::never, "127.0.0.2")) {
            instance.offer(object, "web", null, channel -> {});
            assertThat(router.instances()).isEqualTo(1);
        }
        assertThat(router.instances()).isZero();
    }

    @Test
    void anotherInstanceThatSendsOtherBytesEndsTheStream() throws Exception {
        try (StreamInstance first = new StreamInstance(router.at(), ServiceChannelTest::never, "127.0.0.2");
                StreamInstance second = new StreamInstance(router.at(), ServiceChannelTest::never, "127.0.0.4")) {
            first.offer(object, "web", KEY, channel -> {
                channel.continuation(new byte[0]);
                channel.write(ByteBuffer.wrap(bytes(1, 1_000)));
                channel.read(ByteBuffer.allocate(1));
            });
            try (ServiceChannel channel = ServiceChannel.connect(client, "web")) {
                second.offer(object, "web", KEY, channel2 -> {
                    channel2.write(ByteBuffer.wrap(bytes(2, 2_000)));
                    channel2.read(ByteBuffer.allocate(1));
                });
                assertThat(read(channel, 1_000)).isEqualTo(bytes(1, 1_000));
                first.kill();
                assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1))).hasMessageContaining("other bytes");
            }
        }
    }

    @Test
    void aProgramThatCannotBeHadLeavesTheStreamToTheNextInstance() throws Exception {
        try (StreamInstance first = new StreamInstance(router.at(), ServiceChannelTest::never, "127.0.0.2");
                StreamInstance second = new StreamInstance(router.at(), ServiceChannelTest::never, "127.0.0.4")) {
            first.offer(object, "web", null, channel -> {
                throw new IOException("connection refused");
            });
            try (ServiceChannel channel = ServiceChannel.connect(client, "web")) {
                channel.write(ByteBuffer.wrap(bytes(1, 100)));
                second.offer(object, "web", null, ServiceChannelTest::echo);
                assertThat(read(channel, 100)).isEqualTo(bytes(1, 100));
            }
        }
    }

    @Test
    void nobodyElseResumesAStream() throws Exception {
        try (StreamInstance instance = new StreamInstance(router.at(), ServiceChannelTest::never, "127.0.0.2");
                RouterLink stranger = RouterLink.open(
                        HostKey.generate(RANDOM), List.of(InetAddress.ofLiteral("127.0.0.8")), 0, router.at())) {
            instance.offer(object, "web", null, ServiceChannelTest::echo);
            try (ServiceChannel channel = ServiceChannel.connect(client, "web")) {
                channel.write(ByteBuffer.wrap(bytes(1, 100)));
                read(channel, 100);
                long id = instance.listener.ids().getFirst();
                StreamHandshake.Request request = new StreamHandshake.Request(
                        MessageType.RSYN, id, 5, 9, object.guid(), instance.service().instance(), new byte[0]);
                assertThatThrownBy(() -> ask(stranger, instance, request)).isInstanceOf(StreamHandshake.Refused.class);

                // The bytes by which the client has opened the stream, from another place, and changed.
                byte[] recorded = instance.relays.getFirst().recorded();
                assertThat(answerBytes(instance, recorded)).isLessThanOrEqualTo(HELLO_FRAME_BYTES);
                recorded[StreamFrame.HEAD_BYTES + 20] ^= 1;
                assertThat(answerBytes(instance, recorded)).isLessThanOrEqualTo(HELLO_FRAME_BYTES);
                assertThat(instance.link.count(StreamCount.DROPS_SEAL)).isEqualTo(2);

                channel.write(ByteBuffer.wrap(bytes(2, 100)));
                assertThat(read(channel, 100)).isEqualTo(bytes(2, 100));
            }
        }
    }

    private static final int HELLO_FRAME_BYTES = StreamFrame.HEAD_BYTES + 28 + 35 + 35 + 11;

    private static void ask(RouterLink link, StreamInstance instance, StreamHandshake.Request request) throws Exception {
        try (Socket socket = new Socket(instance.listener.at().getAddress(), instance.listener.at().getPort())) {
            StreamHandshake handshake = new StreamHandshake(link, new StreamConnection(socket));
            Association agreed = handshake.ask(request);
            handshake.answered(request, agreed);
        }
    }

    /** Returns how many bytes come back for bytes. */
    private static int answerBytes(StreamInstance instance, byte[] bytes) throws IOException {
        try (Socket socket = new Socket(instance.listener.at().getAddress(), instance.listener.at().getPort())) {
            socket.getOutputStream().write(bytes);
            int count = 0;
            try {
                while (socket.getInputStream().read() >= 0) {
                    count++;
                }
            } catch (IOException e) {
                // The kernel tells that way that bytes were not read.
            }
            return count;
        }
    }

    @Test
    void aNameThatIsNotKnownIsRefusedWithTheReason() throws Exception {
        assertThatThrownBy(() -> ServiceChannel.connect(client, "nothing")).hasMessage("the object is not known");
    }

    @Test
    void whatWasWrittenBeforeTheCloseStillComes() throws Exception {
        CompletableFuture<byte[]> came = new CompletableFuture<>();
        byte[] all = bytes(3, 200_000);
        try (StreamInstance instance = new StreamInstance(router.at(), ServiceChannelTest::never, "127.0.0.2")) {
            instance.offer(object, "sink", null, channel -> came.complete(hash(channel)));
            try (ServiceChannel channel = ServiceChannel.connect(client, "sink")) {
                channel.write(ByteBuffer.wrap(all));
            }
            assertThat(came.join()).isEqualTo(sha256(all));
        }
    }
}
