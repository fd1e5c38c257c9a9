package io.guidepost.gnrs.client;

import io.guidepost.gnrs.wire.GnrsLimits;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import java.util.List;

/**
 * What a client wants of a server. Immutable.
 *
 * @param kind what is to be done
 * @param guid the name that it is about
 * @param bindings the places to bind, for inserts and updates; none for look-ups
 * @param recursive whether the server may follow links and ask other servers
 */
public record GnrsRequest(Kind kind, Guid guid, List<Binding> bindings, boolean recursive) {
    /** What is to be done. */
    public enum Kind {
        /** Tell the places of a name. */
        LOOKUP,
        /** Add places to a name. */
        INSERT,
        /** Put places in the place of all that a name has; none = forget it. */
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

    /** Asks for the places of a name. */
    public static GnrsRequest lookup(Guid guid, boolean recursive) {
        return new GnrsRequest(Kind.LOOKUP, guid, List.of(), recursive);
    }

    /** Adds places to a name, wherever its replicas are. */
    public static GnrsRequest insert(Guid guid, List<Binding> bindings) {
        return new GnrsRequest(Kind.INSERT, guid, bindings, true);
    }

    /** Replaces the places of a name, wherever its replicas are. */
    public static GnrsRequest update(Guid guid, List<Binding> bindings) {
        return new GnrsRequest(Kind.UPDATE, guid, bindings, true);
    }

    /** Forgets a name, wherever its replicas are. */
    public static GnrsRequest delete(Guid guid) {
        return update(guid, List.of());
    }
}
