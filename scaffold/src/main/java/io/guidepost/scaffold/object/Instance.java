package io.guidepost.scaffold.object;

import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Delegation;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An instance of an object: what its host has registered, and how it is. Any thread may read it; what its host says of it
 * anew is set by one thread at a time.
 */
final class Instance {
    /**
     * What does not change without another registration.
     *
     * @param priority lower ones are taken first
     * @param weight its share among those of its priority, 1 to 65,535
     * @param protocol number of TCP or UDP
     * @param port where its program listens
     * @param flags of the registration, see {@link io.guidepost.scaffold.wire.ControlMessage}
     */
    record Offer(int priority, int weight, int protocol, int port, int flags) {}

    /** Reports of a failure by different flows after which an instance is suspected. */
    static final int REPORTS_MAX = 2;

    private final Guid guid;
    private final Guid object;
    private final JoinedHost host;
    private final Offer service;
    private volatile @Nullable Delegation delegation;
    private final AtomicInteger flows = new AtomicInteger();
    private volatile int flowsMax;
    private volatile long leaseEndNanos;
    private volatile boolean stored;
    private volatile boolean draining;
    private volatile int reports;
    private volatile long reporter;

    /** An instance whose host has not spoken since the server started, if there is no delegation. */
    Instance(Guid guid, Guid object, JoinedHost host, Offer service, @Nullable Delegation delegation, long leaseEndNanos) {
        this.guid = guid;
        this.object = object;
        this.host = host;
        this.service = service;
        this.delegation = delegation;
        this.stored = delegation == null;
        this.leaseEndNanos = leaseEndNanos;
    }

    Guid guid() {
        return guid;
    }

    Guid object() {
        return object;
    }

    JoinedHost host() {
        return host;
    }

    Offer service() {
        return service;
    }

    /** Returns what its host has shown, and was found signed; null if that was before the server started. */
    @Nullable
    Delegation delegation() {
        return delegation;
    }

    /** Takes another registration of the same service: it is there, and earlier reports no longer count. */
    void renew(Delegation shown, long endNanos, int flowsNow, int most) {
        delegation = shown;
        leaseEndNanos = endNanos;
        flows.set(flowsNow);
        flowsMax = most;
        reports = 0;
    }

    /** Takes note that it is on the disk. */
    void stored() {
        stored = true;
    }

    boolean isStored() {
        return stored;
    }

    /** Has it get no more flows, or flows again. */
    void drain(boolean wanted) {
        draining = wanted;
    }

    /** Counts a flow that was given to it since its host said how many it has. */
    void given() {
        flows.incrementAndGet();
    }

    int flows() {
        return flows.get();
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
        int most = flowsMax;
        if (leaseEndNanos - nowNanos <= 0 || !host.isHere(nowNanos)) {
            return InstanceState.GONE;
        }
        if (draining) {
            return InstanceState.DRAINING;
        }
        if (delegation == null) {
            return InstanceState.UNHEARD;
        }
        if (reports >= REPORTS_MAX) {
            return InstanceState.SUSPECTED;
        }
        return most > 0 && flows.get() >= most ? InstanceState.FULL : InstanceState.HEALTHY;
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
        return ((long) flows.get() << 16) / service.weight();
    }
}
