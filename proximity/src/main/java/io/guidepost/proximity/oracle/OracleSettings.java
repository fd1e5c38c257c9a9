package io.guidepost.proximity.oracle;

import io.guidepost.proximity.topology.RoutingMode;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Settings of a main configuration file; they override defaults from elsewhere.
 *
 * @param routersMax most routers of the network
 * @param threads workers, 1 or more
 * @param threadDelayMillis artificial delay of each answer, for measurements; 0 is none
 * @param port UDP port of Proxidor
 * @param routing how paths are found; by default explicitly if there are routes, otherwise by weights
 * @param routerFolder folder of the router files; by default that of the main file
 */
public record OracleSettings(
        int routersMax,
        int threads,
        int threadDelayMillis,
        int port,
        Optional<RoutingMode> routing,
        Optional<Path> routerFolder) {
    /** The defaults. */
    public static final OracleSettings DEFAULTS =
            new OracleSettings(OracleLimits.ROUTERS_MAX, 1, 0, 8899, Optional.empty(), Optional.empty());

    /** Returns a copy with another way to find paths. */
    public OracleSettings withRouting(RoutingMode said) {
        return new OracleSettings(
                routersMax, threads, threadDelayMillis, port, Optional.of(said), routerFolder);
    }

    OracleSettings withRoutersMax(int said) {
        return new OracleSettings(said, threads, threadDelayMillis, port, routing, routerFolder);
    }

    OracleSettings withThreads(int said) {
        return new OracleSettings(routersMax, said, threadDelayMillis, port, routing, routerFolder);
    }

    OracleSettings withPort(int said) {
        return new OracleSettings(routersMax, threads, threadDelayMillis, said, routing, routerFolder);
    }

    OracleSettings withRouterFolder(Path said) {
        return new OracleSettings(routersMax, threads, threadDelayMillis, port, routing, Optional.of(said));
    }
}
