package io.guidepost.alto.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.guidepost.web.HttpHandler;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A service over HTTP/1.1 at the loop-back address, for clients that need a socket. */
public final class AltoLoopbackServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** Serves at a port; 0 is a free one. */
    public AltoLoopbackServer(int port, HttpHandler service) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(exchange, service));
        server.start();
    }

    /** Where it is. */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private static void answer(HttpExchange exchange, HttpHandler service) throws IOException {
        try (exchange) {
            Map<String, List<String>> headers = new HashMap<>();
            exchange.getRequestHeaders().forEach((name, lines) -> headers.put(name.toLowerCase(Locale.ROOT), lines));
            HttpResponse response = service.answer(new HttpRequest(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    headers,
                    exchange.getRequestBody().readAllBytes(),
                    exchange.getRemoteAddress(),
                    false,
                    Optional.empty()));
            response.headers().forEach(each -> exchange.getResponseHeaders().add(each.getKey(), each.getValue()));
            switch (response.body()) {
                case HttpResponse.Bytes(byte[] bytes) -> {
                    boolean none = bytes.length == 0 || exchange.getRequestMethod().equals("HEAD");
                    exchange.sendResponseHeaders(response.status(), none ? -1 : bytes.length);
                    if (!none) {
                        exchange.getResponseBody().write(bytes);
                    }
                }
                case HttpResponse.Stream(HttpResponse.Writing writing) -> {
                    exchange.sendResponseHeaders(response.status(), 0);
                    writing.write(exchange.getResponseBody());
                }
                case HttpResponse.Unchunked _ -> throw new AssertionError("this door knows chunks");
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
