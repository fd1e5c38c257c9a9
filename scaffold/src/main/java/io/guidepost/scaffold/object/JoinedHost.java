package io.guidepost.scaffold.object;

import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Association;
import io.guidepost.scaffold.key.Seal;
import io.guidepost.scaffold.wire.ControlMessage;
import io.guidepost.scaffold.wire.HostLocator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A host that has greeted, and, once it has joined, where it is and until when that holds. Places change as one; any thread may
 * read them.
 *
 * <p>Each can greet in the name of a host, as the public key is no secret, but cannot seal then: what a greeting has agreed is a
 * candidate until a message comes with its seal, and what was agreed before goes on until then.
 */
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

    private static final Place NOWHERE = new Place(0, List.of());

    final Guid guid;

    /** How many instances it has. */
    final AtomicInteger instances = new AtomicInteger();

    private volatile @Nullable Association association;
    private volatile @Nullable Association candidate;
    private volatile Place place = NOWHERE;
    private volatile List<HostLocator> stored = List.of();
    private volatile boolean epochCounts;
    private volatile boolean left;
    private volatile long leaseEndNanos;

    JoinedHost(Guid guid, long leaseEndNanos) {
        this.guid = guid;
        this.leaseEndNanos = leaseEndNanos;
    }

    /** Returns a host that joined before this server started. */
    static JoinedHost ofStored(Guid guid, List<HostLocator> locators, long leaseEndNanos) {
        JoinedHost host = new JoinedHost(guid, leaseEndNanos);
        host.place = new Place(0, locators);
        host.stored = host.place.locators();
        return host;
    }

    /** Returns what was agreed with it, and it has shown to know; null if there is nothing yet. */
    @Nullable
    Association association() {
        return association;
    }

    /** Returns what was agreed with a key of the hour of it; null if nothing was. */
    @Nullable
    Association agreedWith(byte[] share) {
        Association now = association;
        Association next = candidate;
        return now != null && now.isOf(share) ? now : next != null && next.isOf(share) ? next : null;
    }

    /** Returns whether it has greeted since this server started. */
    boolean hasAgreed() {
        return association != null || candidate != null;
    }

    /** Takes what a greeting has agreed. */
    void agree(Association next) {
        candidate = next;
    }

    /** Returns what a message was sealed with; null if its seal is wrong, or it was heard before. */
    @Nullable
    Association check(Seal seal, ControlMessage message) {
        Association now = association;
        if (now != null && seal.check(now, message)) {
            return now;
        }
        Association next = candidate;
        if (next == null || !seal.check(next, message)) {
            return null;
        }
        association = next;
        candidate = null;
        // It has started anew, and so has its count of moves: no message of before is taken any more.
        epochCounts = false;
        return next;
    }

    Place place() {
        return place;
    }

    /** Returns whether it is where it said, for all that is known. */
    boolean isHere(long nowNanos) {
        return leaseEndNanos - nowNanos > 0 && !place.locators().isEmpty();
    }

    /** Returns the nanoseconds that its lease still has; negative if that is over. */
    long leaseNanos(long nowNanos) {
        return leaseEndNanos - nowNanos;
    }

    /** Returns whether it has left, or is silent for so long that nothing is kept of it: one that never joined, after a lease. */
    boolean isForgotten(long nowNanos, long forgetNanos) {
        return left || nowNanos - leaseEndNanos > (place.locators().isEmpty() ? 0 : forgetNanos);
    }

    /** Takes a join; returns false if the host has moved on since: a late one must not win (its epoch is lower). */
    synchronized boolean join(Place next, long endNanos) {
        if (epochCounts && next.epoch() - place.epoch() < 0) {
            return false;
        }
        epochCounts = true;
        place = next;
        left = false;
        leaseEndNanos = endNanos;
        return true;
    }

    /** Has the host be gone, and be forgotten at once. */
    synchronized void leave(long nowNanos) {
        left = true;
        leaseEndNanos = nowNanos;
    }

    /** Takes note that these are its places on the disk. */
    void stored(List<HostLocator> locators) {
        stored = locators;
    }

    /** Returns whether its places are those on the disk. */
    boolean isStored() {
        return stored.equals(place.locators());
    }

    /** Returns whether there is a record of it. */
    boolean hasRecord() {
        return !stored.isEmpty();
    }
}
