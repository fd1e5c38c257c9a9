package io.guidepost.server.cli;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.names.Guid;
import io.guidepost.server.Server;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.NamesKeys;
import io.guidepost.server.config.TopologyKeys;
import java.io.IOException;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A server of its own at ports of its own, started, asked and ended, before this process takes over from another: a start that has
 * loaded its classes once, and doors that the compiler has seen at work, do in some ten milliseconds what takes a second the first
 * time. No process answers in that time.
 */
final class Rehearsal {
    private static final int LOOKUPS = 30_000;

    private Rehearsal() {}

    /** Settings by which a demonstration is at ports of its own: another server may run with the same configuration. */
    static List<String> ports() {
        return List.of(
                "gnrs.listen=127.0.0.1", "gnrs.port=0", "admin.port=0", "handle.listen=127.0.0.1", "handle.udp-port=0", "handle.tcp-port=0",
                "handle.http-port=0", "proxidor.listen=127.0.0.1", "proxidor.port=0", "alto.listen=127.0.0.1", "alto.http-port=0",
                "scaffold.listen=127.0.0.1", "scaffold.port=0", "dns.listen=127.0.0.1", "dns.port=0", "names.listen=127.0.0.1",
                "names.http-port=0");
    }

    /** Runs one with the services of a configuration. */
    static void run(Configuration like) throws ConfigurationException, IOException {
        System.getLogger(Rehearsal.class.getName()).log(
                Logger.Level.INFO, "warms up beside the server that runs; until \"takes over\" the log is of a server without records");
        ServerDemo demo = ServerDemo.make(1, 0);
        List<String> settings = new ArrayList<>(demo.settings(0));
        settings.addAll(ports());
        Stream.of(
                        ConfigurationKeys.GNRS_ENABLED, ConfigurationKeys.HANDLE_ENABLED, ConfigurationKeys.PROXIDOR_ENABLED,
                        TopologyKeys.ALTO_ENABLED, ConfigurationKeys.DNS_ENABLED, NamesKeys.NAMES_ENABLED)
                .forEach(each -> settings.add(each.name() + "=" + like.get(each)));
        Configuration configuration = Configuration.load(null, Map.of(), settings);
        try (Server server = Server.start(configuration, () -> configuration, demo::fill)) {
            if (like.get(ConfigurationKeys.GNRS_ENABLED)) {
                try (GnrsClient client = GnrsClient.open(server.gnrsAddresses().getFirst())) {
                    GnrsRequest lookup = GnrsRequest.lookup(Guid.ofAscii("printer"), false);
                    client.batch(Stream.generate(() -> lookup).limit(LOOKUPS).iterator(), _ -> {});
                }
            }
        } finally {
            demo.delete();
        }
    }
}
