package io.guidepost.server.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.server.RunningServer;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.service.Endpoint;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The DNS service as people ask it, with dig. */
class DnsServiceTest {
    private static final List<String> SETTINGS = new ArrayList<>();

    private static List<String> first = List.of();
    private static RunningServer server;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            // One number for both: a client that is told TC goes on over TCP.
            port = free.getLocalPort();
        }
        first = List.of(
                "dns.enabled=true", "dns.zone=names.example", "dns.listen=127.0.0.1", "dns.port=" + port, "dns.ttl-seconds=33");
        SETTINGS.addAll(first);
        server = RunningServer.start(folder, SETTINGS);
        put("printer", "10.1.2.3:4444", "[2001:db8::7]:4444");
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @BeforeEach
    void reset() {
        SETTINGS.retainAll(first);
        assertThat(server.server().reload().done()).isTrue();
    }

    private static void put(String name, String... places) throws Exception {
        List<Binding> bindings = new ArrayList<>();
        for (String each : places) {
            bindings.add(Binding.of(Locator.parse(each)));
        }
        server.server().store().put(new Record(Name.of(Guid.ofAscii(name)), 0, bindings, List.of()), Record.ABSENT);
    }

    private String dig(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "dig", "@127.0.0.1", "-p", String.valueOf(server.server().dnsAddresses().getFirst().getPort()), "+tries=1", "+time=5"));
        command.addAll(Arrays.asList(words));
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            Assumptions.abort("there is no dig: apt-get install bind9-dnsutils");
            throw e;
        }
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return out;
    }

    @Test
    void digIsAnswered() throws Exception {
        assertThat(dig("+short", "printer.names.example", "A")).isEqualTo("10.1.2.3\n");
        assertThat(dig("+noall", "+answer", "pRinter.names.example", "AAAA"))
                .matches("pRinter\\.names\\.example\\.\\s+33\\s+IN\\s+AAAA\\s+2001:db8::7\n");
        assertThat(dig("+short", "_ipp._tcp.printer.names.example", "SRV")).contains(
                "0 1 4444 ip4-0a010203.printer.names.example.",
                "0 1 4444 ip6-20010db8000000000000000000000007.printer.names.example.");
        put("orders.prod", "10.1.2.9:1");
        assertThat(dig("prod.names.example")).contains("status: NOERROR", "ANSWER: 0");
        put("ns", "10.1.2.53:53");
        assertThat(dig("+tcp", "+noall", "+additional", "names.example", "NS")).containsPattern("ns\\.names\\.example\\..*10\\.1\\.2\\.53");
        assertThat(dig("none.names.example")).contains("status: NXDOMAIN", "ns.names.example. hostmaster.names.example.");
        assertThat(dig("+nsid", "www.example.org")).contains("status: REFUSED", "NSID: ");
        assertThat(server.sum("guidepost_dns_responses_total") + server.sum("guidepost_dns_drops_total"))
                .isEqualTo(server.sum("guidepost_dns_requests_total"));
    }

    @Test
    void whatIsLongIsAskedForOverTcp() throws Exception {
        put("many", IntStream.range(1, 255).mapToObj(each -> "10.2.3." + each + ":1").toArray(String[]::new));
        double requests = server.sum("guidepost_dns_requests_total", "transport=\"tcp\"");
        double truncated = server.sum("guidepost_dns_truncated_responses_total", "reason=\"amplification\"");
        double connections = server.sum("guidepost_dns_connections_accepted_total");
        assertThat(dig("+nocookie", "+ignore", "many.names.example", "A")).contains("flags: qr aa tc rd");
        assertThat(dig("+nocookie", "+short", "many.names.example", "A").lines()).hasSize(254);
        assertThat(dig("+tcp", "+keepopen", "printer.names.example", "A", "none.names.example", "A"))
                .contains("10.1.2.3", "status: NXDOMAIN", "(TCP)");
        assertThat(server.sum("guidepost_dns_requests_total", "transport=\"tcp\"")).isEqualTo(requests + 3);
        assertThat(server.sum("guidepost_dns_connections_accepted_total")).isEqualTo(connections + 2);
        assertThat(server.sum("guidepost_dns_truncated_responses_total", "reason=\"amplification\"")).isEqualTo(truncated + 2);
    }

    /** Messages that come in pieces, several at once, and one behind which the client says no more. */
    @Test
    void connectionsAreStreams() throws Exception {
        byte[] question = HexFormat.of().parseHex("000700000001000000000000077072696e746572056e616d6573076578616d706c650000010001");
        InetSocketAddress at = server.server().endpoints().stream()
                .filter(each -> each.service().equals("dns") && each.transport() == Endpoint.Transport.TCP)
                .findFirst().orElseThrow().address();
        try (Socket socket = new Socket(at.getAddress(), at.getPort())) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            out.writeByte(0);
            out.flush();
            out.writeByte(question.length);
            out.write(question, 0, 20);
            out.flush();
            out.write(question, 20, question.length - 20);
            for (int i = 0; i < 3; i++) {
                out.writeShort(question.length);
                out.write(question);
            }
            out.writeShort(3);
            out.write(new byte[3]);
            socket.shutdownOutput();
            for (int i = 0; i < 4; i++) {
                byte[] answer = in.readNBytes(in.readUnsignedShort());
                assertThat(HexFormat.of().formatHex(answer)).startsWith("00078400").endsWith("00040a010203");
            }
            assertThat(in.read()).as("the server ends the connection").isEqualTo(-1);
        }
    }

    @Test
    void aReloadChangesServersAndTtl() throws Exception {
        SETTINGS.addAll(List.of("dns.name-servers=a.example.net,b.example.net", "dns.ttl-seconds=44"));
        assertThat(server.server().reload().done()).isTrue();
        assertThat(dig("+short", "names.example", "NS")).isEqualTo("a.example.net.\nb.example.net.\n");
        assertThat(dig("+noall", "+answer", "printer.names.example", "A")).contains("44");
        SETTINGS.add("dns.zone=.");
        assertThat(server.server().reload().faults()).singleElement().asString().contains("dns.zone", "is no domain name");
    }

    @Test
    void theSerialGrowsWithEachChange() throws Exception {
        long before = serial();
        put("another", "10.1.2.4:1");
        assertThat(serial()).isEqualTo(before + 1);
    }

    private long serial() throws Exception {
        return Long.parseLong(dig("+short", "names.example", "SOA").split(" ", -1)[2]);
    }

    /** A secondary is told of a change, and gets it, when it is one of those that may. */
    @Test
    void secondariesAreToldAndMayTransfer() throws Exception {
        assertThat(dig("names.example", "AXFR")).contains("Transfer failed");
        try (DatagramSocket secondary = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            secondary.setSoTimeout(20_000);
            SETTINGS.addAll(List.of("dns.transfer=127.0.0.1", "dns.notify=127.0.0.1:" + secondary.getLocalPort()));
            assertThat(server.server().reload().done()).isTrue();
            acknowledge(secondary);
            long before = serial();
            assertThat(dig("+noall", "+answer", "names.example", "AXFR"))
                    .contains("printer.names.example.", "*._udp.printer.names.example.", "ip4-0a010203.printer.names.example.");
            put("added", "10.1.2.5:1");
            acknowledge(secondary);
            assertThat(dig("+noall", "+answer", "names.example", "IXFR=" + before))
                    .contains("added.names.example.", "10.1.2.5")
                    .doesNotContain("printer");
            assertThat(server.metric("guidepost_dns_transfers_total{outcome=\"full\"}")).isEqualTo(1);
            assertThat(server.metric("guidepost_dns_transfers_total{outcome=\"incremental\"}")).isEqualTo(1);
            assertThat(RunningServer.eventually(() -> notified() == 2)).isTrue();
        }
    }

    private double notified() {
        try {
            return server.metric("guidepost_dns_notifies_total{outcome=\"acknowledged\"}");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes a NOTIFY, and answers it as secondaries do. */
    private static void acknowledge(DatagramSocket secondary) throws IOException {
        DatagramPacket notify = new DatagramPacket(new byte[512], 512);
        secondary.receive(notify);
        assertThat(HexFormat.of().formatHex(notify.getData(), 2, notify.getLength()))
                .isEqualTo("24000001000000000000" + "056e616d6573076578616d706c6500" + "00060001");
        notify.getData()[2] |= (byte) 0x80;
        secondary.send(notify);
    }

    @Test
    void aZoneIsNeeded() {
        assertThatThrownBy(() -> RunningServer.configuration(server.server().folder(), "dns.enabled=true"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("dns.zone")
                .hasMessageContaining("name the zone");
    }
}
