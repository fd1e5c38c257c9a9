package io.guidepost.server.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A small HTTP port of pages: GET pages that only tell, POST pages that do something. A POST needs the header
 * {@code Guidepost: yes}, which no form and no script of a foreign web page can send, and where there is a token, that.
 */
public final class AdminPort implements AutoCloseable {
    /** The header that a POST must carry. */
    static final String HEADER = "Guidepost";

    private static final Logger LOG = System.getLogger(AdminPort.class.getName());

    /** Bytes of a request's body that are read: paths and switches are short. */
    private static final int BODY_BYTES_MAX = 8192;

    /**
     * What a page says.
     *
     * @param status of HTTP
     * @param type of the body
     * @param body the text
     */
    public record Answer(int status, String type, String body) {
        /** Returns a value as JSON. */
        public static Answer json(int status, Object value) {
            return new Answer(status, "application/json", JsonPages.write(value));
        }
    }

    /** Makes an answer of the body of a POST, or of the query of a GET; what it throws becomes a 500. */
    @FunctionalInterface
    public interface Page {
        /** Makes it. */
        Answer answer(String body) throws IOException;
    }

    /** A page; one that is guarded is for those alone who may change things. */
    private record Row(String method, boolean guarded, Page page) {}

    private final HttpServer server;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Row> pages = new TreeMap<>();

    private final Optional<String> token;

    private AdminPort(HttpServer server, Optional<String> token) {
        this.server = server;
        this.token = token;
    }

    /**
     * Binds the port; it answers from {@link #start} on.
     *
     * @param token that whoever does something must show; empty = nobody need
     */
    static AdminPort bind(InetSocketAddress address, Optional<String> token) throws IOException {
        return new AdminPort(HttpServer.create(address, 0), token);
    }

    /** Adds a page that only tells. */
    public AdminPort get(String path, Page page) {
        pages.put("GET " + path, new Row("GET", false, page));
        return this;
    }

    /** A page that only tells, but what is not for everybody. */
    public AdminPort getGuarded(String path, Page page) {
        pages.put("GET " + path, new Row("GET", true, page));
        return this;
    }

    /** Adds a page that does something. */
    public AdminPort post(String path, Page page) {
        pages.put("POST " + path, new Row("POST", true, page));
        return this;
    }

    /** Starts to answer. */
    void start() {
        server.setExecutor(executor);
        server.createContext("/", this::handle);
        server.start();
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer;
            try {
                answer = answer(exchange);
            } catch (IOException | RuntimeException e) {
                LOG.log(Logger.Level.WARNING, "admin port: " + exchange.getRequestURI() + " failed: " + e);
                answer = Answer.json(500, JsonPages.object("error", String.valueOf(e.getMessage())));
            }
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(answer.status(), head ? -1 : body.length);
            if (!head) {
                try (OutputStream out = exchange.getResponseBody()) {
                    out.write(body);
                }
            }
        }
    }

    private Answer answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String method = exchange.getRequestMethod();
        Row row = pages.get((method.equals("HEAD") ? "GET" : method) + " " + path);
        if (row == null) {
            return path.equals("/") ? new Answer(200, "text/plain; charset=utf-8", index()) : noPage(exchange, path, method);
        }
        if (row.guarded && !mayDo(exchange)) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
            return error(401, "send the header 'Authorization: Bearer TOKEN'; admin.token-file has the token");
        }
        if (row.method.equals("POST") && !"yes".equals(exchange.getRequestHeaders().getFirst(HEADER))) {
            return error(403, "send the header '" + HEADER + ": yes', so that no web page can do this in your name");
        }
        if (row.method.equals("GET")) {
            String query = exchange.getRequestURI().getRawQuery();
            return row.page.answer(query == null ? "" : query);
        }
        try (InputStream in = exchange.getRequestBody()) {
            return row.page.answer(new String(in.readNBytes(BODY_BYTES_MAX), StandardCharsets.UTF_8));
        }
    }

    private Answer noPage(HttpExchange exchange, String path, String method) {
        List<String> others = pages.keySet().stream()
                .filter(each -> each.endsWith(" " + path))
                .map(each -> each.substring(0, each.indexOf(' ')))
                .toList();
        if (others.isEmpty()) {
            return error(404, "there is no page " + path + "; there are " + pages.keySet());
        }
        exchange.getResponseHeaders().set("Allow", String.join(", ", others));
        return error(405, path + " takes " + String.join(" and ", others) + ", not " + method);
    }

    /** Whether the token was shown; comparing takes as long for all that are as long. */
    private boolean mayDo(HttpExchange exchange) {
        String shown = exchange.getRequestHeaders().getFirst("Authorization");
        return token.isEmpty()
                || shown != null
                        && MessageDigest.isEqual(
                                shown.getBytes(StandardCharsets.UTF_8),
                                ("Bearer " + token.get()).getBytes(StandardCharsets.UTF_8));
    }

    private String index() {
        StringBuilder text = new StringBuilder("Guidepost\n\n");
        pages.keySet().forEach(each -> text.append(each).append('\n'));
        return text.toString();
    }

    private static Answer error(int status, String message) {
        return Answer.json(status, JsonPages.object("error", message));
    }
}
