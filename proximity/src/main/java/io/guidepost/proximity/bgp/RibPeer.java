package io.guidepost.proximity.bgp;

import io.guidepost.base.Prefix;
import java.util.EnumSet;
import java.util.Set;

/**
 * What one peer told, as a part of a {@link Rib}. Thread-safe, but one session at a time tells.
 *
 * <p>When a session is lost, its routes are kept for a while, so that a router that comes back changes nothing for those
 * who ask. Then all that it does not tell again goes: at its End-of-RIB, or at the latest when that while is over.
 */
public final class RibPeer implements BgpRouteSink {
    final Rib rib;
    final int index;
    final String name;
    final RouteExitRule rule;

    /** All below is guarded by the lock of the table. Routes of other generations are of sessions that are over. */
    int generation;

    boolean up;
    boolean staleExpected;
    long staleUntilNanos;
    final int[] routes = new int[AddressFamily.values().length];
    final Set<AddressFamily> whole = EnumSet.noneOf(AddressFamily.class);

    RibPeer(Rib rib, int index, String name, RouteExitRule rule) {
        this.rib = rib;
        this.index = index;
        this.name = name;
        this.rule = rule;
    }

    /** What it is called. */
    public String name() {
        return name;
    }

    /** How many routes of a family it told, those of the last session included that are not yet told again. */
    public int routes(AddressFamily family) {
        return rib.routes(this, family);
    }

    /** Whether the peer has said that it told all it has of a family. */
    public boolean isWhole(AddressFamily family) {
        return rib.isWhole(this, family);
    }

    @Override
    public void established() {
        rib.established(this);
    }

    /**
     * The session is over; its routes stay for a while.
     *
     * @param graceNanos how long; 0 = they go at once
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
