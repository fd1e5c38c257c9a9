package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.alto.protocol.Candidate;
import io.guidepost.alto.proxidor.ProxidorRequest;
import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.gnrs.wire.GnrsMessage;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.proximity.oracle.OracleDump;
import io.guidepost.proximity.oracle.OracleSettings;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.Topology;
import io.guidepost.proximity.topology.TopologyRouter;
import io.guidepost.server.cli.HandleDemo;
import io.guidepost.server.handle.HandleMessages;
import io.guidepost.server.handle.PinnedTrust;
import io.guidepost.server.http.TlsKeyFiles;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every service over UDP does on every kind of port: it answers from the address that was asked, drops what is malformed and
 * counts why, follows a reload while it answers, and leaves its port when it ends.
 */
class UdpServiceContractTest {
    private static final String FIRST = "20.0.0.1";
    private static final String SECOND = "30.0.0.1";
    private static final Guid NAME = Guid.ofAscii("contract");

    /** Shorter than a header of any of them. */
    private static final byte[] GARBAGE = {1, 2, 3, 4, 5};

    /** Of a port that is open again after the server has ended. */
    private static final byte[] ANOTHER = "another has the port".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path folder;

    /** The services over UDP. */
    enum Protocol {
        GNRS("gnrs.listen", "gnrs.port", "guidepost_gnrs") {
            @Override
            byte[] request(int id) {
                return new GnrsMessage.Lookup(id, GnrsMessage.noOrigin(), NAME, List.of()).write();
            }

            @Override
            boolean isAnswer(byte[] bytes, boolean changed) throws Exception {
                return GnrsMessage.read(bytes) instanceof GnrsMessage.LookupResponse response
                        && response.locators().equals(
                                changed ? List.of(locator(FIRST), locator(SECOND)) : List.of(locator(SECOND), locator(FIRST)));
            }
        },
        HANDLE("handle.listen", "handle.udp-port", "guidepost_handle_udp") {
            @Override
            byte[] request(int id) {
                return HandleMessages.resolve(id, "1234/printer");
            }

            @Override
            boolean isAnswer(byte[] bytes, boolean changed) {
                return new String(bytes, StandardCharsets.ISO_8859_1).contains("http://10.1.2.3:631/");
            }
        },
        PROXIDOR("proxidor.listen", "proxidor.port", "guidepost_proxidor") {
            @Override
            byte[] request(int id) throws Exception {
                return new ProxidorRequest(List.of(Candidate.parse(FIRST), Candidate.parse(SECOND)), Optional.empty()).write(id);
            }

            @Override
            boolean isAnswer(byte[] bytes, boolean changed) {
                String list = HexFormat.of().formatHex(bytes, 16, bytes.length);
                return list.equals(changed ? "140000011e000001" : "1e00000114000001");
            }
        };

        private final String listenKey;
        private final String portKey;
        private final String metrics;

        Protocol(String listenKey, String portKey, String metrics) {
            this.listenKey = listenKey;
            this.portKey = portKey;
            this.metrics = metrics;
        }

        abstract byte[] request(int id) throws Exception;

        /** Returns whether a response is right, before or after the change that the reload brings. */
        abstract boolean isAnswer(byte[] bytes, boolean changed) throws Exception;
    }

    static Stream<Arguments> everyServiceOnEveryKindOfPort() {
        return Arrays.stream(Protocol.values())
                .flatMap(each -> Arrays.stream(ContractLine.Kind.values()).map(kind -> Arguments.of(each, kind)));
    }

    private static Locator locator(String host) {
        return Locator.of(new InetSocketAddress(host, 80));
    }

    /** Clients, and two networks behind exits, of which one is nearer. */
    private void writeTopology(int firstHops, int secondHops) throws Exception {
        Address router = Address.parse("192.0.2.1");
        OperatorNetwork network = new OperatorNetwork();
        network.topology(Topology.EMPTY.with(new TopologyRouter(router, true, 1, List.of(), List.of())));
        for (String each : List.of("127.0.0.0/8", "10.0.0.0/8")) {
            network.add(Prefix.parse(each), PrefixAttachment.internal(router, 0));
        }
        network.add(Prefix.parse("20.0.0.0/8"), PrefixAttachment.external(router, 0, 64_512, firstHops));
        network.add(Prefix.parse("30.0.0.0/8"), PrefixAttachment.external(router, 0, 64_513, secondHops));
        OracleDump.write(network, OracleSettings.DEFAULTS, folder.resolve("topology"));
    }

    private List<String> settings(Protocol protocol, ContractLine line) {
        List<String> sets = new ArrayList<>(List.of(
                "gnrs.port=" + (line.number ^ 1),
                "proximity.order=nearest",
                "proximity.files=" + folder.resolve("topology").resolve(OracleDump.MAIN_FILE),
                "proximity.dump-folder=" + folder.resolve("dumps")));
        if (protocol == Protocol.HANDLE) {
            sets.addAll(HandleDemo.settings());
            sets.addAll(List.of(
                    "handle.listen=127.0.0.1",
                    "handle.advertise=127.0.0.1",
                    "handle.tcp-port=0",
                    "handle.http-port=0",
                    "handle.folder=" + folder.resolve("handle")));
        }
        sets.add("proxidor.enabled=" + (protocol == Protocol.PROXIDOR));
        // Without an address of the kernel handles would not be answered over HTTP, by which the reload is seen.
        line.settings(protocol.listenKey).stream().filter(each -> !each.equals("handle.listen=")).forEach(sets::add);
        sets.add(protocol.portKey + "=" + line.number);
        return sets;
    }

    private static void answers(Protocol protocol, ContractLine line, int id) throws Exception {
        DatagramClient.Datagram answer = line.client().ask(line.at(), protocol.request(id));
        assertThat(answer.from()).isEqualTo(line.at());
        assertThat(protocol.isAnswer(answer.bytes(), false)).as(HexFormat.of().formatHex(answer.bytes())).isTrue();
    }

    /** Asks until the change is seen; all requests are answered. */
    private static void answersChanged(Protocol protocol, ContractLine line) throws Exception {
        byte[] last = {};
        for (int i = 0; i < 10_000; i++) {
            last = line.client().ask(line.at(), protocol.request(100 + i)).bytes();
            if (protocol.isAnswer(last, true)) {
                return;
            }
        }
        throw new AssertionError("the reload changed nothing: " + HexFormat.of().formatHex(last));
    }

    private static boolean speaksTls(RunningServer server, Path certificate) throws Exception {
        InetSocketAddress http = server.server().handleHttpAddresses().getFirst();
        InetAddress at = http.getAddress().isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : http.getAddress();
        try (SSLSocket socket = (SSLSocket) PinnedTrust.in(certificate).getSocketFactory().createSocket(at, http.getPort())) {
            socket.startHandshake();
            return true;
        } catch (SSLException e) {
            return false;
        }
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("everyServiceOnEveryKindOfPort")
    void everyServiceIsTheSameOnEveryKindOfPort(Protocol protocol, ContractLine.Kind kind) throws Exception {
        writeTopology(3, 1);
        Path certificates = Files.createDirectory(folder.resolve("tls"));
        TlsKeyFiles tls = TlsKeyFiles.make(certificates, "secret");
        try (ContractLine line = ContractLine.of(kind)) {
            List<String> sets = settings(protocol, line);
            try (RunningServer server = RunningServer.start(folder, sets, line.opener())) {
                fill(protocol, server, line);
                answers(protocol, line, 1);

                double taken = server.sum(protocol.metrics + "_requests_total");
                line.client().send(line.at(), GARBAGE);
                answers(protocol, line, 2);
                assertThat(server.sum(protocol.metrics + "_drops_total", "reason=\"malformed\"")).isEqualTo(1);
                assertThat(server.sum(protocol.metrics + "_requests_total")).isEqualTo(taken + 2);
                assertThat(server.sum("guidepost_port_packets_total", "port=\"" + line.portName()))
                        .as("datagrams in and out at the port")
                        .isGreaterThanOrEqualTo(2 * taken + 3);

                assertThat(server.sum(protocol.metrics + "_responses_total")).isEqualTo(taken + 1);
                assertThat(server.sum(protocol.metrics + "_bytes_total", "direction=\"received\"")).isPositive();

                writeTopology(1, 3);
                sets.addAll(List.of("http.tls-certificate=" + tls.certificate(), "http.tls-key=" + tls.plainKey()));
                assertThat(protocol == Protocol.HANDLE && speaksTls(server, tls.certificate())).isFalse();
                assertThat(server.server().reload().done()).isTrue();
                answersChanged(protocol, line);
                assertThat(protocol != Protocol.HANDLE || speaksTls(server, tls.certificate())).isTrue();
            }
            anotherHasThePort(protocol, line);
        }
    }

    private static void fill(Protocol protocol, RunningServer server, ContractLine line) throws Exception {
        switch (protocol) {
            case GNRS -> {
                List<Binding> places = List.of(Binding.of(locator(FIRST)), Binding.of(locator(SECOND)));
                byte[] insert = GnrsMessage.Insert.of(7, GnrsMessage.noOrigin(), NAME, places).write();
                line.client().ask(line.at(), insert);
            }
            case HANDLE -> HandleDemo.fill(server.server());
            case PROXIDOR -> {}
        }
    }

    /** The port can be had again, and nothing of the server answers there. */
    private static void anotherHasThePort(Protocol protocol, ContractLine line) throws Exception {
        try (DatagramPeer another = new DatagramPeer(line.reopen())) {
            DatagramClient client = line.client();
            client.send(line.at(), protocol.request(3));
            assertThat(RunningServer.eventually(() -> {
                        client.turn();
                        another.turn();
                        return another.hasReceived();
                    }))
                    .isTrue();
            another.send(another.receive().from(), ANOTHER);
            assertThat(client.receive().bytes()).isEqualTo(ANOTHER);
        }
    }
}
