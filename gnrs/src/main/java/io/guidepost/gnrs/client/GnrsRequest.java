package io.guidepost.gnrs.client;

import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import java.util.List;

/**
 * A request of a client. Immutable.
 *
 * @param kind the operation
 * @param guid the name
 * @param bindings the places to bind, for inserts and updates; none for look-ups
 * @param recursive whether the server may follow links and query other servers
 */
public record GnrsRequest(Kind kind, Guid guid, List<Binding> bindings, boolean recursive) {
    /** The operation. */
    public enum Kind {
        /** Returns the places of a name. */
        LOOKUP,
        /** Adds places to a name. */
        INSERT,
        /** Replaces all places of a name; none = delete it. */
        UPDATE
    }

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if there are more bindings than one message can carry
     */
    public GnrsRequest {
        bindings = List.copyOf(bindings);
        boolean timed = bindings.stream().anyMatch(each -> each.ttlMillis() != 0 || each.expiryMillis() != 0);
        if (timed && bindings.size() > GnrsLimits.TIMED_BINDINGS_MAX) {
            throw new IllegalArgumentException("one request carries at most " + GnrsLimits.TIMED_BINDINGS_MAX
                    + " bindings with lifetimes, not " + bindings.size());
        }
        if (kind == Kind.LOOKUP && !bindings.isEmpty()) {
            throw new IllegalArgumentException("a look-up carries no bindings");
        }
    }

    /** Creates a request for the places of a name. */
    public static GnrsRequest lookup(Guid guid, boolean recursive) {
        return new GnrsRequest(Kind.LOOKUP, guid, List.of(), recursive);
    }

    /** Creates a request that adds places to a name, at all its replicas. */
    public static GnrsRequest insert(Guid guid, List<Binding> bindings) {
        return new GnrsRequest(Kind.INSERT, guid, bindings, true);
    }

    /** Creates a request that replaces the places of a name, at all its replicas. */
    public static GnrsRequest update(Guid guid, List<Binding> bindings) {
        return new GnrsRequest(Kind.UPDATE, guid, bindings, true);
    }

    /** Creates a request that deletes a name, at all its replicas. */
    public static GnrsRequest delete(Guid guid) {
        return update(guid, List.of());
    }
}
