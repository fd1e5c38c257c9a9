package io.guidepost.scaffold.object;

import io.guidepost.names.Guid;
import io.guidepost.scaffold.key.Delegation;
import java.util.concurrent.atomic.AtomicInteger;

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
    private final JoinedHost host;
    private final Offer service;
    private volatile Delegation delegation;
    private final AtomicInteger flows = new AtomicInteger();
    private volatile int flowsMax;
    private volatile long leaseEndNanos;
    private volatile boolean draining;
    private volatile int reports;
    private volatile long reporter;

    Instance(Guid guid, JoinedHost host, Offer service, Delegation delegation, long leaseEndNanos) {
        this.guid = guid;
        this.host = host;
        this.service = service;
        this.delegation = delegation;
        this.leaseEndNanos = leaseEndNanos;
    }

    Guid guid() {
        return guid;
    }

    JoinedHost host() {
        return host;
    }

    Offer service() {
        return service;
    }

    /** Returns what its host has shown, and was found signed. */
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

    /** Has it get no more flows. */
    void drain() {
        draining = true;
    }

    /** Has it be gone. */
    void end(long nowNanos) {
        leaseEndNanos = nowNanos;
    }

    /** Counts a flow that was given to it since its host said how many it has. */
    void given() {
        flows.incrementAndGet();
    }

    /** Takes note that a flow wants another instance instead of this one. */
    void report(long flow) {
        if (reports == 0 || reporter != flow) {
            reporter = flow;
            reports = Math.min(reports + 1, REPORTS_MAX);
        }
    }

    /** Returns whether it may get a flow at all. */
    boolean isOffered(long nowNanos) {
        return !draining && leaseEndNanos - nowNanos > 0 && host.isHere(nowNanos);
    }

    /** Returns whether it is gone for good: its lease is over. */
    boolean isOver(long nowNanos) {
        return leaseEndNanos - nowNanos <= 0;
    }

    /** Returns whether several flows have lost it, and its host has not spoken since. */
    boolean isSuspected() {
        return reports >= REPORTS_MAX;
    }

    /** Returns whether it has all the flows that its host wants; 0 stands for no bound. */
    boolean isFull() {
        int most = flowsMax;
        return most > 0 && flows.get() >= most;
    }

    /** Returns its flows for each unit of weight, in 2^16 parts. */
    long load() {
        return ((long) flows.get() << 16) / service.weight();
    }
}
