package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;

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
    /** Shorter than a header of any of them. */
    private static final byte[] GARBAGE = {1, 2, 3, 4, 5};

    /** Of a port that is open again after the server has ended. */
    private static final byte[] ANOTHER = "another has the port".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path folder;

    static Stream<Arguments> everyServiceOnEveryKindOfPort() {
        return Arrays.stream(UdpProtocol.values())
                .flatMap(each -> Arrays.stream(ContractLine.Kind.values()).map(kind -> Arguments.of(each, kind)));
    }

    private List<String> settings(UdpProtocol protocol, ContractLine line) {
        List<String> sets = new ArrayList<>(List.of("gnrs.port=" + (line.number ^ 1)));
        sets.addAll(protocol.settings(folder));
        // Without an address of the kernel handles would not be answered over HTTP, by which the reload is seen.
        line.settings(protocol.listenKey()).stream().filter(each -> !each.equals("handle.listen=")).forEach(sets::add);
        sets.add(protocol.portKey() + "=" + line.number);
        return sets;
    }

    private static void answers(UdpProtocol protocol, ContractLine line, int id) throws Exception {
        DatagramClient.Datagram answer = line.client().ask(line.at(), protocol.request(id));
        assertThat(answer.from()).isEqualTo(line.at());
        assertThat(protocol.isAnswer(answer.bytes(), false)).as(HexFormat.of().formatHex(answer.bytes())).isTrue();
    }

    /** Asks until the change is seen; all requests are answered. */
    private static void answersChanged(UdpProtocol protocol, ContractLine line) throws Exception {
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
    void everyServiceIsTheSameOnEveryKindOfPort(UdpProtocol protocol, ContractLine.Kind kind) throws Exception {
        UdpProtocol.writeTopology(folder, false);
        Path certificates = Files.createDirectory(folder.resolve("tls"));
        TlsKeyFiles tls = TlsKeyFiles.make(certificates, "secret");
        try (ContractLine line = ContractLine.of(kind)) {
            List<String> sets = settings(protocol, line);
            try (RunningServer server = RunningServer.start(folder, sets, line.opener())) {
                protocol.fill(server, line.client(), line.at());
                answers(protocol, line, 1);

                double taken = server.sum(protocol.metrics() + "_requests_total");
                line.client().send(line.at(), GARBAGE);
                answers(protocol, line, 2);
                assertThat(server.sum(protocol.metrics() + "_drops_total", "reason=\"malformed\"")).isEqualTo(1);
                assertThat(server.sum(protocol.metrics() + "_requests_total")).isEqualTo(taken + 2);
                assertThat(server.sum("guidepost_port_packets_total", "port=\"" + line.portName()))
                        .as("datagrams in and out at the port")
                        .isGreaterThanOrEqualTo(2 * taken + 3);

                assertThat(server.sum(protocol.metrics() + "_responses_total")).isEqualTo(taken + 1);
                assertThat(server.sum(protocol.metrics() + "_bytes_total", "direction=\"received\"")).isPositive();

                UdpProtocol.writeTopology(folder, true);
                sets.addAll(List.of("http.tls-certificate=" + tls.certificate(), "http.tls-key=" + tls.plainKey()));
                assertThat(protocol == UdpProtocol.HANDLE && speaksTls(server, tls.certificate())).isFalse();
                assertThat(server.server().reload().done()).isTrue();
                answersChanged(protocol, line);
                assertThat(protocol != UdpProtocol.HANDLE || speaksTls(server, tls.certificate())).isTrue();
            }
            anotherHasThePort(protocol, line);
        }
    }

    /** The port can be had again, and nothing of the server answers there. */
    private static void anotherHasThePort(UdpProtocol protocol, ContractLine line) throws Exception {
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
