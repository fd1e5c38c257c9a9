package io.guidepost.server.cli.handle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.HandleClientSettings;
import io.guidepost.handle.client.HandleEndpoint;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.server.handle.PinnedTrust;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a server with SIGKILL while clients create handles in sessions over TCP and by PUT over HTTPS, and looks whether
 * each that was acknowledged is there with its value, and what was not is there as it was sent or not at all.
 */
class HandlesKilledTest {
    private static final int CLIENTS_OF_EACH = 4;

    @TempDir
    private Path folder;

    private final Set<String> overTcp = ConcurrentHashMap.newKeySet();
    private final Set<String> overHttps = ConcurrentHashMap.newKeySet();
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();
    private final Semaphore acknowledgements = new Semaphore(0);
    private volatile boolean killed;

    @Test
    void nothingAcknowledgedIsLostByThreeKills() throws Exception {
        kill(3, 300);
    }

    @Test
    @Tag("long")
    void nothingAcknowledgedIsLostByThirtyKills() throws Exception {
        kill(30, 3000);
    }

    private void kill(int kills, int createsMax) throws Exception {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        HandleServerProcess.moveIn(folder, _ -> {});
        for (int round = 0; round < kills; round++) {
            try (HandleServerProcess server = start()) {
                check(server);
                createUntilKilled(server, round, random.nextInt(1, createsMax + 1));
            }
        }
        try (HandleServerProcess server = start()) {
            check(server);
            System.out.printf(
                    "%d kills, seed %d: %,d creates acknowledged over TCP, %,d over HTTPS, none missing; of %,d that had no "
                            + "answer %,d are there, whole%n",
                    kills, seed, overTcp.size(), overHttps.size(), unknown.size(), wholeOfUnknown(server));
        }
        assertThat(overTcp).isNotEmpty();
        assertThat(overHttps).isNotEmpty();
    }

    private HandleServerProcess start() throws Exception {
        return HandleServerProcess.start(folder, List.of("-Xmx256m"), List.of("store.durability=fsync"));
    }

    private void createUntilKilled(HandleServerProcess server, int round, int creates) throws Exception {
        acknowledgements.drainPermits();
        killed = false;
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < CLIENTS_OF_EACH; i++) {
                String name = "1234/" + round + "-" + i;
                all.add(clients.submit(() -> untilKilled(() -> createOverTcp(server, name + "-tcp-"))));
                all.add(clients.submit(() -> untilKilled(() -> createOverHttps(server, name + "-https-"))));
            }
            acknowledgements.acquire(creates);
            killed = true;
            server.kill();
            for (Future<?> each : all) {
                each.get();
            }
        }
    }

    private static String value(String name) {
        return "https://example.org/" + name;
    }

    private static HandleClient client(HandleServerProcess server) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.tcp());
        ClientIdentity who = new ClientIdentity.SecretHolder(
                new ValueReference(Handle.ofPrefix("1234"), 301), HandleServerProcess.SECRET.getBytes(UTF_8));
        return HandleClient.at(
                List.of(HandleEndpoint.of(SiteInterface.Transport.TCP, address)),
                HandleClientSettings.DEFAULT.withIdentity(who).withSession(true));
    }

    /** Runs what creates without end; that it fails is right once the server is killed, and not before. */
    private Void untilKilled(Callable<Void> creates) throws Exception {
        try {
            return creates.call();
        } catch (IOException e) {
            if (!killed) {
                throw e;
            }
            return null;
        } finally {
            // Whoever waits for so many acknowledgements is to hear of a failure.
            acknowledgements.release(1_000_000);
        }
    }

    private Void createOverTcp(HandleServerProcess server, String names) throws IOException {
        try (HandleClient client = client(server)) {
            for (int i = 0; ; i++) {
                String name = names + i;
                unknown.add(name);
                HandleResult outcome =
                        client.create(Handle.of(name), List.of(HandleValue.of(1, "URL", value(name))), false, false);
                assertThat(outcome.success()).as(name + ": " + outcome.text()).isTrue();
                acknowledged(name, overTcp);
            }
        }
    }

    private Void createOverHttps(HandleServerProcess server, String names) throws Exception {
        String user = Base64.getEncoder().encodeToString(HandleServerProcess.USER.getBytes(UTF_8));
        try (HttpClient client = HttpClient.newBuilder()
                .sslContext(PinnedTrust.in(HandleServerProcess.certificate(folder)))
                .build()) {
            for (int i = 0; ; i++) {
                String name = names + i;
                unknown.add(name);
                HttpRequest put = HttpRequest.newBuilder(
                                URI.create("https://127.0.0.1:" + server.http() + "/api/handles/" + name))
                        .header("Authorization", "Basic " + user)
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString(
                                "[{\"index\":1,\"type\":\"URL\",\"data\":\"" + value(name) + "\"}]"))
                        .build();
                HttpResponse<String> response = client.send(put, HttpResponse.BodyHandlers.ofString());
                assertThat(response.statusCode()).as(name + ": " + response.body()).isEqualTo(201);
                acknowledged(name, overHttps);
            }
        }
    }

    private void acknowledged(String name, Set<String> how) {
        how.add(name);
        unknown.remove(name);
        acknowledgements.release();
    }

    private void check(HandleServerProcess server) throws IOException {
        try (HandleClient client = client(server)) {
            for (Set<String> how : List.of(overTcp, overHttps)) {
                for (String name : how) {
                    assertThat(isThere(client, name)).as("acknowledged, so there: " + name).isTrue();
                }
            }
        }
    }

    private int wholeOfUnknown(HandleServerProcess server) throws IOException {
        int there = 0;
        try (HandleClient client = client(server)) {
            for (String name : unknown) {
                there += isThere(client, name) ? 1 : 0;
            }
        }
        return there;
    }

    /** Whether there is a handle; if so with its value. */
    private static boolean isThere(HandleClient client, String name) throws IOException {
        HandleResult found = client.resolve(Handle.of(name));
        if (found.code() == ResponseCode.HANDLE_NOT_FOUND) {
            return false;
        }
        assertThat(found.success()).as(name + ": " + found.text()).isTrue();
        assertThat(found.values().stream().filter(each -> each.index() == 1))
                .as("the value of " + name)
                .singleElement()
                .satisfies(each -> assertThat(new String(each.data(), UTF_8)).isEqualTo(value(name)));
        return true;
    }
}
