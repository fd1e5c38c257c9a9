package io.guidepost.proximity.input;

import io.guidepost.base.Prefix;
import io.guidepost.proximity.topology.RoutingMode;
import io.guidepost.proximity.topology.TopologyLink;
import java.util.List;
import java.util.Optional;

/**
 * What is made of things that files do not say.
 *
 * @param exits routers, by address or name, where prefixes hang whose file names none; each AS has one of them, by a hash
 *     of its number. If none are named, the eight routers with most lines
 * @param ownAs number of the operator's own system, whose prefixes are internal and hang on all routers, by a hash of the
 *     prefix; 0 if there is none
 * @param asDistance of external prefixes whose file names none
 * @param routing how paths are found; if that is not said, as the Oracle's files say, else by weights
 * @param routerBlock addresses of routers that have none in their files, the first not used; IPv4
 * @param unknown what lines are like where files do not say; latency follows from lengths and places first, at 200 km/ms
 */
public record InputOptions(
        List<String> exits, long ownAs, int asDistance, Optional<RoutingMode> routing, Prefix routerBlock, TopologyLink unknown) {
    /** Addresses for tests of devices (RFC 2544), which are nobody's: room for 131,071 routers. */
    private static final Prefix ROUTER_BLOCK = Prefix.ofIpv4(198 << 24 | 18 << 16, 15);

    /** Nothing named; one system behind an exit; 1 ms, 10 Gbit/s, no congestion and weight 1. */
    public static final InputOptions DEFAULTS =
            new InputOptions(List.of(), 0, 1, Optional.empty(), ROUTER_BLOCK, new TopologyLink(1, 10_000, 0, 1));

    /** Checks the ranges. */
    public InputOptions {
        exits = List.copyOf(exits);
        if (ownAs < 0 || ownAs > 0xffffffffL || asDistance < 0 || asDistance > InputLimits.AS_DISTANCE_MAX
                || !routerBlock.isIpv4()) {
            throw new IllegalArgumentException("an AS number has 32 bits, a distance is from 0 to "
                    + InputLimits.AS_DISTANCE_MAX + ", and the block of routers is IPv4");
        }
    }

    /** The same with other exits. */
    public InputOptions withExits(List<String> named) {
        return new InputOptions(named, ownAs, asDistance, routing, routerBlock, unknown);
    }

    /** The same with another system of one's own. */
    public InputOptions withOwnAs(long number) {
        return new InputOptions(exits, number, asDistance, routing, routerBlock, unknown);
    }

    /** The same with paths found in a given way. */
    public InputOptions withRouting(RoutingMode way) {
        return new InputOptions(exits, ownAs, asDistance, Optional.of(way), routerBlock, unknown);
    }
}
