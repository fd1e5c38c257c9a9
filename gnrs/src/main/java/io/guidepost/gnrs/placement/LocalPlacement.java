package io.guidepost.gnrs.placement;

import io.guidepost.names.Guid;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;

/** The placement of a server without tables: every GUID is local. */
enum LocalPlacement implements Placement {
    HERE;

    @Override
    public List<Replica> replicas(Guid guid) {
        return List.of();
    }

    @Override
    public Placement at(Set<InetSocketAddress> own) {
        return this;
    }

    @Override
    public Placer placer() {
        return Placer.EVERYTHING_HERE;
    }

    @Override
    public PlacementSummary summary() {
        return new PlacementSummary(0, 0, 0, 1, 0, true);
    }
}
