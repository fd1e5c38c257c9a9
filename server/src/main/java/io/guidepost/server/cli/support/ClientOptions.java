package io.guidepost.server.cli.support;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options that name a GNRS server. */
public final class ClientOptions {
    private static final int TIMEOUT_MILLIS_MAX = 60_000;

    /** The port of GNRS servers. */
    public static final int PORT = 5001;

    @Option(
            names = {"-S", "--server"},
            paramLabel = "HOST[:PORT]",
            description = "Server to ask (default: ${DEFAULT-VALUE}).")
    private String server = "127.0.0.1:5001";

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "500ms",
            description = "How long to wait for an answer before asking again (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofMillis(500);

    /** Opens a client with a bound on its requests under way. */
    public GnrsClient open(int window) throws IOException {
        int millis = Math.clamp(timeout.toMillis(), 1, TIMEOUT_MILLIS_MAX);
        return GnrsClient.open(
                address(server), new GnrsClientSettings(millis, GnrsClientSettings.DEFAULT.attempts(), window));
    }

    /** Returns where to listen: on loopback, if only a port is said. */
    public static InetSocketAddress local(String text) throws IOException {
        return address(text.matches("[0-9]+") ? "127.0.0.1:" + text : text, 0);
    }

    /** Reads {@code host}, {@code host:port}, {@code [::1]:port} or a bare IPv6 address. */
    public static InetSocketAddress address(String text) throws IOException {
        return address(text, PORT);
    }

    /** The same with another port for those that do not say theirs. */
    public static InetSocketAddress address(String text, int standard) throws IOException {
        int colon = text.lastIndexOf(':');
        boolean bare = colon < 0 || text.indexOf(':') != colon && !text.startsWith("[") || text.endsWith("]");
        String host = bare ? text : text.substring(0, colon);
        int port = standard;
        try {
            port = bare ? standard : Integer.parseInt(text.substring(colon + 1));
        } catch (NumberFormatException e) {
            throw new IOException("'" + text + "' is not a server: write host:port, such as 127.0.0.1:" + standard, e);
        }
        if (port < 1 || port > 65535) {
            throw new IOException("'" + text + "' has no port from 1 to 65535");
        }
        try {
            String plain = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
            return new InetSocketAddress(InetAddress.getByName(plain), port);
        } catch (UnknownHostException e) {
            throw new IOException("the host '" + host + "' is not known", e);
        }
    }
}
