package io.guidepost.handle.client;

import io.guidepost.handle.authentication.SessionKey;
import io.guidepost.handle.message.HandleMessage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/** The client's state of a session with a server. Thread-safe. */
final class SessionState {
    private final int id;
    private final SessionKey key;
    private final AtomicInteger counter = new AtomicInteger();

    /**
     * Held from a request that may be challenged to its response, until the session has an identity: a server keeps one
     * challenge for a session.
     */
    private final ReentrantLock unbound = new ReentrantLock();

    private volatile boolean bound;

    SessionState(int id, SessionKey key) {
        this.id = id;
        this.key = key;
    }

    int id() {
        return id;
    }

    SessionKey key() {
        return key;
    }

    boolean isBound() {
        return bound;
    }

    void bind() {
        bound = true;
    }

    ReentrantLock unbound() {
        return unbound;
    }

    /** Returns the message with the next number and a MAC. */
    HandleMessage seal(HandleMessage message) {
        return key.seal(message, counter.incrementAndGet());
    }

    byte[] encrypt(byte[] sealed, RandomGenerator random) {
        return key.encrypt(sealed, random);
    }
}
