package io.guidepost.server.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.guidepost.server.RunningServer;
import io.guidepost.server.web.HostSettings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Connections on which nothing is asked: they cost little, and keep nobody from an answer. */
class ManyConnectionsTest {
    private static final int WANTED = 10_000;
    private static final int LEAST = 2_000;

    /** Files that the process has open besides. */
    private static final int OTHERS = 1_000;

    /** Both ends are in this process, and the other end is not the server's. */
    private static final long BYTES_MAX = 8192;

    private static long used() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    void thousandsOfSilentConnectionsCostLittle() throws Exception {
        long files = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount()
                : 0;
        int number = (int) Math.min(WANTED, (files - OTHERS) / 2);
        assumeTrue(number >= LEAST, "a process may have " + files + " files open: raise that (ulimit -n)");
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

    private static void connect(InetSocketAddress to, int number, List<SocketChannel> into) throws IOException {
        for (int i = 0; i < number; i++) {
            into.add(SocketChannel.open(to));
        }
    }
}
