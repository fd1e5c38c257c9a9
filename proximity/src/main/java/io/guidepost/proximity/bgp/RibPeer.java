package io.guidepost.proximity.bgp;

import io.guidepost.base.Counters;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.policy.ImportPolicy;
import io.guidepost.proximity.policy.ImportRefusal;
import java.util.EnumSet;
import java.util.Set;

/**
 * The routes of one peer in a {@link Rib} (Adj-RIB-In). Thread-safe, but one session at a time announces.
 *
 * <p>When a session is lost, its routes stay for a grace period (graceful restart), so that a router that reconnects
 * changes nothing for clients. Routes that it does not announce again are removed at its End-of-RIB, or at the end of
 * the grace period.
 */
public final class RibPeer implements BgpRouteSink {
    final Rib rib;
    final int index;
    final String name;
    final RouteExitRule rule;

    /** All below is guarded by the lock of the table. Routes of other generations are of ended sessions. */
    int generation;

    boolean up;
    boolean staleExpected;
    long staleUntilNanos;
    final int[] routes = new int[AddressFamily.values().length];
    ImportPolicy policy = ImportPolicy.DEFAULT;
    boolean warned;
    boolean exceeded;
    final Counters<ImportRefusal> refusals = new Counters<>(ImportRefusal.class);
    final Set<AddressFamily> whole = EnumSet.noneOf(AddressFamily.class);

    RibPeer(Rib rib, int index, String name, RouteExitRule rule) {
        this.rib = rib;
        this.index = index;
        this.name = name;
        this.rule = rule;
    }

    /**
     * Returns the number of its routes of a family, with those of the last session that are not yet announced again.
     */
    public int routes(AddressFamily family) {
        return rib.routes(this, family);
    }

    /** Returns whether the peer has sent End-of-RIB for a family. */
    public boolean isWhole(AddressFamily family) {
        return rib.isWhole(this, family);
    }

    /** Sets what is imported of its routes, from now on and of those that it has announced. */
    public void policy(ImportPolicy next) {
        rib.policy(this, next);
    }

    /** Returns the counters of routes that were announced and not imported, by reason; any thread may read. */
    public Counters<ImportRefusal> refusals() {
        return refusals;
    }

    /** Returns whether the peer has announced more prefixes in this session than its policy allows. */
    public boolean hasExceeded() {
        return rib.hasExceeded(this);
    }

    @Override
    public void established() {
        rib.established(this);
    }

    /**
     * Ends the session; its routes stay for a grace period.
     *
     * @param graceNanos length of the period; 0 = they are removed at once
     */
    public void lost(long nowNanos, long graceNanos) {
        rib.lost(this, nowNanos, graceNanos);
    }

    @Override
    public void announced(Prefix prefix, int pathId, BgpRoute route) {
        rib.announced(this, prefix, pathId, route);
    }

    @Override
    public void withdrawn(Prefix prefix, int pathId) {
        rib.withdrawn(this, prefix, pathId);
    }

    @Override
    public void endOfRib(AddressFamily family) {
        rib.endOfRib(this, family);
    }
}
