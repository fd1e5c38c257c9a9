package io.guidepost.scaffold.object;

import io.guidepost.names.Guid;
import io.guidepost.scaffold.wire.HostLocator;
import java.util.List;

/** A host that has joined: where it is, and until when that holds. Places change as one; any thread may read them. */
final class JoinedHost {
    /**
     * Where a host is.
     *
     * @param epoch counts its moves
     * @param locators as the host gave them, the preferred one first; the observed one leads where none of them is it
     */
    record Place(int epoch, List<HostLocator> locators) {
        Place {
            locators = List.copyOf(locators);
        }
    }

    private final Guid guid;
    private volatile Place place;
    private volatile long leaseEndNanos;

    JoinedHost(Guid guid, Place place, long leaseEndNanos) {
        this.guid = guid;
        this.place = place;
        this.leaseEndNanos = leaseEndNanos;
    }

    Guid guid() {
        return guid;
    }

    Place place() {
        return place;
    }

    boolean isHere(long nowNanos) {
        return leaseEndNanos - nowNanos > 0;
    }

    /** Takes a join; returns false if the host has moved on since: a late one must not win (its epoch is lower). */
    synchronized boolean join(Place next, long endNanos) {
        if (next.epoch() - place.epoch() < 0) {
            return false;
        }
        place = next;
        leaseEndNanos = endNanos;
        return true;
    }

    /** Has the host be gone. */
    synchronized void leave(long nowNanos) {
        leaseEndNanos = nowNanos;
    }
}
