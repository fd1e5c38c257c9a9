package io.guidepost.server;

import io.guidepost.alto.protocol.Candidate;
import io.guidepost.alto.proxidor.ProxidorRequest;
import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.proximity.oracle.OracleDump;
import io.guidepost.proximity.oracle.OracleSettings;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyRouter;
import io.guidepost.server.cli.HandleDemo;
import io.guidepost.server.handle.HandleMessages;
import io.guidepost.server.scaffold.Greeting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** The services over UDP: how a server has one, what its clients ask, and which answer is right. */
enum UdpProtocol {
    GNRS("gnrs.listen", "gnrs.port", "guidepost_gnrs", 4, 4) {
        @Override
        byte[] request(int id) {
            return new GnrsMessage.Lookup(id, GnrsMessage.noOrigin(), NAME, List.of()).write();
        }

        @Override
        boolean isAnswer(byte[] bytes, boolean changed) throws Malformed {
            return GnrsMessage.read(bytes) instanceof GnrsMessage.LookupResponse response
                    && response.locators().equals(
                            changed ? List.of(locator(FIRST), locator(SECOND)) : List.of(locator(SECOND), locator(FIRST)));
        }
    },
    HANDLE("handle.listen", "handle.udp-port", "guidepost_handle_udp", 8, 8) {
        @Override
        byte[] request(int id) {
            return HandleMessages.resolve(id, "1234/printer");
        }

        @Override
        boolean isAnswer(byte[] bytes, boolean changed) {
            return new String(bytes, StandardCharsets.ISO_8859_1).contains("http://10.1.2.3:631/");
        }
    },
    PROXIDOR("proxidor.listen", "proxidor.port", "guidepost_proxidor", 4, 4) {
        @Override
        byte[] request(int id) throws Malformed {
            return new ProxidorRequest(List.of(Candidate.parse(FIRST), Candidate.parse(SECOND)), Optional.empty()).write(id);
        }

        @Override
        byte[] flood() throws Malformed {
            List<Candidate> list = Collections.nCopies(FLOOD_CANDIDATES, Candidate.parse(FIRST));
            return new ProxidorRequest(list, Optional.empty()).write(0);
        }

        @Override
        boolean isAnswer(byte[] bytes, boolean changed) {
            String list = HexFormat.of().formatHex(bytes, 16, bytes.length);
            return list.equals(changed ? "140000011e000001" : "1e00000114000001");
        }
    },
    SCAFFOLD("scaffold.listen", "scaffold.port", "guidepost_scaffold", 16, 8) {
        @Override
        byte[] request(int id) {
            return Greeting.request(id);
        }

        @Override
        boolean isAnswer(byte[] bytes, boolean changed) {
            return Greeting.isAnswer(bytes);
        }
    },
    DNS("dns.listen", "dns.port", "guidepost_dns", 55, 87) {
        @Override
        byte[] request(int id) {
            return HexFormat.of()
                    .parseHex("000700000001000000000001" + QUESTION + "00002904d000000000000c000a0008%08x00000000".formatted(id));
        }

        @Override
        boolean isAnswer(byte[] bytes, boolean changed) {
            String first = ANSWER + "14000001";
            String second = ANSWER + "1e000001";
            String answer = HexFormat.of().formatHex(bytes);
            return answer.startsWith("000784000001000200000001" + QUESTION + (changed ? first + second : second + first) + "000029");
        }
    };

    /** The question for the addresses of contract.names.example, and an address up to it. */
    private static final String QUESTION = "08636f6e7472616374056e616d6573076578616d706c650000010001";

    private static final String ANSWER = "c00c000100010000003c0004";

    private static final String FIRST = "20.0.0.1";
    private static final String SECOND = "30.0.0.1";

    /** Max-min fairness begins when the receive buffer is full, which takes trains of the shortest lists a second. */
    private static final int FLOOD_CANDIDATES = 50;

    private static final Guid NAME = Guid.ofAscii("contract");

    private final String listenKey;
    private final String portKey;
    private final String metrics;
    private final int idOffset;
    private final int answerIdOffset;

    UdpProtocol(String listenKey, String portKey, String metrics, int idOffset, int answerIdOffset) {
        this.listenKey = listenKey;
        this.portKey = portKey;
        this.metrics = metrics;
        this.idOffset = idOffset;
        this.answerIdOffset = answerIdOffset;
    }

    String listenKey() {
        return listenKey;
    }

    String portKey() {
        return portKey;
    }

    /** Returns what names of its metrics begin with. */
    String metrics() {
        return metrics;
    }

    /** Returns where the four bytes of a request's number stand. */
    int idOffset() {
        return idOffset;
    }

    /** Returns where they stand in its answer. */
    int answerIdOffset() {
        return answerIdOffset;
    }

    /** Returns where a server answers it first. */
    InetSocketAddress address(RunningServer server) {
        List<InetSocketAddress> all = switch (this) {
            case GNRS -> server.server().gnrsAddresses();
            case HANDLE -> server.server().handleUdpAddresses();
            case PROXIDOR -> server.server().proxidorAddresses();
            case SCAFFOLD -> server.server().scaffoldAddresses();
            case DNS -> server.server().dnsAddresses();
        };
        return all.getFirst();
    }

    abstract byte[] request(int id) throws Malformed;

    /** Returns a request that admission control notices soon when a client floods with it. */
    byte[] flood() throws Malformed {
        return request(0);
    }

    /** Returns whether a response is right, before or after the topology has changed. */
    abstract boolean isAnswer(byte[] bytes, boolean changed) throws Malformed;

    private static Locator locator(String host) {
        return Locator.of(new InetSocketAddress(host, 80));
    }

    /** Returns settings of a server that answers it on loopback, by a topology in a folder. */
    List<String> settings(Path folder) {
        List<String> sets = new ArrayList<>(List.of(
                "proximity.order=nearest",
                "proximity.files=" + folder.resolve("topology").resolve(OracleDump.MAIN_FILE),
                "proximity.dump-folder=" + folder.resolve("dumps")));
        if (this == HANDLE) {
            sets.addAll(HandleDemo.settings());
            sets.addAll(List.of(
                    "handle.advertise=127.0.0.1",
                    "handle.tcp-port=0",
                    "handle.http-port=0",
                    "handle.folder=" + folder.resolve("handle")));
        }
        sets.addAll(List.of(
                "proxidor.enabled=" + (this == PROXIDOR),
                "scaffold.enabled=" + (this == SCAFFOLD),
                "dns.enabled=" + (this == DNS),
                "dns.zone=names.example",
                "scaffold.folder=" + folder.resolve("scaffold"),
                listenKey + "=127.0.0.1",
                portKey + "=0"));
        return sets;
    }

    /** Writes clients, and two networks behind exits, of which the second is nearer until the topology is written as changed. */
    static void writeTopology(Path folder, boolean changed) throws IOException, Malformed {
        Address router = Address.parse("192.0.2.1");
        OperatorNetwork network = new OperatorNetwork();
        network.topology(Topology.EMPTY.with(new TopologyRouter(router, true, 1, List.of(), List.of())));
        for (String each : List.of("127.0.0.0/8", "10.0.0.0/8")) {
            network.add(Prefix.parse(each), PrefixAttachment.internal(router, 0));
        }
        network.add(Prefix.parse("20.0.0.0/8"), PrefixAttachment.external(router, 0, 64_512, changed ? 1 : 3));
        network.add(Prefix.parse("30.0.0.0/8"), PrefixAttachment.external(router, 0, 64_513, changed ? 3 : 1));
        OracleDump.write(network, OracleSettings.DEFAULTS, folder.resolve("topology"));
    }

    /** Writes what is asked for into a server. */
    void fill(RunningServer server, DatagramClient client, InetSocketAddress at) throws IOException {
        List<Binding> places = List.of(Binding.of(locator(FIRST)), Binding.of(locator(SECOND)));
        switch (this) {
            case DNS -> server.server().store().put(new Record(Name.of(NAME), 0, places, List.of()), Record.ABSENT);
            case GNRS -> client.ask(at, GnrsMessage.Insert.of(7, GnrsMessage.noOrigin(), NAME, places).write());
            case HANDLE -> HandleDemo.fill(server.server());
            case PROXIDOR, SCAFFOLD -> {}
        }
    }
}
