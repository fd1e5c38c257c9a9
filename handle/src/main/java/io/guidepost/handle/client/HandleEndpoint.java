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
 * One way to one server.
 *
 * @param transport what carries the messages
 * @param address where it listens
 * @param key with which the server signs, and over TLS shows who it is; empty if that is not known
 * @param admin whether it takes changes there
 * @param query whether it takes questions there
 */
public record HandleEndpoint(
        SiteInterface.Transport transport,
        InetSocketAddress address,
        Optional<PublicKey> key,
        boolean admin,
        boolean query) {
    /** The customary port of UDP and TCP. */
    public static final int PORT = 2641;

    /** The customary port of HTTP and HTTPS. */
    public static final int HTTP_PORT = 8000;

    /** An interface of a server as its site describes it. A key that cannot be read is not known. */
    public static HandleEndpoint of(SiteServer server, SiteInterface way) {
        return new HandleEndpoint(
                way.transport(),
                new InetSocketAddress(server.inetAddress(), way.port()),
                key(server),
                way.admin(),
                way.query());
    }

    /** A way to a server that nothing more is known of. */
    public static HandleEndpoint of(SiteInterface.Transport transport, InetSocketAddress address) {
        return new HandleEndpoint(transport, address, Optional.empty(), true, true);
    }

    /** The same with the key of a server in a site. */
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

    /** As in {@code tcp://127.0.0.1:2641}. */
    @Override
    public String toString() {
        return transport.name().toLowerCase(Locale.ROOT) + "://" + address.getHostString() + ":"
                + address.getPort();
    }
}
