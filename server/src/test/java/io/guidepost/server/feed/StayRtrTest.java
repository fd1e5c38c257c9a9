package io.guidepost.server.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.server.config.Configuration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cache that we did not write: StayRTR, in both versions of the protocol that we speak, and in one that we do not. */
class StayRtrTest {
    private static final Duration WAIT = Duration.ofMinutes(2);
    private static final String PROGRAM = "/usr/bin/stayrtr";

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void roas(Path file, String... roas) throws IOException {
        Path next = file.resolveSibling("next.json");
        Files.writeString(next, "{\"metadata\":{},\"roas\":[" + String.join(",", roas) + "]}");
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String roa(String prefix, int maxLength, long as) {
        return "{\"asn\":" + as + ",\"prefix\":\"" + prefix + "\",\"maxLength\":" + maxLength + ",\"ta\":\"test\"}";
    }

    private static void await(FeedService feeds, BooleanSupplier condition) {
        FeedCondition.so(WAIT, () -> feeds.status().toString(), condition);
    }

    private static boolean has(FeedService feeds, long ipv4, long ipv6) {
        FeedStatus status = feeds.feeds().getFirst();
        return status.up() && status.routesIpv4() == ipv4 && status.routesIpv6() == ipv6;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void itTellsAndTellsAgain(int version, @TempDir Path folder) throws Exception {
        assumeTrue(Files.isExecutable(Path.of(PROGRAM)), "needs stayrtr");
        Path file = folder.resolve("vrps.json");
        roas(file, roa("192.0.2.0/24", 24, 64_500), roa("2001:db8::/32", 48, 4_200_000_000L));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), freePort());
        Process cache = new ProcessBuilder(PROGRAM, "-bind", "127.0.0.1:" + address.getPort(), "-metrics.addr", "127.0.0.1:0",
                        "-cache", file.toString(), "-checktime=false", "-refresh", "1", "-protocol", Integer.toString(version))
                .redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile()).start();
        try (LiveNetwork live = new LiveNetwork()) {
            // It is there when its port is.
            FeedCondition.so(WAIT, () -> "stayrtr does not listen: " + cache, () -> isOpen(address));
            FeedSettings settings = FeedSettings.of(Configuration.load(
                    null, Map.of(), List.of("proximity.rpki-caches=[\"127.0.0.1:" + address.getPort() + "\"]")));
            try (FeedService feeds = RunningFeeds.open(settings, live)) {
                await(feeds, () -> has(feeds, 1, 1));
                roas(file, roa("192.0.2.0/24", 24, 64_500), roa("198.51.100.0/24", 24, 64_501), roa("203.0.113.0/24", 24, 0));
                await(feeds, () -> has(feeds, 3, 0));
                assertThat(feeds.feeds().getFirst().faults()).isZero();
                assertThat(feeds.feeds().getFirst().sessions()).isEqualTo(1);
                cache.destroyForcibly().waitFor();
                await(feeds, () -> !feeds.conditions().isEmpty());
            }
        } finally {
            cache.destroyForcibly().waitFor();
        }
    }

    private static boolean isOpen(InetSocketAddress address) {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
