package io.guidepost.server.service;

import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.LocatorOrder;
import io.guidepost.server.config.TopologyKeys;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the services of a server share.
 *
 * @param configuration what it was started with
 * @param workers number of its workers
 * @param network the operator's topology
 * @param reloads runs reloads
 */
public record ServerContext(Configuration configuration, int workers, LiveNetwork network, Reloads reloads) {
    /** Returns by what doors put addresses in order; empty if they do not. */
    public Optional<Supplier<Ranking>> ordering() {
        return configuration.get(TopologyKeys.PROXIMITY_ORDER) == LocatorOrder.NEAREST ? Optional.of(network::current) : Optional.empty();
    }
}
