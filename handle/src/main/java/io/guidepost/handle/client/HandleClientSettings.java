package io.guidepost.handle.client;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How a client behaves. Immutable; the {@code with} methods give changed copies. */
public final class HandleClientSettings implements Cloneable {
    /** What one gets who says nothing: anonymous, each request by itself, answers as they come. */
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

    /** Who the client is; empty (the default) = it does not say. */
    public Optional<ClientIdentity> identity() {
        return Optional.ofNullable(identity);
    }

    /** A copy with another {@link #identity}. */
    public HandleClientSettings withIdentity(ClientIdentity value) {
        return with(copy -> copy.identity = value);
    }

    /**
     * Whether answers must carry the server's signature, or in a session its MAC, and repeat the digest of their request;
     * default false.
     */
    public boolean certified() {
        return certified;
    }

    /** A copy with another {@link #certified}. */
    public HandleClientSettings withCertified(boolean value) {
        return with(copy -> copy.certified = value);
    }

    /** Whether requests go in a session, in which one challenge is answered for all of them; default false. */
    public boolean session() {
        return session;
    }

    /** A copy with another {@link #session}. */
    public HandleClientSettings withSession(boolean value) {
        return with(copy -> copy.session = value);
    }

    /** Whether requests and answers of a session are encrypted; default false. */
    public boolean encrypted() {
        return encrypted;
    }

    /** A copy with another {@link #encrypted}, in a session if it is. */
    public HandleClientSettings withEncrypted(boolean value) {
        return with(copy -> {
            copy.encrypted = value;
            copy.session |= value;
        });
    }

    /**
     * Whether TCP connections stay open and carry many requests at a time, where the server allows that; for much work.
     * Default false: one connection a request, which all servers have.
     */
    public boolean pipelined() {
        return pipelined;
    }

    /** A copy with another {@link #pipelined}. */
    public HandleClientSettings withPipelined(boolean value) {
        return with(copy -> copy.pipelined = value);
    }

    /** Whether questions go by UDP first; default true. */
    public boolean datagrams() {
        return datagrams;
    }

    /** A copy with another value of {@link #datagrams}. */
    public HandleClientSettings withDatagrams(boolean value) {
        return with(copy -> copy.datagrams = value);
    }

    /** How long to wait for a connection or an answer over one; default 60 s. */
    public Duration timeout() {
        return timeout;
    }

    /** A copy with another {@link #timeout}. */
    public HandleClientSettings withTimeout(Duration value) {
        return with(copy -> copy.timeout = value);
    }

    /** How long to wait for an answer by UDP before asking again; then twice and three times as long. Default 0.5 s. */
    public Duration firstWait() {
        return firstWait;
    }

    /** A copy with another {@link #firstWait}. */
    public HandleClientSettings withFirstWait(Duration value) {
        return with(copy -> copy.firstWait = value);
    }

    /**
     * How long a kept connection may be without requests before it is used no more. Servers close idle ones, customarily
     * after a minute: a change that is sent then may be lost, and is not sent again, so this is less. Default 30 s.
     */
    public Duration idleMax() {
        return idleMax;
    }

    /** A copy with another {@link #idleMax}. */
    public HandleClientSettings withIdleMax(Duration value) {
        return with(copy -> copy.idleMax = value);
    }

    /** Connections to one server at a time, at most; default 16. */
    public int connectionsMax() {
        return connectionsMax;
    }

    /** A copy with another {@link #connectionsMax}, at least 1. */
    public HandleClientSettings withConnectionsMax(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("at least one connection is needed, not " + value);
        }
        return with(copy -> copy.connectionsMax = value);
    }

    /** The clock. */
    public InstantSource clock() {
        return clock;
    }

    /** A copy with another {@link #clock}. */
    public HandleClientSettings withClock(InstantSource value) {
        return with(copy -> copy.clock = value);
    }

    /** Where numbers come from that nobody must guess. */
    public SecureRandom random() {
        return random;
    }

    /** A copy with another {@link #random}. */
    public HandleClientSettings withRandom(SecureRandom value) {
        return with(copy -> copy.random = value);
    }
}
