package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.server.scaffold.Greeting;
import io.guidepost.server.service.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The metrics of the doors over UDP add up under a mixed load of valid, malformed and random datagrams: each datagram that a
 * port received is a request, each request is a response or a drop, and each response left by the port.
 */
class RequestAccountingTest {
    private static final long SEED = 20261123;
    private static final int DATAGRAMS = 2000;
    private static final int BURST = 50;
    private static final int BYTES_MAX = 300;

    private static final String LOOKUP =
            "0001002edeadbeef002a0016000000067f0000010fa1000102030405060708090a0b0c0d0e0f1011121380020001";

    /** A look-up whose origin is another host. */
    private static final String FOREIGN = LOOKUP.replace("7f000001", "0a000001");

    /** A response to nothing. */
    private static final String RESPONSE = LOOKUP.replace("0001002e", "0081002e");

    /** A resolution of handle 10.1/x, all values, version 2.10, as specified in RFC 3652. */
    private static final String RESOLUTION = "020a00000000000000000007000000000000002e"
            + "000000010000000000000000ffff000000000000" + "00000012" + "0000000631302e312f78" + "0000000000000000" + "00000000";

    @TempDir
    private Path folder;

    private static byte[] datagram(SplittableRandom random, List<String> valid) {
        byte[] bytes = HexFormat.of().parseHex(valid.get(random.nextInt(valid.size())));
        switch (random.nextInt(3)) {
            case 0 -> {
                bytes = new byte[random.nextInt(1, BYTES_MAX)];
                random.nextBytes(bytes);
            }
            case 1 -> bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            default -> {
                // As it is.
            }
        }
        return bytes;
    }

    /** Sends datagrams in bursts that no receive buffer is too small for, each awaited by the count of the port. */
    private static void send(RunningServer server, InetSocketAddress port, List<String> valid) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        double before = packets(server, port, "in");
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            for (int sent = 0; sent < DATAGRAMS; sent += BURST) {
                for (int i = 0; i < BURST; i++) {
                    channel.send(ByteBuffer.wrap(datagram(random, valid)), port);
                }
                double all = before + sent + BURST;
                assertThat(RunningServer.eventually(() -> packets(server, port, "in") == all)).as("all arrived").isTrue();
            }
        }
    }

    private static double packets(RunningServer server, InetSocketAddress port, String direction) {
        return sum(server, "guidepost_port_packets_total", ":" + port.getPort() + "\"", "direction=\"" + direction + "\"");
    }

    private static double sum(RunningServer server, String metric, String... labels) {
        try {
            return server.sum(metric, labels);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void addsUp(RunningServer server, InetSocketAddress port, String door) {
        assertThat(RunningServer.eventually(() -> sum(server, door + "_requests_total")
                        == sum(server, door + "_responses_total") + sum(server, door + "_drops_total")))
                .as("every request of " + door + " ends as a response or a drop")
                .isTrue();
        assertThat(sum(server, door + "_responses_total")).isPositive().isEqualTo(packets(server, port, "out"));
        assertThat(sum(server, door + "_drops_total")).isPositive();
    }

    private static InetSocketAddress udp(RunningServer server, String service) {
        return server.server().endpoints().stream()
                .filter(each -> each.service().equals(service) && each.transport() == Endpoint.Transport.UDP)
                .findFirst()
                .orElseThrow()
                .address();
    }

    @Test
    void everyRequestEndsAsAResponseOrADrop() throws Exception {
        try (RunningServer server = RunningServer.start(
                folder,
                "handle.enabled=true",
                "handle.listen=127.0.0.1",
                "handle.udp-port=0",
                "handle.tcp-port=0",
                "handle.http-port=0",
                "handle.folder=" + folder.resolve("handle"),
                "scaffold.enabled=true",
                "scaffold.listen=127.0.0.1",
                "scaffold.port=0",
                "scaffold.folder=" + folder.resolve("scaffold"),
                "proxidor.enabled=true",
                "proxidor.listen=127.0.0.1",
                "proxidor.port=0")) {
            try (GnrsClient client = server.client()) {
                for (int i = 0; i < BURST; i++) {
                    Guid name = Guid.ofAscii("name " + i);
                    client.insert(name, List.of(Binding.of(Locator.parse("10.0.0.1:7000"))));
                    client.update(name, List.of(Binding.of(Locator.parse("10.0.0.2:7000"))));
                    client.lookup(name);
                }
            }
            send(server, server.address(), List.of(LOOKUP, LOOKUP + LOOKUP, FOREIGN, RESPONSE));
            addsUp(server, server.address(), "guidepost_gnrs");
            assertThat(packets(server, server.address(), "in"))
                    .isEqualTo(sum(server, "guidepost_gnrs_requests_total")
                            - sum(server, "guidepost_gnrs_concatenated_messages_total"));
            assertThat(sum(server, "guidepost_gnrs_drops_total", "\"malformed\""))
                    .isEqualTo(sum(server, "guidepost_gnrs_malformed_total"));
            for (String type : List.of("lookup", "insert", "update", "other")) {
                assertThat(sum(server, "guidepost_gnrs_requests_total", '"' + type + '"')).as(type).isPositive();
            }

            InetSocketAddress proxidor = udp(server, "proxidor");
            send(server, proxidor, List.of("0000000700000000010000100000010a0000010a000002"));
            addsUp(server, proxidor, "guidepost_proxidor");
            assertThat(packets(server, proxidor, "in")).isEqualTo(sum(server, "guidepost_proxidor_requests_total"));

            InetSocketAddress scaffold = udp(server, "scaffold");
            send(server, scaffold, List.of(HexFormat.of().formatHex(Greeting.request(1))));
            addsUp(server, scaffold, "guidepost_scaffold");
            assertThat(packets(server, scaffold, "in")).isEqualTo(sum(server, "guidepost_scaffold_requests_total"));
            assertThat(sum(server, "guidepost_scaffold_drops_total", "\"malformed\""))
                    .isEqualTo(sum(server, "guidepost_scaffold_malformed_total"));

            InetSocketAddress handle = udp(server, "handle");
            send(server, handle, List.of(RESOLUTION));
            addsUp(server, handle, "guidepost_handle_udp");
            assertThat(packets(server, handle, "in"))
                    .isEqualTo(sum(server, "guidepost_handle_udp_requests_total")
                            - sum(server, "guidepost_handle_udp_reassemblies_total", "\"complete\"")
                            + sum(server, "guidepost_handle_udp_fragments_total"));
            assertThat(sum(server, "guidepost_handle_udp_responses_total", "\"index\"")).isPositive();
        }
    }
}
