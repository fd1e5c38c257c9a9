package io.guidepost.server.handle.connection;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.guidepost.server.RunningServer;
import io.guidepost.server.handle.HandleMessages;
import io.guidepost.server.handle.TestListeners;
import io.guidepost.server.handle.TlsGreetings;
import io.guidepost.server.http.ConnectionCounter;
import io.guidepost.server.http.HttpServerSettings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections on which nothing is asked, or half of something: they cost little, and keep nobody from an answer. */
class ManyConnectionsTest {
    /** What is sent on each, and where to. */
    enum Slow {
        NOTHING,
        HALF_A_MESSAGE,
        HALF_A_GET,
        HALF_A_POST,
        HALF_A_GREETING;

        InetSocketAddress of(TestListeners host) {
            return this == NOTHING || this == HALF_A_MESSAGE ? host.tcp() : host.http();
        }

        byte[] bytes() throws Exception {
            return switch (this) {
                case NOTHING -> new byte[0];
                case HALF_A_MESSAGE -> Arrays.copyOf(HandleMessages.resolve(1, "1234/1"), 30);
                case HALF_A_GET -> "GET / HTTP/1.1\r\nHost: a\r\n".getBytes(US_ASCII);
                case HALF_A_POST -> "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf".getBytes(US_ASCII);
                case HALF_A_GREETING -> Arrays.copyOf(TlsGreetings.greeting(), 100);
            };
        }
    }

    private static final int WANTED = 10_000;
    private static final int LEAST = 2_000;

    /** Files that the process may open besides while the test runs. */
    private static final int OTHERS = 1_000;

    /** Both ends are in this process, and the other end is not the server's. */
    private static final long BYTES_MAX = 8192;

    @TempDir
    private Path folder;

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @ParameterizedTest
    @EnumSource
    void thousandsOfSlowConnectionsCostLittle(Slow slow) throws Exception {
        long files = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount()
                : 0;
        int number = (int) Math.min(WANTED, (files - OTHERS) / 2);
        assumeTrue(number >= LEAST, "this process may open no more than " + files + " files: raise that (ulimit -n)");
        List<SocketChannel> slowly = new ArrayList<>(number);
        // As patient as it can be: all of them are there at once.
        HttpServerSettings patient = TestListeners.patient(600_000, 600_000);
        try (TestListeners host = TestListeners.start(patient, TestListeners.echo(), TestListeners.telling(), TlsGreetings.tls(folder))) {
            byte[] bytes = slow.bytes();
            connect(slow.of(host), 100, bytes, slowly);
            awaitAll(host, slowly);
            long before = used();
            connect(slow.of(host), number - 100, bytes, slowly);
            awaitAll(host, slowly);
            assertThat((used() - before) / number)
                    .as("bytes of heap for both ends of a connection, of " + number)
                    .isLessThan(BYTES_MAX);
            try (Socket socket = HandleMessages.connect(host.tcp());
                    Socket web = HandleMessages.connect(host.http())) {
                socket.getOutputStream().write(HandleMessages.resolve(1, "1234/1"));
                assertThat(HandleMessages.requestId(HandleMessages.next(socket.getInputStream()))).isEqualTo(1);
                web.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".getBytes(US_ASCII));
                assertThat(new String(web.getInputStream().readAllBytes(), US_ASCII)).startsWith("HTTP/1.1 200");
            }
            assertThat(host.count(ConnectionCounter.CONNECTIONS_ABORTED_CONNECTIONS_MAX)).isZero();
            assertThat(host.count(ConnectionCounter.CONNECTIONS_ABORTED_SLOW_SENDER)
                            + host.count(ConnectionCounter.CONNECTIONS_ABORTED_IDLE))
                    .isZero();
            // As long as the server has them, they are files of this process.
            close(slowly);
            assertThat(RunningServer.eventually(() -> host.connections() == 0)).isTrue();
        } finally {
            close(slowly);
        }
    }

    private static void close(List<SocketChannel> slowly) throws IOException {
        for (SocketChannel each : slowly) {
            each.close();
        }
    }

    private static void awaitAll(TestListeners host, List<SocketChannel> open) throws Exception {
        assertThat(RunningServer.eventually(() -> host.connections() == open.size())).isTrue();
    }

    private static void connect(InetSocketAddress to, int number, byte[] bytes, List<SocketChannel> into)
            throws IOException {
        for (int i = 0; i < number; i++) {
            SocketChannel channel = SocketChannel.open(to);
            into.add(channel);
            channel.write(ByteBuffer.wrap(bytes));
        }
    }
}
