package io.guidepost.proximity.topology;

import io.guidepost.base.Address;
import java.util.List;

/**
 * A router.
 *
 * @param id its loop-back address
 * @param enabled whether it forwards traffic; a router of which only the name is known does not
 * @param nicCount number of its cards, numbered from 0
 * @param nics its known cards, in order of their index
 * @param routes explicit routes, for networks whose routing is explicit
 */
public record TopologyRouter(Address id, boolean enabled, int nicCount, List<Nic> nics, List<ExplicitRoute> routes) {
    /** Copies the lists. */
    public TopologyRouter {
        nics = List.copyOf(nics);
        routes = List.copyOf(routes);
    }
}
