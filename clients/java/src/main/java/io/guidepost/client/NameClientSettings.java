package io.guidepost.client;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Where a client finds its servers, and how long it waits. Immutable.
 *
 * @param servers {@code http://HOST:PORT} or {@code https://HOST:PORT}; reads are hedged over all of them
 * @param gnrs {@code HOST:PORT} of GNRS over UDP; with one a look-up costs one datagram
 * @param alto the directory of ALTO, such as {@code http://HOST:5082/directory}; {@link NameClient#rank} needs it
 * @param token a bearer token, for writes
 * @param tls certificates to trust, and that of the client; the system's if null
 * @param timeout of each request
 * @param hedgeAfter a read that takes longer is also sent to the next server
 */
public record NameClientSettings(
        List<URI> servers,
        List<String> gnrs,
        @Nullable URI alto,
        @Nullable String token,
        @Nullable SSLContext tls,
        Duration timeout,
        Duration hedgeAfter) {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration HEDGE_AFTER = Duration.ofMillis(100);

    /** Copies the lists, and checks that there is a server. */
    public NameClientSettings {
        servers = List.copyOf(servers);
        gnrs = List.copyOf(gnrs);
        for (URI each : servers) {
            if (each.getHost() == null || each.getScheme() == null || !each.getScheme().matches("https?")) {
                throw new IllegalArgumentException("'" + each + "' is no server: write http://HOST:PORT or https://HOST:PORT");
            }
        }
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("a client needs a server: http://HOST:PORT");
        }
    }

    /** Returns the settings of a client of these servers. */
    public static NameClientSettings of(String... servers) {
        List<URI> all = List.of(servers).stream().map(URI::create).toList();
        return new NameClientSettings(all, List.of(), null, null, null, TIMEOUT, HEDGE_AFTER);
    }

    /** Returns these settings with servers of GNRS, each {@code HOST:PORT}. */
    public NameClientSettings withGnrs(String... gnrs) {
        return new NameClientSettings(servers, List.of(gnrs), alto, token, tls, timeout, hedgeAfter);
    }

    /** Returns these settings with a directory of ALTO. */
    public NameClientSettings withAlto(String directory) {
        return new NameClientSettings(servers, gnrs, URI.create(directory), token, tls, timeout, hedgeAfter);
    }

    /** Returns these settings with a bearer token. */
    public NameClientSettings withToken(String token) {
        return new NameClientSettings(servers, gnrs, alto, token, tls, timeout, hedgeAfter);
    }

    /** Returns these settings with certificates. */
    public NameClientSettings withTls(SSLContext tls) {
        return new NameClientSettings(servers, gnrs, alto, token, tls, timeout, hedgeAfter);
    }

    /** Returns these settings with a timeout, and a time after which a read is also sent to the next server. */
    public NameClientSettings withTimeouts(Duration timeout, Duration hedgeAfter) {
        return new NameClientSettings(servers, gnrs, alto, token, tls, timeout, hedgeAfter);
    }
}
