package io.guidepost.server.naming;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.RunningServer;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names with long texts are placed, copied and handed over with their text and what is said of their places. */
final class NamesAtSitesTest {
    private static final int NAMES = 30;
    private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]*)\"");

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();

    private HttpResponse<String> call(RunningServer server, String method, String target, String body) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.server().namesAddresses().getFirst().getPort() + target);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json")
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private Set<String> listed(RunningServer server) throws Exception {
        return NAME.matcher(call(server, "GET", "/v1/names?limit=1000", "").body())
                .results()
                .map(each -> each.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String name(int number) {
        return "a.service.with.a.long.name-" + number;
    }

    @Test
    void whatOneWritesAllKnow() throws Exception {
        int port;
        int dns;
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
                ServerSocket other = new ServerSocket(0)) {
            port = socket.getLocalPort();
            dns = other.getLocalPort();
        }
        Files.writeString(folder.resolve("prefixes"), "0.0.0.0/1 1\n128.0.0.0/1 2\n");
        Files.writeString(folder.resolve("bindings"), "1 127.0.0.1 " + port + "\n2 127.0.0.2 " + port + "\n");
        List<RunningServer> sites = new ArrayList<>();
        try {
            for (int site = 1; site <= 2; site++) {
                sites.add(RunningServer.start(
                        folder.resolve("site-" + site),
                        "placement.prefix-file=" + folder.resolve("prefixes"),
                        "placement.binding-file=" + folder.resolve("bindings"),
                        "placement.replicas=2",
                        "sites.compare-millis=100",
                        "workers.count=1",
                        "gnrs.listen=127.0.0." + site,
                        "gnrs.port=" + port,
                        "gnrs.writers=127.0.0.0/8",
                        "dns.enabled=true",
                        "dns.zone=names.example",
                        "dns.listen=127.0.0." + site,
                        "dns.port=" + dns,
                        "names.enabled=true",
                        "names.listen=127.0.0.1",
                        "names.http-port=0",
                        "names.folder=" + folder.resolve("names-" + site)));
            }
            check(sites.get(0), sites.get(1));
        } finally {
            sites.forEach(RunningServer::close);
            http.close();
        }
    }

    private void check(RunningServer one, RunningServer other) throws Exception {
        Set<String> all = new TreeSet<>();
        for (int i = 0; i < NAMES; i++) {
            String body = "{\"places\":[{\"place\":\"192.0.2.1:" + (1000 + i) + "\",\"weight\":" + i + "}]}";
            HttpResponse<String> answer = call(i % 2 == 0 ? one : other, "PUT", "/v1/names/" + name(i), body);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            all.add(name(i));
        }
        for (int i = 0; i < NAMES; i++) {
            String target = "/v1/names/" + name(i) + "?recursive=1";
            assertThat(call(one, "GET", target, "").body()).contains("192.0.2.1:" + (1000 + i));
            assertThat(call(other, "GET", target, "").body()).contains("192.0.2.1:" + (1000 + i));
        }
        for (int i = 0; i < NAMES; i++) {
            assertThat(address(one, name(i))).isEqualTo(address(other, name(i))).isEqualTo("c0000201");
        }
        assertThat(one.sum("guidepost_dns_lookup_waits_total", "for=\"servers\"")).isPositive();
        Set<String> here = listed(one);
        Set<String> there = listed(other);
        assertThat(here).as("some are kept by one, some by both").isNotEmpty();
        Set<String> both = new TreeSet<>(here);
        both.retainAll(there);
        assertThat(both).isNotEmpty();
        Set<String> together = new TreeSet<>(here);
        together.addAll(there);
        assertThat(together).isEqualTo(all);
        String shared = both.iterator().next();
        assertThat(call(one, "GET", "/v1/names/" + shared, "").body()).contains("\"weight\":");
        assertThat(call(other, "GET", "/v1/names/" + shared, "").body()).contains("\"weight\":");
        change(one, other, shared);
    }

    /** Asks DNS for the address of a name, and returns the last four bytes of the answer, in hexadecimal. */
    private static String address(RunningServer server, String name) throws IOException {
        ByteBuffer question = ByteBuffer.allocate(300).put(HexFormat.of().parseHex("000700000001000000000000"));
        for (String label : (name + ".names.example").split("\\.", -1)) {
            question.put((byte) label.length()).put(label.getBytes(StandardCharsets.US_ASCII));
        }
        question.put((byte) 0).putInt(0x10001);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(20_000);
            socket.send(new DatagramPacket(question.array(), question.position(), server.server().dnsAddresses().getFirst()));
            DatagramPacket answer = new DatagramPacket(new byte[512], 512);
            socket.receive(answer);
            return HexFormat.of().formatHex(answer.getData(), answer.getLength() - 4, answer.getLength());
        }
    }

    private void change(RunningServer one, RunningServer other, String name) throws Exception {
        String more = "{\"add\":[{\"place\":\"192.0.2.2:80\",\"labels\":{\"zone\":\"b\"}}]}";
        assertThat(call(one, "PATCH", "/v1/names/" + name, more).statusCode()).isEqualTo(200);
        assertThat(RunningServer.eventually(() -> holds(other, name, "\"zone\":\"b\""))).isTrue();
        assertThat(call(other, "PATCH", "/v1/names/" + name, "{\"remove\":[\"192.0.2.2:80\"]}").statusCode()).isEqualTo(200);
        assertThat(RunningServer.eventually(() -> !holds(one, name, "192.0.2.2"))).isTrue();
        HttpResponse<String> leased = call(one, "PUT", "/v1/names/" + name + "?lease=30s", "{\"places\":[{\"place\":\"192.0.2.3:80\"}]}");
        assertThat(leased.statusCode()).as(leased.body()).isEqualTo(400);
        assertThat(call(other, "DELETE", "/v1/names/" + name, "").statusCode()).isEqualTo(204);
        assertThat(RunningServer.eventually(() -> !holds(one, name, "192.0.2"))).isTrue();
        assertThat(listed(one)).doesNotContain(name);
    }

    private boolean holds(RunningServer server, String name, String text) {
        try {
            return call(server, "GET", "/v1/names/" + name, "").body().contains(text);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
