package io.guidepost.handle.service;

import io.guidepost.handle.authentication.ReplayWindow;
import io.guidepost.handle.authentication.SessionKey;
import io.guidepost.handle.value.ValueReference;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A session: its key, its replay window, its retransmission cache, and its identity once authenticated. Thread-safe.
 */
final class HandleSession {
    /** Pending challenges of one session: clients send their first requests concurrently. */
    static final int CHALLENGES_MAX = 16;

    private final int id;
    private final long sender;
    private final long endMillis;
    private final long idleMillis;
    private final AtomicInteger answers = new AtomicInteger();
    private final ReplayWindow counters = new ReplayWindow();
    private final Deque<PendingChallenge> challenges = new ArrayDeque<>();
    private final RetransmissionCache retransmissionCache = new RetransmissionCache();
    private volatile @Nullable SessionKey key;
    private volatile @Nullable ValueReference identity;
    private volatile long untilMillis;
    private volatile boolean used;

    /**
     * Creates an unused session.
     *
     * @param key that was agreed on, or null if the client will send it
     * @param untilMillis timeout of its first use, milliseconds since 1970
     * @param idleMillis idle timeout
     * @param endMillis its end in any case
     */
    HandleSession(int id, long sender, @Nullable SessionKey key, long untilMillis, long idleMillis, long endMillis) {
        this.id = id;
        this.sender = sender;
        this.key = key;
        this.untilMillis = untilMillis;
        this.idleMillis = idleMillis;
        this.endMillis = endMillis;
    }

    int id() {
        return id;
    }

    RetransmissionCache retransmissionCache() {
        return retransmissionCache;
    }

    long sender() {
        return sender;
    }

    Optional<SessionKey> key() {
        return Optional.ofNullable(key);
    }

    /** Sets the key that the client sent; returns false if there is one. */
    synchronized boolean agree(SessionKey sent) {
        if (key != null) {
            return false;
        }
        key = sent;
        return true;
    }

    /** Checks the counter of a message with a right MAC; returns false if it is a replay. */
    boolean use(int counter, long nowMillis) {
        boolean fresh;
        synchronized (counters) {
            fresh = counters.use(counter);
        }
        if (fresh) {
            touch(nowMillis);
        }
        return fresh;
    }

    /** Restarts the idle timeout: the client has proven that it has the key. */
    void touch(long nowMillis) {
        used = true;
        untilMillis = Math.min(endMillis, nowMillis + idleMillis);
    }

    boolean used() {
        return used;
    }

    long untilMillis() {
        return untilMillis;
    }

    /** Returns the counter of the next response with a MAC. */
    int nextResponseNumber() {
        return answers.incrementAndGet();
    }

    /** Returns the identity, if it is authenticated. */
    Optional<ValueReference> identity() {
        return Optional.ofNullable(identity);
    }

    void bind(ValueReference who) {
        identity = who;
    }

    /** Adds a challenge; evicts the oldest if there are too many. */
    void add(PendingChallenge challenge) {
        synchronized (challenges) {
            if (challenges.size() == CHALLENGES_MAX) {
                challenges.removeFirst();
            }
            challenges.addLast(challenge);
        }
    }

    /** Returns the pending challenges, oldest first. */
    List<PendingChallenge> challenges(long nowMillis) {
        synchronized (challenges) {
            challenges.removeIf(each -> each.untilMillis() <= nowMillis);
            return List.copyOf(challenges);
        }
    }

    /** Removes a challenge; returns false if it was not pending. */
    boolean take(PendingChallenge challenge) {
        synchronized (challenges) {
            return challenges.removeIf(each -> Arrays.equals(each.nonce(), challenge.nonce()));
        }
    }
}
