package io.guidepost.proximity.oracle;

import io.guidepost.proximity.topology.RoutingMode;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a main configuration file says besides the network; what stands in the file goes before what was given otherwise.
 *
 * @param routersMax routers that the network may have
 * @param threads workers, 1 or more
 * @param threadDelayMillis how long a worker waits before each answer, for measurements; 0 is not at all
 * @param port of Proxidor over UDP
 * @param routing how paths are found; if that is not said, explicitly when there are routes, else by weights
 * @param routerFolder folder of the router files; if that is not said, the one of the main file
 */
public record OracleSettings(
        int routersMax,
        int threads,
        int threadDelayMillis,
        int port,
        Optional<RoutingMode> routing,
        Optional<Path> routerFolder) {
    /** What holds if nothing is said. */
    public static final OracleSettings DEFAULTS =
            new OracleSettings(OracleLimits.ROUTERS_MAX, 1, 0, 8899, Optional.empty(), Optional.empty());

    /** The same with paths found in a given way. */
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
