package io.guidepost.proximity.oracle;

import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.Findings;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.RoutingMode;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads the main configuration file, one statement on each line in any order:
 *
 * <pre>
 * configdir DIRECTORY                 where the router files are, as seen from this file
 * routers N                           how many routers there may be
 * threads N                           workers
 * port N                              of Proxidor                                        (not in the original)
 * iroutes expl|impl                   how paths are found                                (not in the original)
 * router ADDRESS NICS                 a router; its cards are numbered from 0 to NICS - 1
 * snetwork PREFIX ROUTER NIC          a network of the operator's own
 * enetwork PREFIX ROUTER NIC AS DISTANCE   a network behind an exit
 * </pre>
 */
final class OracleMainFile {
    /** A forward reference of a network statement: its router, with the card. */
    private static final class Use {
        final long line;
        int networks;
        int nicMax;
        long nicLine;

        Use(long line) {
            this.line = line;
        }
    }

    private final Path file;
    private final Findings findings;
    private final OperatorNetwork network;
    final Map<Address, Integer> cards = new TreeMap<>();
    private final Map<Address, Use> uses = new LinkedHashMap<>();
    private OracleSettings settings;
    private long routersLine;

    OracleMainFile(Path file, OracleSettings given, OperatorNetwork network, Findings findings) {
        this.file = file;
        this.settings = given;
        this.network = network;
        this.findings = findings;
    }

    OracleSettings settings() {
        return settings;
    }

    /** Reads the file; attaches its networks, and collects its faults. */
    void read() throws IOException {
        OracleStatement.readAll(file, findings, this::take);
        checkUses();
        if (cards.size() > settings.routersMax()) {
            findings.fault(
                    file.toString(),
                    routersLine,
                    cards.size() + " routers are declared, but there may be " + settings.routersMax()
                            + ": write a larger number after routers");
        }
    }

    private void take(String word, OracleStatement statement, long line) throws OracleStatement.Wrong {
        switch (word) {
            case "snetwork" -> network(statement, line, true);
            case "enetwork" -> network(statement, line, false);
            case "router" -> router(statement);
            case "routers" -> {
                statement.expect("routers N");
                settings = settings.withRoutersMax(statement.number("number of routers", 1, OracleLimits.ROUTERS_MAX));
                routersLine = line;
            }
            case "threads" -> {
                statement.expect("threads N");
                settings = settings.withThreads(statement.number("number of threads", 1, OracleLimits.THREADS_MAX));
            }
            case "port" -> {
                statement.expect("port N");
                settings = settings.withPort(statement.number("port", 1, 65_535));
            }
            case "iroutes" -> {
                statement.expect("iroutes expl, or iroutes impl");
                settings = settings.withRouting(routing(statement.word("mode")));
            }
            case "configdir" -> {
                statement.expect("configdir DIRECTORY");
                settings = settings.withRouterFolder(folder(statement.word("directory")));
            }
            default -> throw new OracleStatement.Wrong("'" + word + "' is not a statement: write configdir, routers, threads, "
                    + "port, iroutes, router, snetwork or enetwork");
        }
    }

    /** Parses the routing mode, in the short form or in that of the original's command line. */
    static RoutingMode routing(String mode) throws OracleStatement.Wrong {
        return switch (mode) {
            case "expl", "explicit" -> RoutingMode.EXPLICIT;
            case "impl", "implicit" -> RoutingMode.IMPLICIT;
            default -> throw new OracleStatement.Wrong("'" + mode + "' is no routing mode: write expl (along the route "
                    + "lines) or impl (by weights)");
        };
    }

    private Path folder(String name) throws OracleStatement.Wrong {
        try {
            return file.toAbsolutePath().resolveSibling(name).normalize();
        } catch (InvalidPathException e) {
            throw new OracleStatement.Wrong("'" + name + "' is not a directory: " + e.getReason());
        }
    }

    private void router(OracleStatement statement) throws OracleStatement.Wrong {
        statement.expect("router ADDRESS NICS");
        Address id = statement.address("address");
        int count = statement.number("number of cards", 0, OracleLimits.NICS_MAX);
        if (cards.putIfAbsent(id, count) != null) {
            throw new OracleStatement.Wrong("router " + id + " is declared already: take one of the two away");
        }
    }

    private void network(OracleStatement statement, long line, boolean internal) throws OracleStatement.Wrong {
        statement.expect(internal ? "snetwork PREFIX ROUTER NIC" : "enetwork PREFIX ROUTER NIC AS DISTANCE");
        Prefix prefix = statement.prefix("prefix");
        Address router = statement.address("router");
        int nic = statement.number("card", 0, OracleLimits.NICS_MAX - 1);
        PrefixAttachment attachment = internal
                ? PrefixAttachment.internal(router, nic)
                : PrefixAttachment.external(
                        router,
                        nic,
                        statement.asNumber("AS number"),
                        statement.number("AS distance", 0, OracleLimits.AS_DISTANCE_MAX));
        use(router, nic, line);
        network.add(prefix, attachment);
    }

    private void use(Address router, int nic, long line) {
        Use use = uses.computeIfAbsent(router, _ -> new Use(line));
        use.networks++;
        if (use.nicLine == 0 || nic > use.nicMax) {
            use.nicMax = nic;
            use.nicLine = line;
        }
    }

    private void checkUses() {
        uses.forEach((router, use) -> {
            Integer count = cards.get(router);
            if (count == null) {
                findings.fault(
                        file.toString(),
                        use.line,
                        "router " + router + " is not declared, but networks are attached to it (" + use.networks
                                + " in all): write router " + router + " NICS");
            } else if (use.nicMax >= count) {
                findings.fault(
                        file.toString(),
                        use.nicLine,
                        "router " + router + " has no card " + use.nicMax + ", only " + count + " from 0 on: declare it"
                                + " with more, or name another card");
            }
        });
    }
}
