package io.guidepost.server.admin;

import io.guidepost.base.AddressText;
import io.guidepost.server.console.ConsoleFeed;
import io.guidepost.server.http.HttpServer;
import io.guidepost.server.http.HttpServerSettings;
import io.guidepost.server.http.RequestHandler;
import io.guidepost.server.http.epoll.ConnectionTransport;
import io.guidepost.server.http.tls.TlsContext;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.lang.System.Logger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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

    /** The page of the console's events, the only one that lasts. */
    public static final String EVENTS = "/ui/events";

    /** The page that waits for another process, and cannot be waited for by it. */
    static final String UPGRADE = "/upgrade";

    /** Requests that last: a few more than the console takes, so that it is the console that refuses, and counts. */
    private static final int LASTING_MAX = ConsoleFeed.VIEWERS_MAX + 4;

    /** Makes an answer of the body of a POST, or of the query of a GET; what it throws becomes a 500. */
    @FunctionalInterface
    public interface Page {
        HttpResponse answer(String body) throws IOException;
    }

    /** What a client showed. */
    private enum Caller {
        SOCKET,
        TOKEN,
        NONE
    }

    /** A page; one that is guarded is for those alone who may change things. */
    private record Row(String method, boolean guarded, Page page) {}

    private final HttpServer server;
    private final HttpServer local;
    private final Optional<AuditLog> audit;
    private InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private Optional<Path> socket = Optional.empty();
    private final Map<String, Row> pages = new TreeMap<>();
    private final Map<String, Page> folders = new TreeMap<>();
    private volatile Optional<String> token;

    private AdminPort(ConnectionTransport transport, Optional<AuditLog> audit, Optional<String> token) {
        this.server = new HttpServer(settings(transport), AdminService.NAME);
        this.local = new HttpServer(settings(ConnectionTransport.NIO), AdminService.NAME + "-socket");
        this.audit = audit;
        this.token = token;
    }

    private static HttpServerSettings settings(ConnectionTransport transport) {
        return new HttpServerSettings(
                transport, 1, CONNECTIONS_MAX, IN_FLIGHT_MAX, LASTING_MAX, IDLE_MILLIS,
                HttpServerSettings.STANDARD.receiverMillis(), BODY_BYTES_MAX, List.of());
    }

    /**
     * Binds the port; it answers from {@link #start} on. From an address that is not loopback it speaks TLS alone.
     *
     * @param token that a client of the port must show to change something; empty = none
     * @throws IOException in one line, if the port cannot be had
     */
    static AdminPort bind(
            ConnectionTransport transport, InetSocketAddress address, AuditLog audit, Optional<String> token)
            throws IOException {
        AdminPort port = new AdminPort(transport, Optional.of(audit), token);
        try {
            port.listen(address, "admin.port");
            return port;
        } catch (IOException e) {
            port.close();
            throw e;
        }
    }

    /**
     * Opens a port for pages of another program than a server, which only tell; it answers at once, in plain HTTP.
     *
     * @param wanted with port 0 for any that is free
     * @param setting what the address comes from, for a refusal
     * @param token that a client must show for guarded pages; empty = none
     * @param pages adds them
     * @throws IOException in one line, if the port cannot be had
     */
    public static AdminPort open(
            InetSocketAddress wanted, String setting, Optional<String> token, Consumer<AdminPort> pages) throws IOException {
        AdminPort port = new AdminPort(ConnectionTransport.NIO, Optional.empty(), token);
        try {
            port.listen(wanted, setting);
            pages.accept(port);
            port.start(null);
            return port;
        } catch (IOException e) {
            port.close();
            throw e;
        }
    }

    private void listen(InetSocketAddress wanted, String setting) throws IOException {
        address = server.listen(List.of(wanted.getAddress()), wanted.getPort(), setting).getFirst();
    }

    /**
     * Binds a Unix socket too, whose clients may do everything.
     *
     * @throws IOException in one line, if it cannot be had
     */
    void listen(Path file) throws IOException {
        local.listen(file, "admin.socket");
        socket = Optional.of(file);
    }

    /** Gives up the name of the Unix socket: another process has it from then on. */
    void giveUp() {
        unname();
        socket = Optional.empty();
    }

    /** What has the port. */
    HttpServer listener() {
        return server;
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

    /** Adds files below a path; the page is given what is behind it. */
    public AdminPort under(String path, Page page) {
        folders.put(path, page);
        return this;
    }

    /** Returns what a page tells of itself, for another page of this port; {@code null} as JSON has it, if there is none. */
    public String told(String path) {
        Row row = pages.get("GET " + path);
        try {
            return row != null && row.page.answer("").body() instanceof HttpResponse.Bytes(byte[] bytes)
                    ? new String(bytes, StandardCharsets.UTF_8)
                    : "null";
        } catch (IOException e) {
            return "null";
        }
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

    /** @param tls what is spoken to clients who wish it; null = nothing but plain HTTP */
    void start(@Nullable TlsContext tls) {
        server.start(this, tls);
        local.start(new Local(), null);
    }

    /** Speaks TLS so to clients from now on. */
    void follow(@Nullable TlsContext tls) {
        server.follow(server.settings(), tls);
    }

    /** Answers clients of the Unix socket, which the system let in: they show no token, and no browser is among them. */
    private final class Local implements RequestHandler {
        @Override
        public boolean lasts(HttpRequest request) {
            return AdminPort.this.lasts(request);
        }

        @Override
        public HttpResponse answer(HttpRequest request) {
            return respond(request, Caller.SOCKET);
        }

        @Override
        public HttpResponse busy(HttpRequest request) {
            return AdminPort.this.busy(request);
        }

        @Override
        public HttpResponse failed(HttpRequest request) {
            return AdminPort.this.failed(request);
        }
    }

    /** Returns where it is. */
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() {
        server.close();
        local.close();
        unname();
    }

    private void unname() {
        try {
            if (socket.isPresent()) {
                Files.deleteIfExists(socket.get());
            }
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "the socket {0} stays: {1}", socket.get(), e.getMessage());
        }
    }

    @Override
    public HttpResponse answer(HttpRequest request) {
        return respond(request, hasToken(request) ? Caller.TOKEN : Caller.NONE);
    }

    @Override
    public boolean lasts(HttpRequest request) {
        return request.path().equals(EVENTS) || request.path().equals(UPGRADE);
    }

    private HttpResponse respond(HttpRequest request, Caller caller) {
        HttpResponse answer;
        try {
            answer = page(request, caller);
        } catch (IOException | RuntimeException e) {
            LOG.log(Logger.Level.WARNING, "admin port: " + request.target() + " failed: " + e);
            answer = error(500, String.valueOf(e.getMessage()));
        }
        if (request.method().equals("POST") && audit.isPresent()) {
            audit.get().write(
                    caller == Caller.SOCKET ? "socket" : AddressText.of(request.peer()),
                    caller.name().toLowerCase(Locale.ROOT),
                    "POST " + request.path(),
                    new String(request.body(), StandardCharsets.UTF_8),
                    answer.status());
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

    private HttpResponse page(HttpRequest request, Caller caller) throws IOException {
        if (caller != Caller.SOCKET && !request.secure()) {
            if (audit.isPresent() && !address.getAddress().isLoopbackAddress()) {
                return error(403, "speak HTTPS: this port is reached from other machines");
            }
            if (!request.header("host").map(AdminPort::isAddress).orElse(true)) {
                return error(421, "ask by an address or as localhost: another name in the header 'Host' is that of a web page");
            }
        }
        String path = request.path();
        String method = request.method();
        Row row = pages.get((method.equals("HEAD") ? "GET" : method) + " " + path);
        if (row == null && request.isGet()) {
            for (Map.Entry<String, Page> each : folders.entrySet()) {
                if (path.startsWith(each.getKey())) {
                    return each.getValue().answer(path.substring(each.getKey().length()));
                }
                if (each.getKey().equals(path + "/")) {
                    return HttpResponse.empty(308).with("Location", each.getKey());
                }
            }
        }
        if (row == null) {
            return path.equals("/") ? HttpResponse.of(200, "text/plain; charset=utf-8", index()) : noPage(path, method);
        }
        if (row.guarded && caller == Caller.NONE && token.isPresent()) {
            return error(
                            401,
                            "send the header 'Authorization: Bearer TOKEN'; admin.token-file has the token, of a middlebox --ui-token")
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
    private boolean hasToken(HttpRequest request) {
        byte[] shown = request.header("authorization").orElse("").getBytes(StandardCharsets.UTF_8);
        Optional<String> wanted = token;
        return wanted.isPresent() && MessageDigest.isEqual(shown, ("Bearer " + wanted.get()).getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Returns whether a host is an address or localhost. A web page whose name leads to this machine (DNS rebinding) comes with
     * its own name.
     */
    static boolean isAddress(String host) {
        String name = host.replaceFirst(":[0-9]*$", "");
        if (name.equalsIgnoreCase("localhost")) {
            return true;
        }
        try {
            InetAddress.ofLiteral(name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private String index() {
        StringBuilder text = new StringBuilder("Guidepost\n\n");
        pages.keySet().forEach(each -> text.append(each).append('\n'));
        folders.keySet().forEach(each -> text.append("GET ").append(each).append("     (in a browser)\n"));
        return text.toString();
    }
}
