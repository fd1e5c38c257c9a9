package io.guidepost.proximity.oracle;

import io.guidepost.base.Address;
import io.guidepost.proximity.Findings;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.RoutingMode;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyRouter;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A network in the Oracle's configuration files: a main file that declares routers and networks, and a file for each
 * router, named by its address with or without {@code .conf}.
 *
 * <p>A router without a file is not connected, and disabled. An impossible statement is a fault, and all faults are
 * reported at once; an odd one (a route by a missing card, a card that leads nowhere) is a warning.
 *
 * @param network of the files
 * @param settings of the main file
 */
public record OracleConfiguration(OperatorNetwork network, OracleSettings settings) {
    private static final String ENDING = ".conf";

    /**
     * Reads a main file and its router files.
     *
     * @param given defaults of the settings
     * @param findings receives faults and warnings; the caller checks them
     * @throws IOException if a file cannot be read
     */
    public static OracleConfiguration read(Path file, OracleSettings given, Findings findings) throws IOException {
        OperatorNetwork network = new OperatorNetwork();
        OracleMainFile main = new OracleMainFile(file, given, network, findings);
        main.read();
        OracleSettings settings = main.settings();
        Path folder = settings.routerFolder()
                .orElse(file.toAbsolutePath().resolveSibling("").normalize());
        network.topology(topology(main.cards, folder, settings, findings));
        return new OracleConfiguration(network, settings.withRouting(network.topology().routing()));
    }

    private static Topology topology(
            Map<Address, Integer> cards, Path folder, OracleSettings settings, Findings findings) throws IOException {
        Map<Address, Path> files = routerFiles(folder);
        SortedMap<Address, TopologyRouter> routers = new TreeMap<>();
        boolean routes = false;
        int without = 0;
        for (Map.Entry<Address, Integer> each : cards.entrySet()) {
            Address id = each.getKey();
            Path own = files.remove(id);
            TopologyRouter router = own == null
                    ? new TopologyRouter(id, false, each.getValue(), List.of(), List.of())
                    : OracleRouterFile.read(own, id, each.getValue(), findings);
            without += own == null ? 1 : 0;
            routes |= !router.routes().isEmpty();
            routers.put(id, router);
        }
        if (without > 0) {
            findings.warn(
                    folder.toString(),
                    0,
                    without + " of " + cards.size() + " routers have no file here, so they are not connected, and disabled");
        }
        files.forEach((id, own) -> findings.warn(
                own.toString(), 0, "router " + id + " is not declared in the main file, so this is not read"));
        new Wiring(routers, findings, folder).check();
        RoutingMode routing = settings.routing().orElse(routes ? RoutingMode.EXPLICIT : RoutingMode.IMPLICIT);
        return new Topology(routers, routing);
    }

    /** Returns the files of a folder that are named by an address; one with the ending precedes one without. */
    private static Map<Address, Path> routerFiles(Path folder) throws IOException {
        Map<Address, Path> files = new TreeMap<>();
        if (!Files.isDirectory(folder)) {
            return files;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path each : all) {
                String name = each.getFileName().toString();
                boolean ending = name.endsWith(ENDING);
                // Main files and notes may lie in the same folder.
                Address.find(ending ? name.substring(0, name.length() - ENDING.length()) : name).ifPresent(id -> {
                    if (ending || !files.containsKey(id)) {
                        files.put(id, each);
                    }
                });
            }
        }
        return files;
    }

    /** Checks how cards are connected. */
    private record Wiring(Map<Address, TopologyRouter> routers, Findings findings, Path folder) {
        void check() {
            Map<Address, Nic> owners = new HashMap<>();
            for (TopologyRouter router : routers.values()) {
                for (Nic nic : router.nics()) {
                    if (nic.own() != null && owners.put(nic.own(), nic) != null) {
                        warn(router, nic, "has the address " + nic.own() + ", which another card has too");
                    }
                }
            }
            for (TopologyRouter router : routers.values()) {
                for (Nic nic : router.nics()) {
                    if (nic.peer() != null && nic.up()) {
                        check(router, nic, owners.get(nic.peer()));
                    }
                }
            }
        }

        private void check(TopologyRouter router, Nic nic, @Nullable Nic other) {
            if (other == null) {
                warn(router, nic, "leads to " + nic.peer() + ", which no card has, so there is no link");
            } else if (!Objects.equals(other.peer(), nic.own())) {
                warn(router, nic, "leads to " + nic.peer() + ", but that card leads to "
                        + (other.peer() == null ? "none" : other.peer()) + ", so there is no link");
            }
        }

        private void warn(TopologyRouter router, Nic nic, String text) {
            findings.warn(folder.toString(), 0, "card " + nic.index() + " of router " + router.id() + " " + text);
        }
    }
}
