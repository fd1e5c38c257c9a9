package io.guidepost.examples;

import io.guidepost.server.Server;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A server inside a program, at a port that the system chooses. */
final class EmbeddedServer {
    private EmbeddedServer() {}

    /** Starts a server with its records in a folder, binds a name in it, and returns what it then finds. */
    static String run(Path folder) throws ConfigurationException, IOException {
        // snippet: embedded
        List<String> settings = List.of(
                "gnrs.listen=127.0.0.1", "gnrs.port=0", "admin.port=-1", "store.folder=" + folder.resolve("records"));
        Configuration configuration = Configuration.load(null, Map.of(), settings);
        try (Server server = Server.start(configuration, () -> configuration)) {
            InetSocketAddress address = server.gnrsAddresses().getFirst();
            return BindName.run(address);
        }
        // end
    }
}
