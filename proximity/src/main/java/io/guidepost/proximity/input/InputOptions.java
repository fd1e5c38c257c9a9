package io.guidepost.proximity.input;

import io.guidepost.base.Prefix;
import io.guidepost.proximity.topology.RoutingMode;
import io.guidepost.proximity.topology.TopologyLink;
import java.util.List;
import java.util.Optional;

/**
 * Defaults for what files leave out.
 *
 * @param exits routers, by address or name, for prefixes whose file names none; a hash of the AS number chooses one. If
 *     none are given, the eight routers with most links
 * @param ownAs AS number of the operator, whose prefixes are internal and are spread over all routers by a hash of the
 *     prefix; 0 if there is none
 * @param asDistance of external prefixes whose file has none
 * @param routing how paths are found; by default as the Oracle's files say, otherwise by weights
 * @param routerBlock IPv4 block of addresses for routers without one in their files, the first not used
 * @param unknown attributes of links where files have none; latency follows from lengths and coordinates first, at 200
 *     km/ms
 */
public record InputOptions(
        List<String> exits, long ownAs, int asDistance, Optional<RoutingMode> routing, Prefix routerBlock, TopologyLink unknown) {
    /** The block for tests of devices (RFC 2544), which is never assigned: room for 131,071 routers. */
    private static final Prefix ROUTER_BLOCK = Prefix.ofIpv4(198 << 24 | 18 << 16, 15);

    /** No exits; AS distance 1; 1 ms, 10 Gbit/s, no congestion and weight 1. */
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

    /** Returns a copy with other exits. */
    public InputOptions withExits(List<String> named) {
        return new InputOptions(named, ownAs, asDistance, routing, routerBlock, unknown);
    }

    /** Returns a copy with another own AS number. */
    public InputOptions withOwnAs(long number) {
        return new InputOptions(exits, number, asDistance, routing, routerBlock, unknown);
    }

    /** Returns a copy with another way to find paths. */
    public InputOptions withRouting(RoutingMode way) {
        return new InputOptions(exits, ownAs, asDistance, Optional.of(way), routerBlock, unknown);
    }
}
