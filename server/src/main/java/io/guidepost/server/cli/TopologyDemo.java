package io.guidepost.server.cli;

import io.guidepost.alto.proxidor.ProxidorClient;
import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.proximity.oracle.OracleDump;
import io.guidepost.proximity.oracle.OracleSettings;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.TestNetworks;
import io.guidepost.proximity.topology.TopologyRouter;
import io.guidepost.server.Server;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The topology of a demonstration: ten routers, of which this machine is at the first. Of three mirrors one is at the same
 * router, one at the next, and one behind an exit.
 *
 * @param folder of its files
 */
public record TopologyDemo(Path folder) {
    /** Few enough that the start does not wait for them, enough that the maps are not those of a toy. */
    private static final int EXTERNALS = 4_000;

    /** Three mirrors, nearest last. */
    public static final List<String> MIRRORS = List.of("198.51.100.7", "203.0.113.7", "192.0.2.7");

    /** Writes the files of the topology. */
    public void write() throws IOException {
        try {
            OracleDump.write(network(), OracleSettings.DEFAULTS, folder);
        } catch (Malformed e) {
            throw new AssertionError("the prefixes are written in this class", e);
        }
    }

    private static OperatorNetwork network() throws Malformed {
        OperatorNetwork network = TestNetworks.small(EXTERNALS);
        List<Address> routers = List.copyOf(network.topology().routers().keySet());
        Address here = routers.get(0);
        Address next = routers.get(1);
        Address exit = routers.getLast();
        attach(network, "127.0.0.0/8", here);
        attach(network, "::1/128", here);
        attach(network, "192.0.2.0/24", here);
        attach(network, "203.0.113.0/24", next);
        int card = free(network, exit);
        network.add(Prefix.parse("198.51.100.0/24"), PrefixAttachment.external(exit, card, 64_500, 2));
        return network;
    }

    private static void attach(OperatorNetwork network, String prefix, Address router) throws Malformed {
        network.add(Prefix.parse(prefix), PrefixAttachment.internal(router, free(network, router)));
    }

    /** The last card, by which no line leaves; several networks may hang on one. */
    private static int free(OperatorNetwork network, Address id) {
        TopologyRouter router = network.topology().routers().get(id);
        if (router == null) {
            throw new AssertionError("the router is out of the same topology");
        }
        return router.nicCount() - 1;
    }

    /** Settings of a server that ranks by them. */
    public List<String> settings() {
        return List.of(
                "proximity.files=" + folder.resolve(OracleDump.MAIN_FILE),
                "proximity.dump-folder=" + folder.resolveSibling("dumps"),
                "proxidor.enabled=true",
                "proxidor.listen=127.0.0.1,::1",
                "alto.enabled=true",
                "alto.listen=127.0.0.1,::1",
                "alto.folder=" + folder.resolveSibling("alto"));
    }

    /**
     * What to type next.
     *
     * @param where option that names the server for GNRS; empty if it is the usual one
     */
    static String hints(Server server, String where) {
        int port = server.proxidorAddresses().getFirst().getPort();
        String proxidor = port == ProxidorClient.PORT ? "" : " -S 127.0.0.1:" + port;
        int alto = server.altoAddresses().getFirst().getPort();
        return """
                  ./guidepost get mirrors%1$s     (the nearest of three comes first)
                  ./guidepost rank %3$s%4$s --explain
                  curl http://127.0.0.1:%2$d/directory     (ALTO: maps, costs, the order of endpoints)
                  ./guidepost oracle     (the topology's console: print, set, create, delete ...)
                """.formatted(where, alto, String.join(" ", MIRRORS), proxidor);
    }
}
