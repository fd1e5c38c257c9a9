package io.guidepost.server.http;

import io.guidepost.base.Prefix;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.http.epoll.ConnectionTransport;
import io.guidepost.server.service.WorkerOptions;
import java.util.List;

/**
 * How connections are treated.
 *
 * @param transport how connections are accepted, read and written
 * @param loops threads that read and write, at least 1
 * @param connectionsMax connections at a time; further ones are closed at once
 * @param inFlightMax requests that may wait for the disk at a time; further ones are told that the server is busy
 * @param lastingMax requests that may wait for something to happen at a time
 * @param idleMillis how long a connection may be silent, and while there are few how long the rest of a message may be
 *     out, see {@link ReadTimeout#message}
 * @param receiverMillis how long a receiver may take nothing
 * @param bodyBytesMax bytes of a request's body over HTTP
 * @param trustedProxies who may say in X-Forwarded-For for whom they ask
 */
public record HttpServerSettings(
        ConnectionTransport transport,
        int loops,
        int connectionsMax,
        int inFlightMax,
        int lastingMax,
        long idleMillis,
        long receiverMillis,
        int bodyBytesMax,
        List<Prefix> trustedProxies) {
    /** The defaults. */
    public static final HttpServerSettings STANDARD =
            new HttpServerSettings(
                    ConnectionTransport.EPOLL, 1, 20_000, 1024, 1024, 10_000, 60_000, 4 << 20, List.of());

    /** Longest time that a client may take nothing of its answer, in idle timeouts. */
    private static final int RECEIVER_IDLES = 6;

    /** Reads what the configuration says of all HTTP services. */
    public static HttpServerSettings of(Configuration configuration) {
        int requestsMax = configuration.get(ConfigurationKeys.HTTP_REQUESTS_MAX).intValue();
        long idleMillis = configuration.get(ConfigurationKeys.HTTP_IDLE_MILLIS);
        return new HttpServerSettings(
                ConnectionTransport.of(configuration.get(ConfigurationKeys.SERVER_BACK_END)),
                WorkerOptions.number(configuration),
                configuration.get(ConfigurationKeys.HTTP_CONNECTIONS_MAX).intValue(),
                requestsMax,
                requestsMax,
                idleMillis,
                RECEIVER_IDLES * idleMillis,
                STANDARD.bodyBytesMax,
                configuration.get(ConfigurationKeys.HTTP_TRUSTED_PROXIES));
    }

    /** Copies the list. */
    public HttpServerSettings {
        trustedProxies = List.copyOf(trustedProxies);
    }
}
