package io.guidepost.server.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.guidepost.server.RunningServer;
import io.guidepost.server.web.HostSettings;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections on which nothing is asked: they cost little, and keep nobody from an answer. */
class ManyConnectionsTest {
    private static final int WANTED = 10_000;
    private static final int LEAST = 2_000;

    /** Files that the process has open besides. */
    private static final int OTHERS = 1_000;

    private static final int GOOD = 500;
    private static final int HALF = 30;

    /** Both ends are in this process, and the other end is not the server's. */
    private static final long BYTES_MAX = 8192;

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static int number() {
        long files = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount()
                : 0;
        int number = (int) Math.min(WANTED, (files - OTHERS) / 2);
        assumeTrue(number >= LEAST, "a process may have " + files + " files open: raise that (ulimit -n)");
        return number;
    }

    @Test
    void thousandsOfSilentConnectionsCostLittle() throws Exception {
        int number = number();
        List<SocketChannel> silent = new ArrayList<>(number);
        try (TestHost host = TestHost.start(HostSettings.STANDARD, TestHost.echo(), TestHost.telling())) {
            connect(host.tcp(), 100, silent);
            assertThat(RunningServer.eventually(() -> host.host().counts().connections() == silent.size())).isTrue();
            long before = used();
            connect(host.tcp(), number - 100, silent);
            assertThat(RunningServer.eventually(() -> host.host().counts().connections() == silent.size())).isTrue();
            assertThat((used() - before) / number)
                    .as("bytes of heap for both ends of a connection, of " + number)
                    .isLessThan(BYTES_MAX);
            try (Socket socket = Ask.connect(host.tcp())) {
                socket.getOutputStream().write(Ask.resolve(1, "1234/1"));
                assertThat(Ask.requestId(Ask.next(socket.getInputStream()))).isEqualTo(1);
            }
        } finally {
            for (SocketChannel each : silent) {
                each.close();
            }
        }
    }

    /** Promise 9: whoever sends the first bytes of a message, and no more, keeps nobody from an answer. */
    @Test
    void thousandsOfHalfMessagesKeepNobodyFromAnAnswer() throws Exception {
        int number = number();
        List<SocketChannel> slow = new ArrayList<>(number);
        byte[] message = Ask.resolve(1, "1234/1");
        try (TestHost host = TestHost.start(
                HostSettings.STANDARD.withTimes(600_000, 600_000), TestHost.echo(), TestHost.telling())) {
            connect(host.tcp(), 100, slow);
            sendHalf(slow, 0, message);
            assertThat(RunningServer.eventually(() -> host.host().counts().connections() == slow.size())).isTrue();
            long before = used();
            long direct = direct();
            connect(host.tcp(), number - 100, slow);
            sendHalf(slow, 100, message);
            assertThat(RunningServer.eventually(() -> host.host().counts().connections() == slow.size())).isTrue();
            long[] nanos = new long[GOOD];
            for (int i = 0; i < GOOD; i++) {
                long begun = System.nanoTime();
                try (Socket socket = Ask.connect(host.tcp())) {
                    socket.getOutputStream().write(message);
                    assertThat(Ask.requestId(Ask.next(socket.getInputStream()))).isEqualTo(1);
                }
                nanos[i] = System.nanoTime() - begun;
            }
            Arrays.sort(nanos);
            System.out.printf(
                    "%d half messages: %d bytes of heap and %d off it for both ends of one; of %d others p50 %.2f ms, p99 %.2f ms%n",
                    number,
                    (used() - before) / number,
                    (direct() - direct) / number,
                    GOOD,
                    nanos[GOOD / 2] / 1e6,
                    nanos[GOOD * 99 / 100] / 1e6);
            assertThat((used() - before) / number).isLessThan(BYTES_MAX);
            // The other half comes, and each gets its answer.
            for (SocketChannel each : slow) {
                each.write(ByteBuffer.wrap(message, HALF, message.length - HALF));
            }
            for (SocketChannel each : slow) {
                assertThat(Ask.requestId(Ask.next(each.socket().getInputStream()))).isEqualTo(1);
            }
        } finally {
            for (SocketChannel each : slow) {
                each.close();
            }
        }
    }

    /** Memory off the heap that buffers of the network take, both of the server's and of what the test reads with. */
    private static long direct() {
        return ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider provider
                ? provider.metric().usedDirectMemory()
                : 0;
    }

    private static void sendHalf(List<SocketChannel> to, int from, byte[] message) throws IOException {
        for (SocketChannel each : to.subList(from, to.size())) {
            each.write(ByteBuffer.wrap(message, 0, HALF));
        }
    }

    private static void connect(InetSocketAddress to, int number, List<SocketChannel> into) throws IOException {
        for (int i = 0; i < number; i++) {
            into.add(SocketChannel.open(to));
        }
    }
}
