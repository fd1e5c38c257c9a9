package io.guidepost.scaffold.object;

import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Delegation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An instance of an object: what its host has registered, and how it is. Any thread may read it; what its host says of it
 * anew is set by one thread at a time.
 */
final class Instance {
    /** Reports of a failure by different flows after which an instance is suspected. */
    static final int REPORTS_MAX = 2;

    /** Hosts of clients that are remembered, the last ones. */
    static final int CLIENTS_MAX = 1_024;

    final Guid guid;
    final InstanceOffer offer;
    final JoinedHost host;

    /** Those that it was given since its host has spoken last. */
    final AtomicInteger flows = new AtomicInteger();

    private volatile @Nullable Delegation delegation;
    private volatile long leaseEndNanos;
    private volatile boolean stored;
    private volatile boolean draining;
    private volatile int reports;
    private volatile long reporter;

    /** Hosts that were given it. */
    private final LinkedHashSet<Guid> clients = new LinkedHashSet<>();

    /** An instance whose host has not spoken since the server started, if there is no delegation. */
    Instance(Guid guid, InstanceOffer offer, JoinedHost host, @Nullable Delegation delegation, long leaseEndNanos) {
        this.guid = guid;
        this.offer = offer;
        this.host = host;
        this.delegation = delegation;
        this.stored = delegation == null;
        this.leaseEndNanos = leaseEndNanos;
    }

    /** Returns what its host has shown, and was found signed; null if that was before the server started. */
    @Nullable
    Delegation delegation() {
        return delegation;
    }

    /**
     * Takes another registration of the same offer: it is there, and earlier reports no longer count.
     *
     * @param drains whether it is to get no more flows
     */
    void renew(Delegation shown, long endNanos, boolean drains) {
        delegation = shown;
        leaseEndNanos = endNanos;
        flows.set(0);
        draining = drains;
        reports = 0;
    }

    /** Takes note that a host was given it. */
    void given(Guid client) {
        synchronized (clients) {
            if (clients.add(client) && clients.size() > CLIENTS_MAX) {
                clients.removeFirst();
            }
        }
    }

    /** Returns the hosts that were given it since this was asked last. */
    List<Guid> takeClients() {
        synchronized (clients) {
            List<Guid> all = List.copyOf(clients);
            clients.clear();
            return all;
        }
    }

    /** Takes note that it is on the disk. */
    void stored() {
        stored = true;
    }

    boolean isStored() {
        return stored;
    }

    /** Takes note that a flow wants another instance instead of this one. */
    void report(long flow) {
        if (reports == 0 || reporter != flow) {
            reporter = flow;
            reports = Math.min(reports + 1, REPORTS_MAX);
        }
    }

    /** Returns how it is. */
    InstanceState state(long nowNanos) {
        if (leaseEndNanos - nowNanos <= 0 || !host.isHere(nowNanos)) {
            return InstanceState.GONE;
        }
        if (draining) {
            return InstanceState.DRAINING;
        }
        if (delegation == null) {
            return InstanceState.UNHEARD;
        }
        return reports >= REPORTS_MAX ? InstanceState.SUSPECTED : InstanceState.HEALTHY;
    }

    /** Returns the nanoseconds that its lease still has; negative if that is over. */
    long leaseNanos(long nowNanos) {
        return leaseEndNanos - nowNanos;
    }

    /** Returns whether it, or its host, has been silent for so long that nothing is kept of it. */
    boolean isForgotten(long nowNanos, long forgetNanos) {
        return nowNanos - leaseEndNanos > forgetNanos || host.isForgotten(nowNanos, forgetNanos);
    }

    /** Returns its flows for each unit of weight, in 2^16 parts. */
    long load() {
        return ((long) flows.get() << 16) / offer.weight();
    }
}
