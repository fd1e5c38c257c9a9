package io.guidepost.handle.client;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Settings of a client. Immutable; the {@code with} methods return changed copies. */
public final class HandleClientSettings implements Cloneable {
    /** The defaults: anonymous, no session, no verification of responses. */
    public static final HandleClientSettings DEFAULT = new HandleClientSettings();

    /** Unpredictable numbers: ids of requests, keys and vectors. */
    static final SecureRandom RANDOM = new SecureRandom();

    private @Nullable ClientIdentity identity;
    private boolean encrypted;
    boolean certified;
    boolean session;
    boolean pipelined;
    boolean datagrams = true;
    Duration timeout = Duration.ofSeconds(60);
    Duration firstWait = Duration.ofMillis(500);
    Duration idleMax = Duration.ofSeconds(30);
    int connectionsMax = 16;

    private HandleClientSettings() {}

    private HandleClientSettings with(Consumer<HandleClientSettings> change) {
        try {
            HandleClientSettings copy = (HandleClientSettings) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the client's identity; empty (the default) = anonymous. */
    public Optional<ClientIdentity> identity() {
        return Optional.ofNullable(identity);
    }

    /** Returns whether requests and responses of a session are encrypted; default false. */
    public boolean encrypted() {
        return encrypted;
    }

    /** Returns a copy for a client with an identity. */
    public HandleClientSettings withIdentity(ClientIdentity value) {
        return with(copy -> copy.identity = value);
    }

    /**
     * Returns a copy in which responses must carry the server's signature, or in a session its MAC, and the digest of
     * their request; default false.
     */
    public HandleClientSettings withCertified(boolean value) {
        return with(copy -> copy.certified = value);
    }

    /** Returns a copy in which requests go in a session, where one challenge authenticates all of them; default false. */
    public HandleClientSettings withSession(boolean value) {
        return with(copy -> copy.session = value);
    }

    /** Returns a copy with another {@link #encrypted}, in a session if it is. */
    public HandleClientSettings withEncrypted(boolean value) {
        return with(copy -> {
            copy.encrypted = value;
            copy.session |= value;
        });
    }

    /**
     * Returns a copy whose TCP connections are persistent and pipelined, where the server supports it; for bulk work.
     * Default false: one connection for each request, which all servers support.
     */
    public HandleClientSettings withPipelined(boolean value) {
        return with(copy -> copy.pipelined = value);
    }

    /** Returns a copy whose resolution goes by UDP first; default true. */
    public HandleClientSettings withDatagrams(boolean value) {
        return with(copy -> copy.datagrams = value);
    }

    /** Returns a copy with another timeout of a connection and of a response over it; default 60 s. */
    public HandleClientSettings withTimeout(Duration value) {
        return with(copy -> copy.timeout = value);
    }

    /**
     * Returns a copy with another time to the first retransmission over UDP; the next ones come after twice and three
     * times that. Default 0.5 s.
     */
    public HandleClientSettings withFirstWait(Duration value) {
        return with(copy -> copy.firstWait = value);
    }

    /**
     * Returns a copy with another idle time after which a persistent connection is not reused. Servers close idle ones,
     * usually after a minute, and a change that is sent then may be lost and is not sent again; so this is less. Default
     * 30 s.
     */
    public HandleClientSettings withIdleMax(Duration value) {
        return with(copy -> copy.idleMax = value);
    }

    /** Returns a copy with another largest number of concurrent connections to one server, at least 1; default 16. */
    public HandleClientSettings withConnectionsMax(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("at least one connection is needed, not " + value);
        }
        return with(copy -> copy.connectionsMax = value);
    }
}
