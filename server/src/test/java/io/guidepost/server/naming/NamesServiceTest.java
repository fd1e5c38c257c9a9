package io.guidepost.server.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Pem;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.naming.WriterTokens;
import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.Main;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.http.tls.SelfSignedCertificate;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names over HTTP at a whole server: what each key does, and one change as all doors see it. */
final class NamesServiceTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String PLACE = "{\"places\":[{\"place\":\"192.0.2.1:80\"}]}";

    @TempDir
    private static Path folder;

    private static final String TOKEN = WriterTokens.create(new SplittableRandom(5));
    private static final List<String> SETS = new ArrayList<>();
    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        Files.writeString(folder.resolve("tokens"), WriterTokens.line(TOKEN, "orders.") + "\n");
        SETS.addAll(List.of(
                "names.enabled=true",
                "names.listen=127.0.0.1,::1",
                "names.http-port=0",
                "names.folder=" + folder.resolve("names"),
                "names.token-file=" + folder.resolve("tokens"),
                "names.history-bytes=64 KiB"));
        server = RunningServer.start(folder, SETS);
    }

    @AfterAll
    static void stop() {
        server.close();
        HTTP.close();
    }

    private static String base() {
        return "http://127.0.0.1:" + server.server().namesAddresses().getFirst().getPort();
    }

    private static HttpResponse<String> call(String method, String target, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base() + target))
                .method(method, body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json");
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Reads lines of a stream up to one that contains a text. */
    private static String upTo(BufferedReader lines, String text) throws Exception {
        StringBuilder read = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            read.append(line).append('\n');
            if (line.contains(text)) {
                return read.toString();
            }
        }
        throw new AssertionError("the stream ended: " + read);
    }

    @Test
    void oneChangeIsSeenByAllDoors() throws Exception {
        try (GnrsClient gnrs = GnrsClient.open(server.address());
                InputStream stream = HTTP.send(
                                HttpRequest.newBuilder(URI.create(base() + "/v1/names?watch=1&prefix=vis")).build(),
                                HttpResponse.BodyHandlers.ofInputStream())
                        .body();
                BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            assertThat(upTo(lines, "data: {}")).contains("event: ready");
            gnrs.insert(Guid.ofAscii("visitor"), List.of(Binding.of(Locator.parse("192.0.2.99:7000"))));
            assertThat(upTo(lines, "data:")).contains("event: put", "\"visitor\"", "192.0.2.99:7000");
            assertThat(call("GET", "/v1/names/visitor", "").body()).contains("192.0.2.99:7000");
            assertThat(call("GET", "/v1/names?prefix=visitor", "").body()).contains("\"visitor\"");
            String second = "{\"add\":[{\"place\":\"192.0.2.100:7000\",\"weight\":3}]}";
            assertThat(call("PATCH", "/v1/names/visitor", second).statusCode()).isEqualTo(200);
            assertThat(gnrs.lookup(Guid.ofAscii("visitor"), false).bindings()).hasSize(2);
            // A request over UDP may be sent twice, and then is told twice.
            assertThat(upTo(lines, "\"weight\":3")).contains("event: put");
            gnrs.delete(Guid.ofAscii("visitor"));
            assertThat(upTo(lines, "event: delete")).contains("id: ");
            assertThat(server.metric("guidepost_names_watchers")).isPositive();
        }
    }

    @Test
    void itsKeysDoWhatTheySay() throws Exception {
        // names.listen and names.http-port
        List<InetSocketAddress> addresses = server.server().namesAddresses();
        assertThat(addresses).extracting(each -> each.getAddress().isLoopbackAddress()).containsExactly(true, true);
        // names.folder
        assertThat(folder.resolve("names")).isDirectoryContaining(Files::isRegularFile);
        assertThat(call("PUT", "/v1/names/keys", PLACE).statusCode()).as("names.writers: loopback").isEqualTo(201);
        List<String> locked = new ArrayList<>(SETS);
        SETS.add("names.writers=192.0.2.0/24");
        SETS.add("names.readers=192.0.2.0/24");
        assertThat(server.server().reload().done()).isTrue();
        assertThat(call("PUT", "/v1/names/keys", PLACE).statusCode()).as("names.writers").isEqualTo(401);
        assertThat(call("GET", "/v1/names/keys", "").statusCode()).as("names.readers").isEqualTo(401);
        assertThat(call("GET", "/v1/names/keys", "", "Authorization", "Bearer " + TOKEN).statusCode()).as("a token reads").isEqualTo(200);
        assertThat(call("PUT", "/v1/names/orders.keys", PLACE, "Authorization", "Bearer " + TOKEN).statusCode())
                .as("names.token-file")
                .isEqualTo(201);
        Files.writeString(folder.resolve("tokens"), "# none\n");
        assertThat(server.server().reload().done()).isTrue();
        assertThat(call("PUT", "/v1/names/orders.keys", PLACE, "Authorization", "Bearer " + TOKEN).statusCode()).isEqualTo(401);
        Files.writeString(folder.resolve("tokens"), "nonsense\n");
        assertThat(server.server().reload().text()).contains("names.token-file", "tokens:1:");
        Files.writeString(folder.resolve("tokens"), WriterTokens.line(TOKEN, "orders.") + "\n");
        SETS.clear();
        SETS.addAll(locked);
        assertThat(server.server().reload().done()).isTrue();
        // names.history-bytes
        for (int i = 0; i < 200; i++) {
            call("PUT", "/v1/names/history", PLACE);
        }
        assertThat(server.metric("guidepost_names_history_bytes")).isBetween(1.0, 65_536.0);
    }

    /** A client with a certificate whose hash is in the file writes names of its prefix; a page in its browser does not. */
    @Test
    void aCertificateWritesWhatItsPrefixCovers() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair keys = generator.generateKeyPair();
        X509Certificate mine = SelfSignedCertificate.of(keys, "a writer", List.of(), Instant.now(), new SecureRandom());
        Path pem = Files.write(folder.resolve("client.pem"), Pem.write("CERTIFICATE", mine.getEncoded()));
        String tokens = Files.readString(folder.resolve("tokens"));
        String file = folder.resolve("tokens").toString();
        assertThat(guidepost("token", "new", "--certificate", pem.toString(), "--prefix", "orders.", "--file", file).code()).isZero();
        assertThat(server.server().reload().done()).isTrue();
        try (HttpClient client = client(keys, mine)) {
            assertThat(put(client, "orders.certified")).isEqualTo(201);
            assertThat(put(client, "payments.certified")).isEqualTo(403);
            assertThat(put(client, "orders.certified", "Origin", "https://example.org")).isEqualTo(401);
            Files.writeString(folder.resolve("tokens"), tokens);
            assertThat(server.server().reload().done()).isTrue();
            assertThat(put(client, "payments.certified")).as("not known, but on loopback").isEqualTo(201);
        }
    }

    private static HttpClient client(KeyPair keys, X509Certificate certificate) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("me", keys.getPrivate(), new char[0], new X509Certificate[] {certificate});
        try (InputStream in = Files.newInputStream(folder.resolve("names").resolve("certificate.pem"))) {
            store.setCertificateEntry("server", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
        own.init(store, new char[0]);
        TrustManagerFactory trusts = TrustManagerFactory.getInstance("PKIX");
        trusts.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusts.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(context).build();
    }

    private static int put(HttpClient client, String name, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base().replace("http:", "https:") + "/v1/names/" + name))
                .PUT(HttpRequest.BodyPublishers.ofString(PLACE))
                .header("Content-Type", "application/json");
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    @Test
    void itIsOffUnlessItIsEnabled() throws Exception {
        try (RunningServer other = RunningServer.start(folder.resolve("other"), "names.enabled=false")) {
            assertThat(other.server().namesAddresses()).isEmpty();
        }
        String nowhere = "names.token-file=" + folder.resolve("nowhere");
        assertThatThrownBy(() -> RunningServer.start(folder.resolve("other"), "names.enabled=true", "names.http-port=0", nowhere))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("names.token-file");
    }

    private record Said(int code, String out, String err) {}

    private static Said guidepost(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Main.commandLine(args).setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
        return new Said(code, out.toString(), err.toString());
    }

    @Test
    void theCommandWritesAndListsNamesOfAnyText() throws Exception {
        String gnrs = "127.0.0.1:" + server.address().getPort();
        String name = "orders.prod.eu-west-1.command.example";
        assertThat(guidepost("guid", name, "printer").out()).startsWith("f4952d926aca").contains("7072696e746572");
        assertThat(guidepost("put", name, "192.0.2.1:80", "192.0.2.2:80", "-S", gnrs).code()).isZero();
        assertThat(guidepost("put", "café", "192.0.2.3:80", "-S", gnrs).code()).isZero();
        assertThat(guidepost("get", name, "-S", gnrs).out()).isEqualTo("192.0.2.1:80\n192.0.2.2:80\n");
        assertThat(guidepost("get", name, "café", "-S", gnrs).out()).contains(name + "  192.0.2.2:80\n", "café  192.0.2.3:80\n");
        assertThat(guidepost("ls", "orders.prod.eu", "--url", base()).out()).isEqualTo(name + "\n");
        assertThat(guidepost("rm", name, "192.0.2.1:80", "-S", gnrs).code()).isZero();
        assertThat(guidepost("ls", "orders.prod.eu", "--long", "--url", base()).out()).isEqualTo(name + "  192.0.2.2:80\n");
        assertThat(guidepost("watch", "orders.prod.eu", "--once", "--url", base()).out()).isEqualTo(name + "  192.0.2.2:80\n");
        assertThat(guidepost("rm", name, "-S", gnrs).code()).isZero();
        assertThat(guidepost("ls", "orders.prod.eu", "--url", base()).out()).isEmpty();
        assertThat(guidepost("get", name, "café", "-S", gnrs).code()).isEqualTo(3);
        Path file = folder.resolve("more-tokens");
        String token = guidepost("token", "new", "--prefix", "orders.", "--file", file.toString()).out().strip();
        assertThat(Files.readString(file)).isEqualTo(WriterTokens.line(token, "orders.") + "\n");
        assertThat(guidepost("ls", "--url", "http://127.0.0.1:1").err()).contains("names.enabled=true");
    }

    @Test
    void theDocumentIsServed() throws Exception {
        HttpResponse<String> document = call("GET", "/v1/openapi.json", "");
        assertThat(document.statusCode()).isEqualTo(200);
        assertThat(document.body()).contains("\"openapi\": \"3.1.0\"");
    }
}
