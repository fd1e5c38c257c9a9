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
 * A session: a key that was agreed on, the numbers of messages that were used, and who it is, once that was shown.
 * Thread-safe.
 */
final class HandleSession {
    /** Challenges in one session that wait at a time: clients send their first requests side by side. */
    static final int CHALLENGES_MAX = 16;

    private final int id;
    private final QuotaNetwork sender;
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
     * A session that nobody has used.
     *
     * @param key that was agreed on, or null if the client is to send it
     * @param untilMillis by when it must be used, milliseconds since 1970
     * @param idleMillis how long it lives from use to use
     * @param endMillis when it ends in any case
     */
    HandleSession(int id, QuotaNetwork sender, @Nullable SessionKey key, long untilMillis, long idleMillis, long endMillis) {
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

    /** What was answered to its last changes over UDP. */
    RetransmissionCache retransmissionCache() {
        return retransmissionCache;
    }

    QuotaNetwork sender() {
        return sender;
    }

    Optional<SessionKey> key() {
        return Optional.ofNullable(key);
    }

    /** Takes the key that the client sent; false if it has one. */
    synchronized boolean agree(SessionKey sent) {
        if (key != null) {
            return false;
        }
        key = sent;
        return true;
    }

    /** Uses the number of a message whose MAC is right; false if it was used. */
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

    /** Notes that the session is in use: who does so has its key. */
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

    /** The number of the next answer with a MAC. */
    int nextAnswer() {
        return answers.incrementAndGet();
    }

    /** Who it is, if that was shown. */
    Optional<ValueReference> identity() {
        return Optional.ofNullable(identity);
    }

    /** Notes that it was shown who it is. */
    void bind(ValueReference who) {
        identity = who;
    }

    /** Keeps a challenge; the oldest goes if there are too many. */
    void add(PendingChallenge challenge) {
        synchronized (challenges) {
            if (challenges.size() == CHALLENGES_MAX) {
                challenges.removeFirst();
            }
            challenges.addLast(challenge);
        }
    }

    /** The challenges that wait, oldest first. */
    List<PendingChallenge> challenges(long nowMillis) {
        synchronized (challenges) {
            challenges.removeIf(each -> each.untilMillis() <= nowMillis);
            return List.copyOf(challenges);
        }
    }

    /** Takes a challenge, which then waits no more; false if it did not. */
    boolean take(PendingChallenge challenge) {
        synchronized (challenges) {
            return challenges.removeIf(each -> Arrays.equals(each.nonce(), challenge.nonce()));
        }
    }
}
