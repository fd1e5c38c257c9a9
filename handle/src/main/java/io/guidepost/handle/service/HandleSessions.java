package io.guidepost.handle.service;

import io.guidepost.base.SharedCounters;
import io.guidepost.handle.authentication.SessionKey;
import io.guidepost.handle.operation.HandleSettings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The sessions by number. Bounded, in all and for each sender. If there are too many, the oldest unused ones are
 * evicted: any client can begin one, but only the holder of its key uses it. Thread-safe; a look-up takes no lock.
 */
final class HandleSessions {
    /** Sessions in all: some 2 KiB each. */
    static final int TABLE_MAX = 16_384;

    /** Sessions of one sender: existing clients have one for each administrator. */
    static final int SENDER_MAX = 1_024;

    /** Timeout of the first use; clients use a session at once. */
    static final Duration UNUSED = Duration.ofSeconds(60);

    /** Interval of sweeps for timed-out sessions, besides those when the table is full. */
    private static final long SWEEP_MILLIS = 1_000;

    private final InstantSource clock;
    private final RandomGenerator random;
    private final SharedCounters<HandleServiceCount> counts;
    private final Map<Integer, HandleSession> byId = new ConcurrentHashMap<>();
    private final Map<Long, Integer> perSender = new HashMap<>();
    private long sweptMillis;

    /** Creates an empty table; {@code random} makes the numbers, and must be unpredictable. */
    HandleSessions(InstantSource clock, RandomGenerator random, SharedCounters<HandleServiceCount> counts) {
        this.clock = clock;
        this.random = random;
        this.counts = counts;
        this.sweptMillis = clock.millis();
    }

    /**
     * Begins a session with an even number, so that it differs from every challenge's.
     *
     * @param key that was agreed on, or null if the client will send it
     * @param idleSeconds idle timeout that the client wants; 0 for the longest
     * @return empty if the table is full
     */
    synchronized Optional<HandleSession> open(long sender, @Nullable SessionKey key, long idleSeconds) {
        long now = clock.millis();
        if (now - sweptMillis >= SWEEP_MILLIS || byId.size() >= TABLE_MAX) {
            sweep(now);
        }
        if (perSender.getOrDefault(sender, 0) >= SENDER_MAX && !dropUnused(OptionalLong.of(sender))) {
            counts.add(HandleServiceCount.SESSIONS_REFUSED_SOURCE_MAX);
            return Optional.empty();
        }
        if (byId.size() >= TABLE_MAX && !dropUnused(OptionalLong.empty())) {
            counts.add(HandleServiceCount.SESSIONS_REFUSED_TABLE_MAX);
            return Optional.empty();
        }
        int id;
        do {
            id = random.nextInt() & Integer.MAX_VALUE & ~1;
        } while (id == 0 || byId.containsKey(id));
        long life = HandleSettings.SESSION_LIFE_MAX.toMillis();
        long idle = idleSeconds == 0 ? life : Math.min(life, idleSeconds * 1000);
        long until = now + Math.min(idle, UNUSED.toMillis());
        HandleSession session = new HandleSession(id, sender, key, until, idle, now + life);
        byId.put(id, session);
        perSender.merge(sender, 1, Integer::sum);
        counts.add(HandleServiceCount.SESSIONS_BEGUN);
        return Optional.of(session);
    }

    private void sweep(long now) {
        sweptMillis = now;
        for (HandleSession each : byId.values()) {
            if (each.untilMillis() <= now) {
                counts.add(HandleServiceCount.SESSIONS_DROPPED_TIMED_OUT);
                close(each);
            }
        }
    }

    /** Evicts the oldest unused session. */
    private boolean dropUnused(OptionalLong of) {
        Optional<HandleSession> oldest = byId.values().stream()
                .filter(each -> !each.used() && (of.isEmpty() || of.getAsLong() == each.sender()))
                .min(Comparator.comparingLong(HandleSession::untilMillis));
        oldest.ifPresent(each -> {
            counts.add(HandleServiceCount.SESSIONS_DROPPED_TABLE_MAX);
            close(each);
        });
        return oldest.isPresent();
    }

    /** Returns the session with a number; empty if it is unknown or timed out. */
    Optional<HandleSession> find(int id) {
        HandleSession session = byId.get(id);
        if (session != null && session.untilMillis() <= clock.millis()) {
            counts.add(HandleServiceCount.SESSIONS_DROPPED_TIMED_OUT);
            close(session);
            return Optional.empty();
        }
        return Optional.ofNullable(session);
    }

    /**
     * Returns the session of a sender without a key; empty if there is none, or several. Existing clients do not name
     * the session when they send its key. An attacker with the same address could send another key: the client's MACs
     * would then be wrong, with no further harm.
     */
    Optional<HandleSession> waiting(long sender) {
        long now = clock.millis();
        List<HandleSession> waiting = byId.values().stream()
                .filter(each -> each.sender() == sender
                        && each.key().isEmpty()
                        && each.untilMillis() > now)
                .limit(2)
                .toList();
        return waiting.size() == 1 ? Optional.of(waiting.getFirst()) : Optional.empty();
    }

    synchronized void close(HandleSession session) {
        if (byId.remove(session.id(), session)) {
            perSender.computeIfPresent(session.sender(), (_, count) -> count == 1 ? null : count - 1);
        }
    }

    int size() {
        return byId.size();
    }
}
