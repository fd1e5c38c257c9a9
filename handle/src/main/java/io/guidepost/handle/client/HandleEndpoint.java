package io.guidepost.handle.client;

import io.guidepost.base.Malformed;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteServer;
import java.net.InetSocketAddress;
import java.security.PublicKey;
import java.util.Locale;
import java.util.Optional;

/**
 * An interface of a server.
 *
 * @param transport of the messages
 * @param address of the server
 * @param key that the server signs with, and proves to have over TLS; empty if unknown
 * @param admin whether it accepts administration
 * @param query whether it accepts resolution
 */
public record HandleEndpoint(
        SiteInterface.Transport transport,
        InetSocketAddress address,
        Optional<PublicKey> key,
        boolean admin,
        boolean query) {
    /** The usual port of UDP and TCP. */
    public static final int PORT = 2641;

    /** The usual port of HTTP and HTTPS. */
    public static final int HTTP_PORT = 8000;

    /** Returns an interface of a server in a site's description. An unreadable key counts as unknown. */
    public static HandleEndpoint of(SiteServer server, SiteInterface way) {
        return new HandleEndpoint(
                way.transport(),
                new InetSocketAddress(server.inetAddress(), way.port()),
                key(server),
                way.admin(),
                way.query());
    }

    /** Returns an interface known by its address alone. */
    public static HandleEndpoint of(SiteInterface.Transport transport, InetSocketAddress address) {
        return new HandleEndpoint(transport, address, Optional.empty(), true, true);
    }

    /** Returns a copy with the key of a server in a site. */
    public HandleEndpoint withKeyOf(SiteServer server) {
        return new HandleEndpoint(transport, address, key(server), admin, query);
    }

    private static Optional<PublicKey> key(SiteServer server) {
        try {
            return Optional.of(PublicKeyRecord.read(server.publicKey()).key());
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    /** Returns the textual form, as {@code tcp://127.0.0.1:2641}. */
    @Override
    public String toString() {
        return transport.name().toLowerCase(Locale.ROOT) + "://" + address.getHostString() + ":"
                + address.getPort();
    }
}
