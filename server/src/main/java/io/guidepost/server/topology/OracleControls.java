package io.guidepost.server.topology;

import io.guidepost.base.FaultyFile;
import io.guidepost.proximity.oracle.ConsoleBackend;
import io.guidepost.proximity.oracle.OracleSettings;
import io.guidepost.proximity.ranking.LiveNetwork;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.TopologyKeys;
import io.guidepost.server.service.ServerContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** What the console of the topology asks of the server around it. */
final class OracleControls implements ConsoleBackend {
    private final Configuration configuration;
    private final TopologyService topology;
    private final LiveNetwork network;
    private final int workers;

    OracleControls(ServerContext context, TopologyService topology) {
        this.configuration = context.configuration();
        this.topology = topology;
        this.network = context.network();
        this.workers = context.workers();
    }

    @Override
    public String reload(Part part) throws IOException, FaultyFile {
        try {
            return topology.reload(part);
        } catch (ConfigurationException e) {
            throw new FaultyFile(e.faults(), e.faults().size());
        }
    }

    @Override
    public OracleSettings settings() {
        OracleSettings said = topology.files().settings();
        return new OracleSettings(
                said.routersMax(),
                workers,
                0,
                configuration.get(ConfigurationKeys.PROXIDOR_PORT).intValue(),
                Optional.of(network.current().topology().routing()),
                said.routerFolder());
    }

    @Override
    public Path dumpFolder(String name) throws IOException {
        Path home = configuration.get(TopologyKeys.PROXIMITY_DUMPS).toAbsolutePath().normalize();
        Path folder = home.resolve(name).normalize();
        if (!folder.startsWith(home)) {
            throw new IOException(folder + " is not below " + home + ", where dumps go (proximity.dump-folder)");
        }
        return folder;
    }

    @Override
    public List<String> threads() {
        return IntStream.range(0, workers).mapToObj(each -> "worker " + each).toList();
    }

    @Override
    public void threadDelay(int millis) throws IOException {
        if (millis > 0) {
            throw new IOException("workers of this server never wait; for measurements slow down the client");
        }
    }

    @Override
    public List<String> statistics() {
        Ranking ranking = network.current();
        return List.of(
                "snapshot " + ranking.version(),
                "ranking function " + topology.files().functionText(),
                "bytes of what ranking looks at " + ranking.bytes());
    }
}
