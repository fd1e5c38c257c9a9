package io.guidepost.proximity.input;

import io.guidepost.base.Address;
import io.guidepost.base.FaultyFile;
import io.guidepost.proximity.Findings;
import io.guidepost.proximity.oracle.NicPairs;
import io.guidepost.proximity.oracle.OracleConfiguration;
import io.guidepost.proximity.oracle.OracleSettings;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.RoutingMode;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyRouter;
import java.io.CharConversionException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipException;

/**
 * Reads the files of an operator into one network: the Oracle's configuration, topologies as GraphML, JSON or Repetita
 * graphs, and lists of prefixes; any of them compressed with gzip or bzip2. The content of a file determines its kind.
 * Topologies are read before prefixes, else in the given order.
 */
public final class NetworkFiles {
    private final InputOptions options;
    private final Findings findings = new Findings();
    private final GraphRouters graphs;
    private final List<LoadedNetwork.Source> sources = new ArrayList<>();
    private OperatorNetwork network = new OperatorNetwork();
    private Optional<OracleSettings> settings = Optional.empty();

    private NetworkFiles(InputOptions options) {
        this.options = options;
        graphs = new GraphRouters(options);
    }

    /**
     * Reads files.
     *
     * @throws FaultyFile with all faults, as file:line
     * @throws IOException if one cannot be read
     */
    public static LoadedNetwork read(List<Path> files, InputOptions options) throws IOException, FaultyFile {
        return new NetworkFiles(options).read(files);
    }

    private LoadedNetwork read(List<Path> files) throws IOException, FaultyFile {
        long begun = System.nanoTime();
        Map<NetworkFileKind, List<Path>> kinds = new EnumMap<>(NetworkFileKind.class);
        for (Path each : files) {
            whole(each, () -> recognise(each, kinds));
        }
        // The Oracle's files are the first kind: they bring a network of their own.
        for (Map.Entry<NetworkFileKind, List<Path>> each : kinds.entrySet()) {
            if (each.getKey() == NetworkFileKind.PREFIXES) {
                join();
                readPrefixes(each.getValue());
            } else {
                for (Path file : each.getValue()) {
                    whole(file, () -> readTopology(each.getKey(), file));
                }
            }
        }
        if (!kinds.containsKey(NetworkFileKind.PREFIXES)) {
            join();
        }
        findings.check();
        return new LoadedNetwork(
                network, settings, sources, findings.warnings(), System.nanoTime() - begun);
    }

    private interface Reading {
        void read() throws IOException;
    }

    /** Reads a file; a truncated or damaged file is a fault of the file. */
    private void whole(Path file, Reading reading) throws IOException {
        try {
            reading.read();
        } catch (EOFException | ZipException e) {
            findings.fault(file.toString(), 0, "compressed, but truncated or damaged: " + e.getMessage());
        } catch (CharConversionException e) {
            findings.fault(file.toString(), 0, "not text: " + e.getMessage());
        }
    }

    private void recognise(Path file, Map<NetworkFileKind, List<Path>> kinds) throws IOException {
        Optional<NetworkFileKind> kind = NetworkFileKind.of(file);
        if (kind.isEmpty()) {
            findings.fault(
                    file.toString(),
                    0,
                    "unknown kind of file: give the Oracle's main file, GraphML, JSON of nodes and links, a graph of"
                            + " Repetita, or a list of prefixes");
        }
        kind.ifPresent(known -> kinds.computeIfAbsent(known, _ -> new ArrayList<>()).add(file));
    }

    private void readTopology(NetworkFileKind kind, Path file) throws IOException {
        long begun = System.nanoTime();
        if (kind == NetworkFileKind.ORACLE) {
            readOracle(file, begun);
            return;
        }
        InputGraph graph =
                switch (kind) {
                    case GRAPHML -> GraphmlFile.read(file, findings);
                    case NODE_LINK -> NodeLinkFile.read(file, findings);
                    default -> RepetitaFile.read(file, findings);
                };
        int links = graphs.add(graph);
        source(file, kind, graph.nodes.size(), links, 0, begun);
    }

    private void readOracle(Path file, long begun) throws IOException {
        if (settings.isPresent()) {
            findings.fault(file.toString(), 0, "a second main file: a network has one");
            return;
        }
        OracleSettings given = options.routing().map(OracleSettings.DEFAULTS::withRouting).orElse(OracleSettings.DEFAULTS);
        OracleConfiguration read = OracleConfiguration.read(file, given, findings);
        network = read.network();
        settings = Optional.of(read.settings());
        Topology topology = network.topology();
        source(
                file,
                NetworkFileKind.ORACLE,
                topology.routers().size(),
                new NicPairs(topology).links(),
                network.prefixes(),
                begun);
    }

    private void source(Path file, NetworkFileKind kind, int routers, int links, int prefixes, long begun) {
        sources.add(new LoadedNetwork.Source(file, kind.text(), routers, links, prefixes, System.nanoTime() - begun));
    }

    /** Adds the routers of graphs to those of the Oracle's files. */
    private void join() {
        SortedMap<Address, TopologyRouter> routers = new TreeMap<>(network.topology().routers());
        for (TopologyRouter each : graphs.routers.values()) {
            if (routers.put(each.id(), each) != null) {
                findings.fault("the files together", 0, "two routers have the address " + each.id());
            }
        }
        RoutingMode said = network.topology().routing();
        network.topology(new Topology(routers, options.routing().orElse(said), graphs.names, graphs.positions));
    }

    private void readPrefixes(List<Path> files) throws IOException {
        PrefixAttacher exits = new PrefixAttacher(network, options, findings);
        for (Path file : files) {
            long begun = System.nanoTime();
            whole(file, () -> {
                int read = PrefixListFile.read(file, findings, exits::hang);
                source(file, NetworkFileKind.PREFIXES, 0, 0, read, begun);
            });
        }
        exits.declare();
    }
}
