package io.guidepost.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Servers that a client has to cope with: one that is silent, one that is away, a way to a server that can be cut, and one whose
 * watches end and begin again. Each has a word in the environment of scenarios.
 */
final class FaultyServers implements AutoCloseable {
    private static final String RECORD =
            "event: put\ndata: {\"name\":\"%s\",\"guid\":\"00\",\"version\":\"1\",\"places\":[{\"place\":\"10.0.0.1:1\"}]}\n\n";
    private static final String READY = "id: %s\nevent: ready\ndata: {}\n\n";

    private final InetSocketAddress names;
    private final String token;
    private final ServerSocket silent = listen();
    private final ServerSocket proxy = listen();
    private final DatagramSocket silentGnrs = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final HttpServer control = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final HttpClient http = HttpClient.newHttpClient();
    private final String away;
    private volatile boolean cut;
    private boolean half;

    FaultyServers(InetSocketAddress names, String token) throws IOException {
        this.names = names;
        this.token = token;
        try (ServerSocket gone = listen()) {
            this.away = address(gone.getLocalPort());
        }
        Thread.ofVirtual().start(this::forward);
        control.createContext("/", this::control);
        control.createContext("/v1/names", this::scripted);
        control.setExecutor(each -> Thread.ofVirtual().start(each));
        control.start();
    }

    Map<String, String> environment() {
        Map<String, String> words = new TreeMap<>();
        words.put("SLOW", "http://" + address(silent.getLocalPort()));
        words.put("SILENT", address(silentGnrs.getLocalPort()));
        words.put("DEAD", "http://" + away);
        words.put("DEADGNRS", away);
        words.put("PROXY", "http://" + address(proxy.getLocalPort()));
        words.put("SCRIPTED", "http://" + address(control.getAddress().getPort()));
        words.put("CONTROL", "http://" + address(control.getAddress().getPort()));
        return words;
    }

    private static ServerSocket listen() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static String address(int port) {
        return "127.0.0.1:" + port;
    }

    private void forward() {
        try {
            while (true) {
                Socket client = proxy.accept();
                connections.add(client);
                if (cut) {
                    client.close();
                    continue;
                }
                Socket server = new Socket(names.getAddress(), names.getPort());
                Thread.ofVirtual().start(() -> pump(client, server));
                Thread.ofVirtual().start(() -> pump(server, client));
            }
        } catch (IOException closed) {
            // The end of the test.
        }
    }

    private static void pump(Socket from, Socket to) {
        try (from; to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException cut) {
            // Either side is closed, and so is the other.
        }
    }

    private void control(HttpExchange exchange) throws IOException {
        switch (exchange.getRequestURI().getPath()) {
            case "/close" -> {
                cut = true;
                for (Socket each : connections) {
                    each.close();
                }
                connections.clear();
            }
            case "/open" -> cut = false;
            case "/lose" -> endLease(exchange.getRequestURI().getQuery());
            default -> throw new IOException("no such word: " + exchange.getRequestURI());
        }
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
    }

    private void endLease(String id) throws IOException {
        String server = "http://" + address(names.getPort());
        HttpRequest request = HttpRequest.newBuilder(URI.create(server + "/v1/leases/" + id))
                .header("Authorization", "Bearer " + token).DELETE().build();
        try {
            if (http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() != 204) {
                throw new IOException("the server does not end lease " + id);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Cuts off a snapshot, then tells one and ends, then tells the client that resumes to begin again. */
    private void scripted(HttpExchange exchange) throws IOException {
        boolean resumes = exchange.getRequestHeaders().containsKey("Last-Event-ID");
        String told = resumes
                ? "event: reset\ndata: {\"reason\":\"gone\"}\n\n" + RECORD.formatted("again") + READY.formatted("e-2")
                : half() ? RECORD.formatted("half") : ": hello\n" + RECORD.formatted("whole") + READY.formatted("e-1");
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(told.getBytes(StandardCharsets.UTF_8));
            out.flush();
            while (resumes) {
                // Until the client goes.
                out.write(":\n".getBytes(StandardCharsets.UTF_8));
                out.flush();
                java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
            }
        }
    }

    private synchronized boolean half() {
        half = !half;
        return half;
    }

    @Override
    public void close() {
        control.stop(0);
        http.close();
        try (silent; proxy; silentGnrs) {
            for (Socket each : connections) {
                each.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
