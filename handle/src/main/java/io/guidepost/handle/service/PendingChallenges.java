package io.guidepost.handle.service;

import io.guidepost.base.SharedCounters;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The pending challenges outside of sessions, by number, each for one response. Bounded: the oldest is evicted first.
 * Challenges over UDP, where source addresses can be forged, have a table of their own. Thread-safe.
 */
final class PendingChallenges {
    /** Challenges in each of the two tables: more than honest clients cause in a minute. */
    static final int TABLE_MAX = 16_384;

    /** Bytes of the challenged requests in each table, with their objects. */
    static final long TABLE_BYTES_MAX = 64L << 20;

    /** Challenges of one sender: a tool that creates handles from many threads has one for each thread. */
    static final int SENDER_MAX = 1_024;

    private final InstantSource clock;
    private final RandomGenerator random;
    private final SharedCounters<HandleServiceCount> counts;
    private final Table invented = new Table();
    private final Table connected = new Table();

    /** Creates an empty table; {@code random} makes the numbers, and must be unpredictable. */
    PendingChallenges(InstantSource clock, RandomGenerator random, SharedCounters<HandleServiceCount> counts) {
        this.clock = clock;
        this.random = random;
        this.counts = counts;
    }

    /** Adds a challenge, and returns its number: odd, so that it differs from every session's. */
    synchronized int add(PendingChallenge challenge, HandleRequest.Transport transport) {
        Table table = transport == HandleRequest.Transport.UDP ? invented : connected;
        table.expire(clock.millis());
        int id;
        do {
            id = random.nextInt() & Integer.MAX_VALUE | 1;
        } while (invented.byId.containsKey(id) || connected.byId.containsKey(id));
        table.add(id, challenge);
        return id;
    }

    /** Removes and returns the challenge with a number; empty if it is unknown or timed out. */
    synchronized Optional<PendingChallenge> take(int id) {
        long now = clock.millis();
        Optional<PendingChallenge> found = connected.remove(id).or(() -> invented.remove(id));
        if (found.isPresent() && found.get().untilMillis() <= now) {
            counts.add(HandleServiceCount.CHALLENGES_DROPPED_TIMED_OUT);
            return Optional.empty();
        }
        return found;
    }

    synchronized int size() {
        return invented.byId.size() + connected.byId.size();
    }

    /** One table, in the order of sending, which is that of the timeouts. */
    private final class Table {
        private final Map<Integer, PendingChallenge> byId = new LinkedHashMap<>();
        private final Map<Long, LinkedHashSet<Integer>> bySender = new HashMap<>();
        private long bytes;

        void expire(long now) {
            while (!byId.isEmpty()) {
                Map.Entry<Integer, PendingChallenge> oldest = byId.entrySet().iterator().next();
                if (oldest.getValue().untilMillis() > now) {
                    return;
                }
                remove(oldest.getKey());
                counts.add(HandleServiceCount.CHALLENGES_DROPPED_TIMED_OUT);
            }
        }

        void add(int id, PendingChallenge challenge) {
            LinkedHashSet<Integer> own = bySender.getOrDefault(challenge.sender(), new LinkedHashSet<>());
            if (own.size() >= SENDER_MAX) {
                remove(own.getFirst());
                counts.add(HandleServiceCount.CHALLENGES_DROPPED_SOURCE_MAX);
            }
            while (byId.size() >= TABLE_MAX || !byId.isEmpty() && bytes + challenge.bytes() > TABLE_BYTES_MAX) {
                remove(byId.keySet().iterator().next());
                counts.add(HandleServiceCount.CHALLENGES_DROPPED_TABLE_MAX);
            }
            byId.put(id, challenge);
            bySender.computeIfAbsent(challenge.sender(), _ -> new LinkedHashSet<>()).add(id);
            bytes += challenge.bytes();
        }

        Optional<PendingChallenge> remove(int id) {
            PendingChallenge removed = byId.remove(id);
            if (removed == null) {
                return Optional.empty();
            }
            bytes -= removed.bytes();
            bySender.computeIfPresent(removed.sender(), (_, own) -> {
                own.remove(id);
                return own.isEmpty() ? null : own;
            });
            return Optional.of(removed);
        }
    }
}
