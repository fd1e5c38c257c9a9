package io.guidepost.handle.client;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Settings of a client. Immutable; the {@code with} methods return changed copies. */
public final class HandleClientSettings implements Cloneable {
    /** The defaults: anonymous, no session, no verification of responses. */
    public static final HandleClientSettings DEFAULT = new HandleClientSettings();

    private @Nullable ClientIdentity identity;
    private boolean certified;
    private boolean session;
    private boolean encrypted;
    private boolean pipelined;
    private boolean datagrams = true;
    private Duration timeout = Duration.ofSeconds(60);
    private Duration firstWait = Duration.ofMillis(500);
    private Duration idleMax = Duration.ofSeconds(30);
    private int connectionsMax = 16;
    private InstantSource clock = InstantSource.system();
    private SecureRandom random = new SecureRandom();

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

    /** Returns a copy with another {@link #identity}. */
    public HandleClientSettings withIdentity(ClientIdentity value) {
        return with(copy -> copy.identity = value);
    }

    /**
     * Returns whether responses must carry the server's signature, or in a session its MAC, and the digest of their
     * request; default false.
     */
    public boolean certified() {
        return certified;
    }

    /** Returns a copy with another {@link #certified}. */
    public HandleClientSettings withCertified(boolean value) {
        return with(copy -> copy.certified = value);
    }

    /** Returns whether requests go in a session, in which one challenge authenticates all of them; default false. */
    public boolean session() {
        return session;
    }

    /** Returns a copy with another {@link #session}. */
    public HandleClientSettings withSession(boolean value) {
        return with(copy -> copy.session = value);
    }

    /** Returns whether requests and responses of a session are encrypted; default false. */
    public boolean encrypted() {
        return encrypted;
    }

    /** Returns a copy with another {@link #encrypted}, in a session if it is. */
    public HandleClientSettings withEncrypted(boolean value) {
        return with(copy -> {
            copy.encrypted = value;
            copy.session |= value;
        });
    }

    /**
     * Returns whether TCP connections are persistent and pipelined, where the server supports it; for bulk work.
     * Default false: one connection for each request, which all servers support.
     */
    public boolean pipelined() {
        return pipelined;
    }

    /** Returns a copy with another {@link #pipelined}. */
    public HandleClientSettings withPipelined(boolean value) {
        return with(copy -> copy.pipelined = value);
    }

    /** Returns whether resolution goes by UDP first; default true. */
    public boolean datagrams() {
        return datagrams;
    }

    /** Returns a copy with another value of {@link #datagrams}. */
    public HandleClientSettings withDatagrams(boolean value) {
        return with(copy -> copy.datagrams = value);
    }

    /** Returns the timeout of a connection and of a response over it; default 60 s. */
    public Duration timeout() {
        return timeout;
    }

    /** Returns a copy with another {@link #timeout}. */
    public HandleClientSettings withTimeout(Duration value) {
        return with(copy -> copy.timeout = value);
    }

    /**
     * Returns the time to the first retransmission over UDP; the next ones come after twice and three times that.
     * Default 0.5 s.
     */
    public Duration firstWait() {
        return firstWait;
    }

    /** Returns a copy with another {@link #firstWait}. */
    public HandleClientSettings withFirstWait(Duration value) {
        return with(copy -> copy.firstWait = value);
    }

    /**
     * Returns the idle time after which a persistent connection is not reused. Servers close idle ones, usually after a
     * minute, and a change that is sent then may be lost and is not sent again; so this is less. Default 30 s.
     */
    public Duration idleMax() {
        return idleMax;
    }

    /** Returns a copy with another {@link #idleMax}. */
    public HandleClientSettings withIdleMax(Duration value) {
        return with(copy -> copy.idleMax = value);
    }

    /** Returns the largest number of concurrent connections to one server; default 16. */
    public int connectionsMax() {
        return connectionsMax;
    }

    /** Returns a copy with another {@link #connectionsMax}, at least 1. */
    public HandleClientSettings withConnectionsMax(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("at least one connection is needed, not " + value);
        }
        return with(copy -> copy.connectionsMax = value);
    }

    /** Returns the clock. */
    public InstantSource clock() {
        return clock;
    }

    /** Returns a copy with another {@link #clock}. */
    public HandleClientSettings withClock(InstantSource value) {
        return with(copy -> copy.clock = value);
    }

    /** Returns the source of unpredictable numbers. */
    public SecureRandom random() {
        return random;
    }

    /** Returns a copy with another {@link #random}. */
    public HandleClientSettings withRandom(SecureRandom value) {
        return with(copy -> copy.random = value);
    }
}
