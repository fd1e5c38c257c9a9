package io.guidepost.handle.rest;

import io.guidepost.base.SharedCounters;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.operation.HandleSettings;
import io.guidepost.handle.value.ValueReference;
import java.math.BigInteger;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sessions over HTTP: a client proves its identity for the session's nonce, and later requests carry the session's id.
 * Unauthenticated sessions have a table of their own, so that a flood of them evicts no others. Each table is bounded
 * and evicts the oldest. Thread-safe.
 */
final class RestSessions {
    private static final int NONCE_BYTES = 16;
    private static final int ID_BITS = 128;
    private static final int ID_RADIX = 36;

    /**
     * A session.
     *
     * @param id sent by the client; a secret of both parties
     * @param nonce to be signed; treated as immutable
     * @param identity of the client, null before authentication
     * @param endMillis its end, milliseconds since 1970
     */
    @SuppressWarnings("ArrayRecordComponent") // Made once, never changed.
    record Session(String id, byte[] nonce, @Nullable ValueReference identity, long endMillis) {
        boolean proven() {
            return identity != null;
        }
    }

    private final InstantSource clock;
    private final RandomGenerator random;
    private final LinkedHashMap<String, Session> open = new LinkedHashMap<>();
    private final LinkedHashMap<String, Session> proven = new LinkedHashMap<>();
    private final SharedCounters<RestCount> counts;

    RestSessions(InstantSource clock, RandomGenerator random, SharedCounters<RestCount> counts) {
        this.counts = counts;
        this.clock = clock;
        this.random = random;
    }

    synchronized Session begin(@Nullable ValueReference identity) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] number = new byte[ID_BITS / 8];
        random.nextBytes(number);
        return keep(new Session(new BigInteger(1, number).toString(ID_RADIX), nonce, identity, end(identity)));
    }

    /** Returns the session, now with an authenticated identity. */
    synchronized Session prove(Session session, ValueReference identity) {
        open.remove(session.id());
        proven.remove(session.id());
        return keep(new Session(session.id(), session.nonce(), identity, end(identity)));
    }

    private long end(@Nullable ValueReference identity) {
        return clock.millis() + (identity == null ? HandleSettings.CHALLENGE_LIFE : HandleSettings.SESSION_LIFE_MAX).toMillis();
    }

    private Session keep(Session session) {
        LinkedHashMap<String, Session> kept = session.proven() ? proven : open;
        if (kept.size() >= HandleLimits.WEB_SESSIONS_MAX) {
            kept.pollFirstEntry();
            counts.add(RestCount.EVICTED_SESSIONS);
        }
        kept.put(session.id(), session);
        return session;
    }

    /** Returns the session with an id, if it has not ended. */
    synchronized Optional<Session> find(String id) {
        Session found = proven.getOrDefault(id, open.get(id));
        if (found != null && found.endMillis() <= clock.millis()) {
            end(id);
            return Optional.empty();
        }
        return Optional.ofNullable(found);
    }

    synchronized void end(String id) {
        open.remove(id);
        proven.remove(id);
    }
}
