package io.guidepost.server.admin;

import io.guidepost.server.http.HttpServer;
import io.guidepost.server.http.HttpServerSettings;
import io.guidepost.server.http.RequestHandler;
import io.guidepost.server.http.epoll.ConnectionTransport;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A small HTTP port of pages: GET pages that only tell, POST pages that do something. A POST needs the header
 * {@code Guidepost: yes}, which no form and no script of a foreign web page can send, and where there is a token, that.
 */
public final class AdminPort implements RequestHandler, AutoCloseable {
    /** The header that a POST must carry. */
    private static final String HEADER = "Guidepost";

    private static final Logger LOG = System.getLogger(AdminPort.class.getName());

    /** Bytes of a request's body: paths and switches are short. */
    private static final int BODY_BYTES_MAX = 8192;

    /** Connections and requests at a time: operators, scripts and a scraper or two. */
    private static final int CONNECTIONS_MAX = 1000;

    private static final int IN_FLIGHT_MAX = 256;

    /** People type requests by hand here, so silence and slow lines last longer than at other ports. */
    private static final int IDLE_MILLIS = 30_000;

    /** Makes an answer of the body of a POST, or of the query of a GET; what it throws becomes a 500. */
    @FunctionalInterface
    public interface Page {
        HttpResponse answer(String body) throws IOException;
    }

    /** A page; one that is guarded is for those alone who may change things. */
    private record Row(String method, boolean guarded, Page page) {}

    private final HttpServer server;
    private final InetSocketAddress address;
    private final Map<String, Row> pages = new TreeMap<>();
    private volatile Optional<String> token;

    private AdminPort(HttpServer server, InetSocketAddress address, Optional<String> token) {
        this.server = server;
        this.address = address;
        this.token = token;
    }

    /**
     * Binds the port; it answers from {@link #start} on.
     *
     * @param token that a client must show to change something; empty = none
     * @throws IOException in one line, if the port cannot be had
     */
    static AdminPort bind(ConnectionTransport transport, InetSocketAddress address, Optional<String> token) throws IOException {
        HttpServerSettings standard = HttpServerSettings.STANDARD;
        HttpServerSettings settings = new HttpServerSettings(
                transport, 1, CONNECTIONS_MAX, IN_FLIGHT_MAX, 1, IDLE_MILLIS, IDLE_MILLIS, standard.receiverMillis(), BODY_BYTES_MAX,
                List.of());
        HttpServer server = new HttpServer(settings, AdminService.NAME);
        try {
            List<InetSocketAddress> bound =
                    server.listen(List.of(address.getAddress()), address.getPort(), "admin.port");
            return new AdminPort(server, bound.getFirst(), token);
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    /** Adds a page that only tells. */
    public AdminPort get(String path, Page page) {
        pages.put("GET " + path, new Row("GET", false, page));
        return this;
    }

    /** Adds a page that only tells, for clients that show the token. */
    public AdminPort getGuarded(String path, Page page) {
        pages.put("GET " + path, new Row("GET", true, page));
        return this;
    }

    /** Adds a page that does something. */
    public AdminPort post(String path, Page page) {
        pages.put("POST " + path, new Row("POST", true, page));
        return this;
    }

    /** Returns an answer of a value as JSON. */
    public static HttpResponse json(int status, Object value) {
        return HttpResponse.of(status, "application/json", JsonWriter.text(value));
    }

    /** Returns the answer to a request that is refused or failed. */
    public static HttpResponse error(int status, String message) {
        return json(status, JsonWriter.object("error", message));
    }

    /** Asks for another token from now on; empty = none. */
    void token(Optional<String> next) {
        token = next;
    }

    void start() {
        server.start(this, null);
    }

    InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() {
        server.close();
    }

    @Override
    public HttpResponse answer(HttpRequest request) {
        HttpResponse answer;
        try {
            answer = page(request);
        } catch (IOException | RuntimeException e) {
            LOG.log(Logger.Level.WARNING, "admin port: " + request.target() + " failed: " + e);
            answer = error(500, String.valueOf(e.getMessage()));
        }
        return answer.with("X-Content-Type-Options", "nosniff").with("Cache-Control", "no-store");
    }

    @Override
    public HttpResponse busy(HttpRequest request) {
        return error(503, "the admin port is too busy").with("Retry-After", "1");
    }

    @Override
    public HttpResponse failed(HttpRequest request) {
        return error(500, "the admin port failed");
    }

    private HttpResponse page(HttpRequest request) throws IOException {
        String path = request.path();
        String method = request.method();
        Row row = pages.get((method.equals("HEAD") ? "GET" : method) + " " + path);
        if (row == null) {
            return path.equals("/") ? HttpResponse.of(200, "text/plain; charset=utf-8", index()) : noPage(path, method);
        }
        if (row.guarded && !mayDo(request)) {
            return error(401, "send the header 'Authorization: Bearer TOKEN'; admin.token-file has the token")
                    .with("WWW-Authenticate", "Bearer");
        }
        if (row.method.equals("POST") && !request.header("guidepost").equals(Optional.of("yes"))) {
            return error(403, "send the header '" + HEADER + ": yes', so that no web page can do this in your name");
        }
        return row.page.answer(row.method.equals("GET") ? request.query() : new String(request.body(), StandardCharsets.UTF_8));
    }

    private HttpResponse noPage(String path, String method) {
        List<String> others = pages.keySet().stream()
                .filter(each -> each.endsWith(" " + path))
                .map(each -> each.substring(0, each.indexOf(' ')))
                .toList();
        if (others.isEmpty()) {
            return error(404, "there is no page " + path + "; there are " + pages.keySet());
        }
        return error(405, path + " takes " + String.join(" and ", others) + ", not " + method)
                .with("Allow", String.join(", ", others));
    }

    /** Returns whether the token was shown; comparing takes as long for all that are as long. */
    private boolean mayDo(HttpRequest request) {
        byte[] shown = request.header("authorization").orElse("").getBytes(StandardCharsets.UTF_8);
        Optional<String> wanted = token;
        return wanted.isEmpty() || MessageDigest.isEqual(shown, ("Bearer " + wanted.get()).getBytes(StandardCharsets.UTF_8));
    }

    private String index() {
        StringBuilder text = new StringBuilder("Guidepost\n\n");
        pages.keySet().forEach(each -> text.append(each).append('\n'));
        return text.toString();
    }
}
