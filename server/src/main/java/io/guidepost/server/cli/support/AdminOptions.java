package io.guidepost.server.cli.support;

import io.guidepost.base.AddressText;
import io.guidepost.base.Malformed;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.web.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names a server's admin port, and the way to it. */
public final class AdminOptions {
    private static final int TIMEOUT_MILLIS = 30_000;

    /** A Guidepost answers within milliseconds. */
    private static final int IMPATIENT_MILLIS = 2_000;

    private int timeoutMillis = TIMEOUT_MILLIS;
    private static final String UNIX = "unix:";

    @Option(
            names = {"-a", "--admin"},
            paramLabel = "HOST:PORT",
            description = {
                "Admin port of the server: HOST:PORT, https://HOST:PORT, or unix:FILE for its admin.socket",
                "(default: ${DEFAULT-VALUE})."
            })
    private String address = "127.0.0.1:5080";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with the token that the admin port wants, where it wants one (admin.token-file).")
    private @Nullable Path tokenFile;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "Certificate in PEM that https is trusted by, instead of those that Java knows.")
    private @Nullable Path caFile;

    /** The admin port at an address. */
    public static AdminOptions of(InetSocketAddress admin) {
        AdminOptions options = new AdminOptions();
        options.address = AddressText.of(admin);
        return options;
    }

    /** These, for a server that may not answer at all. */
    public AdminOptions impatient() {
        timeoutMillis = IMPATIENT_MILLIS;
        return this;
    }

    /** Waits for an answer that takes some seconds. */
    public void patient(int seconds) {
        timeoutMillis = TIMEOUT_MILLIS + seconds * 1000;
    }

    /** The admin port of a server with a configuration; its Unix socket where it has one. */
    public static AdminOptions of(Configuration configuration) {
        AdminOptions options = new AdminOptions();
        Path socket = configuration.get(ConfigurationKeys.ADMIN_SOCKET);
        InetAddress at = configuration.get(ConfigurationKeys.ADMIN_ADDRESS);
        options.address = socket.toString().isEmpty()
                ? (at.isLoopbackAddress() ? "" : "https://")
                        + AddressText.of(new InetSocketAddress(at, Math.max(0, configuration.get(ConfigurationKeys.ADMIN_PORT).intValue())))
                : UNIX + socket;
        return options;
    }

    /**
     * What a server said.
     *
     * @param status of HTTP
     * @param body its text
     */
    public record Reply(int status, String body) {
        public boolean done() {
            return status == HttpURLConnection.HTTP_OK;
        }

        /** Returns the members of its body, an object of JSON. */
        public Map<String, Object> object() throws IOException {
            try {
                return JsonValue.read(body.getBytes(StandardCharsets.UTF_8)).whole().object();
            } catch (Malformed e) {
                throw new IOException("the answer of the admin port is not read: " + e.getMessage(), e);
            }
        }
    }

    /** Returns the objects of a list that an answer has under a name; empty if there is none. */
    public static List<Map<?, ?>> rows(Map<String, Object> answer, String name) {
        List<Map<?, ?>> rows = new ArrayList<>();
        if (answer.get(name) instanceof List<?> list) {
            for (Object each : list) {
                if (each instanceof Map<?, ?> row) {
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    /** Returns a value of an object as text; empty if it has none. */
    public static String text(Map<?, ?> row, String name) {
        Object value = row.get(name);
        return value == null ? "" : value.toString();
    }

    public Reply get(String path) throws IOException {
        return send("GET", path, "");
    }

    public Reply post(String path, String body) throws IOException {
        return send("POST", path, body);
    }

    private static String token(Path file) throws IOException {
        try {
            return Files.readString(file).lines().findFirst().orElse("").strip();
        } catch (NoSuchFileException e) {
            throw new IOException("there is no file " + file + " with the token", e);
        }
    }

    private static SSLSocketFactory trusting(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IOException(file + " is not a certificate in PEM: " + e.getMessage(), e);
        }
    }

    private Reply send(String method, String path, String body) throws IOException {
        if (address.startsWith(UNIX)) {
            return UnixSocketRequest.send(Path.of(address.substring(UNIX.length())), method, path, body, timeoutMillis);
        }
        HttpURLConnection connection;
        try {
            connection = (HttpURLConnection)
                    new URI((address.startsWith("https://") ? "" : "http://") + address + path).toURL().openConnection();
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new IOException("'" + address + "' is not an admin port: write host:port", e);
        }
        try {
            if (connection instanceof HttpsURLConnection https && caFile != null) {
                https.setSSLSocketFactory(trusting(caFile));
            }
            connection.setRequestMethod(method);
            connection.setConnectTimeout(timeoutMillis);
            connection.setReadTimeout(timeoutMillis);
            if (tokenFile != null) {
                connection.setRequestProperty("Authorization", "Bearer " + token(tokenFile));
            }
            if (method.equals("POST")) {
                connection.setRequestProperty("Guidepost", "yes");
                connection.setDoOutput(true);
                connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
            }
            int status = connection.getResponseCode();
            try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
                return new Reply(status, in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new IOException(
                    "no server answers at the admin port " + address + " (" + e.getMessage()
                            + "): start one with guidepost serve, or name its port with --admin",
                    e);
        } finally {
            connection.disconnect();
        }
    }
}
