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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The DNS service as people ask it, with dig. */
class DnsServiceTest {
    private final List<String> settings;
    private final RunningServer server;

    DnsServiceTest(@TempDir Path folder) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            // One number for both: a client that is told TC goes on over TCP.
            port = free.getLocalPort();
        }
        settings = new ArrayList<>(List.of(
                "dns.enabled=true", "dns.zone=names.example", "dns.listen=127.0.0.1", "dns.port=" + port, "dns.ttl-seconds=33"));
        server = RunningServer.start(folder, settings);
        put("printer", "10.1.2.3:4444", "[2001:db8::7]:4444");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void put(String name, String... places) throws Exception {
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
        assertThat(dig("none.names.example")).contains("status: NXDOMAIN", "ns.names.example. hostmaster.names.example.");
        assertThat(dig("+nsid", "www.example.org")).contains("status: REFUSED", "NSID: ");
        assertThat(server.sum("guidepost_dns_responses_total")).isEqualTo(server.sum("guidepost_dns_requests_total"));
    }

    @Test
    void whatIsLongIsAskedForOverTcp() throws Exception {
        put("many", IntStream.range(1, 255).mapToObj(each -> "10.2.3." + each + ":1").toArray(String[]::new));
        assertThat(dig("+nocookie", "+ignore", "many.names.example", "A")).contains("flags: qr aa tc rd");
        assertThat(dig("+nocookie", "+short", "many.names.example", "A").lines()).hasSize(254);
        assertThat(dig("+tcp", "+keepopen", "printer.names.example", "A", "none.names.example", "A"))
                .contains("10.1.2.3", "status: NXDOMAIN", "(TCP)");
        assertThat(server.sum("guidepost_dns_requests_total", "transport=\"tcp\"")).isEqualTo(3);
        assertThat(server.sum("guidepost_dns_connections_accepted_total")).isEqualTo(2);
        assertThat(server.sum("guidepost_dns_truncated_responses_total", "reason=\"amplification\"")).isEqualTo(2);
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
        settings.addAll(List.of("dns.name-servers=a.example.net,b.example.net", "dns.ttl-seconds=44"));
        assertThat(server.server().reload().done()).isTrue();
        assertThat(dig("+short", "names.example", "NS")).isEqualTo("a.example.net.\nb.example.net.\n");
        assertThat(dig("+noall", "+answer", "printer.names.example", "A")).contains("44");
        settings.add("dns.zone=.");
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

    @Test
    void aZoneIsNeeded() {
        assertThatThrownBy(() -> RunningServer.configuration(server.server().folder(), "dns.enabled=true"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("dns.zone")
                .hasMessageContaining("name the zone");
    }
}
