package io.guidepost.proximity.topology;

import io.guidepost.base.Address;
import java.util.List;

/**
 * A router.
 *
 * @param id its loop-back address
 * @param enabled whether traffic may go through it: one that nothing but its name is known of is not enabled
 * @param nicCount cards that it has; they are numbered from 0
 * @param nics those of them that something is known of, in order of their index
 * @param routes explicit routes, for networks whose routing is explicit
 */
public record TopologyRouter(Address id, boolean enabled, int nicCount, List<Nic> nics, List<ExplicitRoute> routes) {
    /** Copies the lists. */
    public TopologyRouter {
        nics = List.copyOf(nics);
        routes = List.copyOf(routes);
    }
}
