package io.guidepost.server.cli.handle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.HandleClientSettings;
import io.guidepost.handle.client.HandleEndpoint;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.server.handle.PinnedTrust;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lists that are longer than the memory of the server, a process of its own: over every transport, to many at a time, and
 * to some who read the first of it and then nothing for a while. The read index is kept small, so that memory off the heap
 * that grows is the lists'.
 */
class LongListsTest {
    /** Ciphers are an exception among tests: the second compiler of the JVM makes them several times faster. */
    private static final List<String> MEMORY = List.of(
            "-Xms16m", "-Xmx48m", "-XX:MaxDirectMemorySize=32m", "-XX:+ExitOnOutOfMemoryError", "-XX:TieredStopAtLevel=4");
    private static final List<String> SETTINGS =
            List.of("store.memory=32 MiB", "http.idle-millis=100000");
    private static final int SLOW_OF_EACH = 2;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    @TempDir
    private Path folder;

    private int handles;
    private int nameBytes;
    private int tcp;
    private int http;

    @Test
    void aListLongerThanTheServersMemory() throws Exception {
        lists(26_000, 2000);
    }

    @Test
    @Tag("long")
    void aListOfAMillionHandles() throws Exception {
        lists(1_000_000, 100);
    }

    private String name(int number) {
        String start = "1234/" + number + "-";
        return start + "x".repeat(nameBytes - start.length());
    }

    private void moveIn() throws Exception {
        HandleServerProcess.moveIn(folder, out -> {
            for (int i = 1; i < handles; i++) {
                out.write("\nCREATE " + name(i) + "\n1 URL 86400 1110 UTF8 https://example.org/\n");
            }
        });
    }

    private HandleClient client(SiteInterface.Transport transport, int port) throws IOException {
        return HandleClient.at(
                List.of(HandleEndpoint.of(transport, new InetSocketAddress(InetAddress.getLoopbackAddress(), port))),
                HandleClientSettings.DEFAULT
                        .withTimeout(PATIENCE)
                        .withIdentity(new ClientIdentity.SecretHolder(
                                new ValueReference(Handle.ofPrefix("1234"), 301),
                                HandleServerProcess.SECRET.getBytes(UTF_8))));
    }

    /** Reads a list over the native protocol, the first of it and then nothing until it may go on. */
    private long overMessages(SiteInterface.Transport transport, int port, CountDownLatch begun, CountDownLatch go)
            throws Exception {
        try (HandleClient client = client(transport, port)) {
            long[] count = new long[1];
            HandleResult outcome = client.list(Handle.ofPrefix("1234"), _ -> {
                if (count[0]++ == 0) {
                    begun.countDown();
                    await(go);
                }
                return true;
            });
            assertThat(outcome.success()).as(outcome.text()).isTrue();
            return count[0];
        }
    }

    private static void await(CountDownLatch go) {
        try {
            go.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same in JSON. */
    private long overJson(String page, CountDownLatch begun, CountDownLatch go) throws Exception {
        String user = Base64.getEncoder().encodeToString(HandleServerProcess.USER.getBytes(UTF_8));
        try (HttpClient client = HttpClient.newBuilder()
                .sslContext(PinnedTrust.in(HandleServerProcess.certificate(folder)))
                .version(HttpClient.Version.HTTP_1_1)
                .build()) {
            HttpResponse<InputStream> response = client.send(
                    HttpRequest.newBuilder(
                                    URI.create("https://127.0.0.1:" + http + "/api/handles?prefix=1234" + page))
                            .header("Authorization", "Basic " + user)
                            .build(),
                    HttpResponse.BodyHandlers.ofInputStream());
            assertThat(response.statusCode()).isEqualTo(200);
            try (InputStream in = response.body()) {
                begun.countDown();
                await(go);
                long slashes = 0;
                byte[] part = new byte[1 << 16];
                for (int length = in.read(part); length >= 0; length = in.read(part)) {
                    for (int i = 0; i < length; i++) {
                        slashes += part[i] == '/' ? 1 : 0;
                    }
                }
                return slashes;
            }
        }
    }

    private void lists(int number, int bytes) throws Exception {
        handles = number;
        nameBytes = bytes;
        moveIn();
        CountDownLatch none = new CountDownLatch(0);
        CountDownLatch any = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(3 * SLOW_OF_EACH);
        CountDownLatch go = new CountDownLatch(1);
        try (HandleServerProcess server = HandleServerProcess.start(folder, MEMORY, SETTINGS);
                ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            tcp = server.tcp();
            http = server.http();
            assertThat(overMessages(SiteInterface.Transport.TCP, tcp, any, none)).isEqualTo(handles - 1);
            long before = server.memoryOfItsOwn();
            List<Future<Long>> slow = new ArrayList<>();
            for (int i = 0; i < SLOW_OF_EACH; i++) {
                slow.add(readers.submit(() -> overMessages(SiteInterface.Transport.TCP, tcp, begun, go)));
                slow.add(readers.submit(() -> overMessages(SiteInterface.Transport.HTTP, http, begun, go)));
                slow.add(readers.submit(() -> overJson("", begun, go)));
            }
            await(begun);
            try {
                assertThat(overMessages(SiteInterface.Transport.TCP, tcp, any, none)).isEqualTo(handles - 1);
                assertThat(overMessages(SiteInterface.Transport.HTTP, http, any, none)).isEqualTo(handles - 1);
                assertThat(overJson("", any, none)).isEqualTo(handles - 1);
                assertThat(overJson("&page=" + (handles / 1000 - 1) + "&pageSize=1000", any, none)).isEqualTo(999);
                assertThat(server.memoryOfItsOwn() - before)
                        .as("bytes more with %d lists of which the first was read, each of %d bytes", slow.size(), names())
                        .isLessThan(slow.size() * names() / 2);
            } finally {
                go.countDown();
            }
            for (Future<Long> each : slow) {
                assertThat(each.get()).as("who was slow gets all of it too").isEqualTo(handles - 1);
            }
            assertThat(server.memoryOfItsOwn() - before)
                    .as("bytes more when all are read")
                    .isLessThan(slow.size() * names() / 2);
        }
    }

    private long names() {
        return (long) handles * nameBytes;
    }
}
