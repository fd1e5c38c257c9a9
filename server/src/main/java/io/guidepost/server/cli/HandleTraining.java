package io.guidepost.server.cli;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.HandleClientSettings;
import io.guidepost.handle.client.HandleEndpoint;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.server.Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * What the JVM is to have seen before a Handle service has its first client: handles that are created, resolved and listed. The
 * start-up cache keeps what was hot here (JEP 515), so that a server that has just started does not spend its first seconds in
 * compilers.
 */
final class HandleTraining {
    private static final int CLIENTS = 8;

    /** Requests of each client. */
    static final int CALLS = 400;

    private static final int LISTS = 20;

    private HandleTraining() {}

    /** Asks a server of {@link HandleDemo} by all its ways. */
    static void play(Server server) throws IOException {
        InetSocketAddress tcp = server.handleTcpAddresses().getFirst();
        HandleClientSettings administrator = HandleClientSettings.DEFAULT
                .withIdentity(new ClientIdentity.SecretHolder(
                        HandleDemo.BY_SECRET, HandleDemo.SECRET.getBytes(StandardCharsets.UTF_8)))
                .withDatagrams(false)
                .withSession(true);
        for (boolean kept : new boolean[] {true, false}) {
            HandleEndpoint endpoint = HandleEndpoint.of(SiteInterface.Transport.TCP, tcp);
            try (HandleClient client = HandleClient.at(List.of(endpoint), administrator.withPipelined(kept))) {
                together(number -> create(client, (kept ? "kept-" : "single-") + number));
                together(number -> client.resolve(handle((kept ? "kept-" : "single-") + number)));
                for (int i = 0; i < LISTS; i++) {
                    client.list(Handle.ofPrefix(HandleDemo.PREFIX), _ -> true);
                }
            }
        }
        HandleEndpoint datagrams = HandleEndpoint.of(SiteInterface.Transport.UDP, server.handleUdpAddresses().getFirst());
        try (HandleClient client = HandleClient.at(List.of(datagrams), HandleClientSettings.DEFAULT)) {
            together(number -> client.resolve(handle("kept-" + number)));
        }
        pages(server.handleHttpAddresses().getFirst());
    }

    private static Handle handle(String name) {
        return Handle.of(HandleDemo.PREFIX + "/" + name);
    }

    private static HandleResult create(HandleClient client, String name) throws IOException {
        HandleResult made = client.create(handle(name), List.of(HandleValue.of(1, "URL", "https://example.org/" + name)), true, false);
        if (!made.success()) {
            throw new IOException("a handle is not created: " + made.text());
        }
        return made;
    }

    /** One request of many, by its number. */
    @FunctionalInterface
    private interface Request {
        HandleResult send(int number) throws IOException;
    }

    private static void together(Request request) throws IOException {
        clients(client -> {
            for (int i = client; i < CLIENTS * CALLS; i += CLIENTS) {
                request.send(i);
            }
        });
    }

    /** What one of several clients does, by its number. */
    @FunctionalInterface
    interface Client {
        void play(int number) throws IOException;
    }

    /** Has several clients ask at the same time. */
    static void clients(Client client) throws IOException {
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Void>> all = IntStream.range(0, CLIENTS)
                    .<Callable<Void>>mapToObj(number -> () -> {
                        client.play(number);
                        return null;
                    })
                    .toList();
            for (Future<Void> each : clients.invokeAll(all)) {
                each.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IOException("a request of the training failed: " + e.getCause(), e);
        }
    }

    /** Resolves over HTTP as JSON, on one connection. */
    private static void pages(InetSocketAddress http) throws IOException {
        try (Socket socket = new Socket(http.getAddress(), http.getPort())) {
            BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            for (int i = 0; i < CLIENTS * CALLS; i++) {
                socket.getOutputStream()
                        .write(("GET /api/handles/" + handle("kept-" + i) + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
                readAnswer(in);
            }
        }
    }

    /** Reads one answer on a connection of HTTP/1.1, and forgets it. */
    static void readAnswer(BufferedReader in) throws IOException {
        int length = 0;
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        for (; length > 0; length--) {
            if (in.read() < 0) {
                throw new IOException("the server ends a connection of the training");
            }
        }
    }
}
