package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.alto.protocol.Candidate;
import io.guidepost.alto.proxidor.ProxidorClient;
import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsException;
import io.guidepost.handle.Handle;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.packet.ip.Hosts;
import io.guidepost.proximity.oracle.OracleDump;
import io.guidepost.proximity.oracle.OracleSettings;
import io.guidepost.proximity.topology.Nic;
import io.guidepost.proximity.topology.OperatorNetwork;
import io.guidepost.proximity.topology.PrefixAttachment;
import io.guidepost.proximity.topology.TopologyLink;
import io.guidepost.proximity.topology.TopologyRouter;
import io.guidepost.server.cli.HandleDemo;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.service.ReloadReport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A whole server with a topology out of the Oracle's files: what each door makes of it, and what it keeps to itself. */
class TopologyDoorsTest {
    private static final Handle MIRRORS = Handle.of("1234/mirrors");
    private static final Guid NAME = Guid.ofAscii("mirrors");
    private static final String FIRST = "10.0.2.9";
    private static final String SECOND = "10.0.3.9";
    private static final String UNKNOWN = "198.51.100.9";

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void end() {
        http.close();
    }

    /** Clients at router 1, a mirror at router 2, and one at router 3 that is twice as far. */
    private static OperatorNetwork star() throws Exception {
        OperatorNetwork network = new OperatorNetwork();
        TopologyLink near = new TopologyLink(1, 1000, 0, 1);
        TopologyLink far = new TopologyLink(1, 1000, 0, 2);
        router(network, 1, List.of(nic(0, "10.9.2.1", "10.9.2.2", near), nic(1, "10.9.3.1", "10.9.3.2", far)), "127.0.0.0/8");
        router(network, 2, List.of(nic(0, "10.9.2.2", "10.9.2.1", near)), "10.0.2.0/24");
        router(network, 3, List.of(nic(0, "10.9.3.2", "10.9.3.1", far)), "10.0.3.0/24");
        return network;
    }

    private static Nic nic(int index, String own, String peer, TopologyLink link) throws Exception {
        return new Nic(index, Address.parse(own), Address.parse(peer), true, link);
    }

    private static void router(OperatorNetwork network, int number, List<Nic> nics, String prefix) throws Exception {
        Address id = Address.parse("10.8.0." + number);
        network.topology(network.topology().with(new TopologyRouter(id, true, 3, nics, List.of())));
        network.add(Prefix.parse(prefix), PrefixAttachment.internal(id, 2));
    }

    @BeforeEach
    void writeFiles() throws Exception {
        OracleDump.write(star(), OracleSettings.DEFAULTS, folder.resolve("topology"));
    }

    private List<String> settings() {
        List<String> sets = new ArrayList<>(HandleDemo.settings());
        sets.addAll(List.of(
                "handle.listen=127.0.0.1",
                "handle.udp-port=0",
                "handle.tcp-port=0",
                "handle.http-port=0",
                "handle.folder=" + folder.resolve("handle"),
                "proxidor.enabled=true",
                "proxidor.listen=127.0.0.1",
                "proxidor.port=0",
                "alto.enabled=true",
                "alto.listen=127.0.0.1",
                "alto.http-port=0",
                "alto.folder=" + folder.resolve("alto"),
                "proximity.files=" + folder.resolve("topology/oracle.conf"),
                "proximity.function=weight",
                "proximity.dump-folder=" + folder.resolve("dumps")));
        return sets;
    }

    private RunningServer start(String... more) throws Exception {
        List<String> sets = settings();
        sets.addAll(List.of(more));
        return start(sets);
    }

    /** Starts a server whose settings may change. */
    private RunningServer start(List<String> sets) throws Exception {
        RunningServer running = RunningServer.start(folder, sets, Hosts::open);
        HandleDemo.fill(running.server());
        return running;
    }

    private static void fill(RunningServer server) throws Exception {
        try (GnrsClient client = server.client()) {
            client.insert(NAME, List.of(binding(UNKNOWN), binding(SECOND), binding(FIRST)));
        }
        String locations = "<locations chooseby=\"nearest\"><location href=\"http://" + SECOND + "/\"/><location href=\"http://"
                + FIRST + "/\"/></locations>";
        server.server().handleRecords().orElseThrow().change(MIRRORS, (current, now) -> new RecordEdit.Next.Written(
                new HandleRecord(MIRRORS, List.of(HandleValue.of(1, "10320/LOC", locations))), false));
    }

    private static Binding binding(String host) {
        return Binding.of(Locator.of(new InetSocketAddress(host, 80)));
    }

    private static List<String> overGnrs(RunningServer server) throws Exception {
        try (GnrsClient client = server.client()) {
            return client.lookup(NAME).bindings().stream()
                    .map(each -> each.locator().toString().replace(":80", ""))
                    .toList();
        }
    }

    private static List<String> overProxidor(RunningServer server) throws Exception {
        InetSocketAddress address = server.server().proxidorAddresses().getFirst();
        try (ProxidorClient client = ProxidorClient.open(address, Duration.ofSeconds(5), 3, new Random(7))) {
            List<Candidate> candidates = List.of(Candidate.parse(SECOND), Candidate.parse(FIRST));
            return client.rank(candidates, Optional.empty()).order().stream().map(Candidate::toString).toList();
        }
    }

    private String leadsTo(RunningServer server) throws Exception {
        int port = server.server().handleHttpAddresses().getFirst().getPort();
        return get("http://127.0.0.1:" + port + "/1234/mirrors").headers().firstValue("Location").orElse("");
    }

    private HttpResponse<String> get(String uri) throws Exception {
        return http.send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String alto(RunningServer server) {
        return "http://127.0.0.1:" + server.server().altoAddresses().getFirst().getPort();
    }

    private HttpRequest costs(RunningServer server) {
        return HttpRequest.newBuilder(URI.create(alto(server) + "/endpoint-costs"))
                .header("Content-Type", "application/alto-endpointcostparams+json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"cost-type\":{\"cost-mode\":\"ordinal\",\"cost-metric\":\"routingcost\"},\"endpoints\":{\"dsts\":[\"ipv4:"
                                + SECOND + "\",\"ipv4:" + FIRST + "\"]}}"))
                .build();
    }

    private List<String> overAlto(RunningServer server) throws Exception {
        String body = http.send(costs(server), HttpResponse.BodyHandlers.ofString()).body();
        return Pattern.compile("\"ipv4:(10[0-9.]+)\":([0-9.]+)").matcher(body).results()
                .sorted(Comparator.comparingDouble(each -> Double.parseDouble(each.group(2))))
                .map(each -> each.group(1))
                .toList();
    }

    private HttpResponse<String> console(RunningServer server, String line, String... headers) throws Exception {
        int port = server.server().adminAddress().orElseThrow().getPort();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/oracle"))
                .header("Guidepost", "yes")
                .POST(HttpRequest.BodyPublishers.ofString(line));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private void assertNearestIs(RunningServer server, String near, String far) throws Exception {
        assertThat(overGnrs(server)).containsExactly(near, far, UNKNOWN);
        assertThat(overProxidor(server)).containsExactly(near, far);
        assertThat(leadsTo(server)).isEqualTo("http://" + near + "/");
    }

    @Test
    void everyDoorHasTheSameOrderAndTheConsoleChangesItAtOnce() throws Exception {
        try (RunningServer server = start()) {
            fill(server);
            assertNearestIs(server, FIRST, SECOND);
            assertThat(overAlto(server)).containsExactly(FIRST, SECOND);
            assertThat(console(server, "set link 10.8.0.1 0 weight 50").body()).contains("successful");
            server.server().network().settle();
            assertNearestIs(server, SECOND, FIRST);
            assertThat(RunningServer.eventually(() -> {
                        try {
                            return overAlto(server).equals(List.of(SECOND, FIRST));
                        } catch (Exception e) {
                            throw new AssertionError(e);
                        }
                    }))
                    .isTrue();
            String explained = server.page("/rank?source=127.0.0.1&to=" + FIRST + "," + SECOND);
            assertThat(explained).contains("\"path\"", "10.8.0.3", "\"cost\": 50.0").containsSubsequence(SECOND, FIRST);
        }
    }

    /** Where addresses tell clients apart, a page must not use the one of its reader. */
    @ParameterizedTest
    @CsvSource({"'',true", "alto.allow=127.0.0.0/8,false", "alto.views=127.0.0.0/8,false"})
    void pagesOfOtherOriginsReadWhatEveryoneMay(String setting, boolean readable) throws Exception {
        try (RunningServer server = readable ? start() : start(setting)) {
            HttpRequest.Builder fetched = HttpRequest.newBuilder(URI.create(alto(server) + "/directory"));
            HttpRequest.Builder posted = HttpRequest.newBuilder(costs(server), (_, _) -> true);
            for (HttpRequest.Builder each : List.of(fetched, posted)) {
                HttpRequest page = each.header("Origin", "https://page.example").build();
                HttpResponse<String> answer = http.send(page, HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.headers().firstValue("Access-Control-Allow-Origin").isPresent()).isEqualTo(readable);
            }
        }
    }

    @Test
    void clientsThatStaySeeWhatAReloadChanges() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "first\n");
        List<String> sets = settings();
        sets.addAll(List.of(
                "gnrs.bindings-max=1",
                "proxidor.unknown=drop",
                "alto.allow=127.0.0.0/8",
                "admin.token-file=" + token));
        try (RunningServer server = start(sets);
                GnrsClient client = server.client();
                ProxidorClient ranks = ProxidorClient.open(
                        server.server().proxidorAddresses().getFirst(), Duration.ofSeconds(5), 3, new Random(7))) {
            List<Binding> two = List.of(binding(FIRST), binding(SECOND));
            List<Candidate> candidates = List.of(Candidate.parse(UNKNOWN), Candidate.parse(FIRST));
            assertThatThrownBy(() -> client.insert(NAME, two)).isInstanceOf(GnrsException.class);
            assertThat(ranks.rank(candidates, Optional.empty())).satisfies(each -> {
                assertThat(each.order()).hasSize(1);
                assertThat(each.ttlSeconds()).isEqualTo(60);
            });
            assertThat(forwarded(server)).isEqualTo(200);
            Files.writeString(token, "second\n");
            sets.addAll(List.of(
                    "gnrs.bindings-max=2",
                    "gnrs.default-ttl-millis=7000",
                    "proxidor.unknown=last",
                    "proxidor.ttl-seconds=9",
                    "http.trusted-proxies=127.0.0.1",
                    "alto.metrics=routingcost,hopcount",
                    "handle.page-headers=X-Place: here",
                    "alto.views=192.0.2.0/24 metric=routingcost"));
            assertThat(get(alto(server) + "/directory").body()).doesNotContain("hopcount");
            assertThat(server.server().reload().restart()).isEmpty();
            client.insert(NAME, two);
            assertThat(client.lookup(NAME).bindings()).hasSize(2).allMatch(each -> each.ttlMillis() == 7000);
            assertThat(ranks.rank(candidates, Optional.empty())).satisfies(each -> {
                assertThat(each.order()).hasSize(2);
                assertThat(each.ttlSeconds()).isEqualTo(9);
            });
            assertThat(forwarded(server)).isEqualTo(403);
            int pages = server.server().handleHttpAddresses().getFirst().getPort();
            assertThat(get("http://127.0.0.1:" + pages + "/robots.txt").headers().firstValue("X-Place")).contains("here");
            assertThat(RunningServer.eventually(() -> directory(server).contains("hopcount"))).isTrue();
            assertThat(console(server, "show", "Authorization", "Bearer first").statusCode()).isEqualTo(401);
            assertThat(console(server, "show", "Authorization", "Bearer second").statusCode()).isNotEqualTo(401);
            sets.add("http.connections-max=1");
            assertThat(server.server().reload().done()).isTrue();
            assertThat(get(alto(server) + "/directory").statusCode()).as("a connection that stays").isEqualTo(200);
            assertThat(forwarded(server)).as("one more").isZero();
        }
    }

    private String directory(RunningServer server) {
        try {
            return get(alto(server) + "/directory").body();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the status of a request over a new connection that names a client elsewhere; 0 if it is closed. */
    private int forwarded(RunningServer server) throws Exception {
        try (HttpClient other = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(alto(server) + "/directory"))
                    .header("X-Forwarded-For", "192.0.2.1")
                    .build();
            return other.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        } catch (IOException closed) {
            return 0;
        }
    }

    @Test
    void anUpdateStreamTellsWhatTheConsoleChanged() throws Exception {
        try (RunningServer server = start()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(alto(server) + "/updates"))
                    .header("Content-Type", "application/alto-updatestreamparams+json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"add\":{\"1\":{\"resource-id\":\"" + costMap(server) + "\"}}}"))
                    .build();
            HttpResponse<InputStream> stream = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            assertThat(stream.statusCode()).isEqualTo(200);
            try (BufferedReader events = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
                until(events, "cost-map");
                console(server, "set link 10.8.0.1 0 weight 51");
                assertThat(until(events, "51")).contains("51");
            }
            assertThat(RunningServer.eventually(() -> lasting(server) == 0)).isTrue();
        }
    }

    private static double lasting(RunningServer server) {
        try {
            return server.metric("guidepost_alto_lasting");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String costMap(RunningServer server) throws Exception {
        String directory = get(alto(server) + "/directory").body();
        MatchResult found = Pattern.compile("\"uri\":\"[^\"]*/([^\"/]*)\",\"media-type\":\"application/alto-costmap\\+json\"")
                .matcher(directory)
                .results()
                .filter(each -> !each.group(1).contains("ordinal"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(directory));
        return found.group(1);
    }

    private static String until(BufferedReader events, String text) throws Exception {
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            if (line.contains(text)) {
                return line;
            }
        }
        return "";
    }

    @Test
    void noAnswerHasAnAddressOfARouter() throws Exception {
        try (RunningServer server = start()) {
            String directory = get(alto(server) + "/directory").body();
            StringBuilder all = new StringBuilder(directory);
            Pattern.compile("\"uri\":\"([^\"]+)\"").matcher(directory).results().map(each -> each.group(1)).forEach(each -> {
                try {
                    all.append(get(each).body());
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            all.append(http.send(costs(server), HttpResponse.BodyHandlers.ofString()).body());
            assertThat(all.toString()).contains("10.0.2.0/24").doesNotContain("10.8.0.", "10.8-0", "10-8-0", "10.9.");
        }
    }

    @Test
    void whoeverMayNotAskIsRefused() throws Exception {
        try (RunningServer server = start("alto.allow=10.0.0.0/8")) {
            HttpResponse<String> refused = get(alto(server) + "/directory");
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).doesNotContain("10.0.2");
            assertThat(http.send(costs(server), HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(403);
            assertThat(get(alto(server) + "/updates").statusCode()).isEqualTo(403);
        }
    }

    @Test
    void whoHasAViewIsToldNoMore() throws Exception {
        try (RunningServer server = start("alto.metrics=routingcost,hopcount",
                "alto.views=10.0.0.0/8 resource=none,127.0.0.0/8 resource=endpoint-costs resource=tips metric=routingcost")) {
            HttpResponse<String> told = get(alto(server) + "/directory");
            assertThat(told.headers().firstValue("Cache-Control")).contains("private");
            String directory = told.body();
            assertThat(directory).contains("endpoint-costs", "num-routingcost", "/tips").doesNotContain("hopcount", "/net", "/updates");
            for (String each : List.of("/net", "/net-num-routingcost", "/net-costs", "/updates", "/endpoint-properties")) {
                assertThat(get(alto(server) + each).statusCode()).as(each).isEqualTo(404);
            }
            assertThat(overAlto(server)).containsExactly(FIRST, SECOND);
        }
    }

    @Test
    void moreIsToldOnlyIfTheOperatorWantsIt() throws Exception {
        try (RunningServer server = start()) {
            assertThat(get(alto(server) + "/net").body()).doesNotContain("r-10-8-0-1");
            assertThat(get(alto(server) + "/directory").body()).doesNotContain("ane-path", "asn");
        }
        try (RunningServer server = start("alto.tells=routers,paths,as-numbers")) {
            assertThat(get(alto(server) + "/net").body()).contains("r-10-8-0-1");
            assertThat(get(alto(server) + "/directory").body()).contains("ane-path", "asn");
        }
    }

    @Test
    void mapsOfFilesAreToldInsteadOfTheTopology() throws Exception {
        Path file = Files.writeString(folder.resolve("office.json"), "{\"network-map\":{\"A\":{\"ipv4\":[\"10.0.0.0/8\"]},"
                + "\"rest\":{\"ipv4\":[\"0.0.0.0/0\"],\"ipv6\":[\"::0/0\"]}}}");
        try (RunningServer server = start("alto.map-files=" + file)) {
            assertThat(get(alto(server) + "/office").body()).contains("10.0.0.0/8").doesNotContain("10.0.2.0/24");
        }
    }

    @Test
    void anUpdateStreamTooManyGets503() throws Exception {
        try (RunningServer server = start("http.requests-max=1")) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(alto(server) + "/updates"))
                    .header("Content-Type", "application/alto-updatestreamparams+json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"add\":{\"1\":{\"resource-id\":\"" + costMap(server) + "\"}}}"))
                    .build();
            HttpResponse<InputStream> first = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream _ = first.body()) {
                assertThat(first.statusCode()).isEqualTo(200);
                assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(503);
            }
        }
    }

    @Test
    void whoMayAskFollowsAReload() throws Exception {
        String[] sets = {"alto.enabled=true", "alto.listen=127.0.0.1", "alto.http-port=0", "alto.folder=" + folder.resolve("alto"),
            "proximity.files=" + folder.resolve("topology/oracle.conf"), "alto.allow=127.0.0.0/8"};
        Configuration[] next = {RunningServer.configuration(folder, sets)};
        try (Server server = Server.start(next[0], () -> next[0])) {
            String directory = "http://127.0.0.1:" + server.altoAddresses().getFirst().getPort() + "/directory";
            assertThat(get(directory).statusCode()).isEqualTo(200);
            sets[5] = "alto.allow=10.0.0.0/8";
            next[0] = RunningServer.configuration(folder, sets);
            assertThat(server.reload().restart()).isEmpty();
            assertThat(get(directory).statusCode()).isEqualTo(403);
        }
    }

    @Test
    void pidsKeepTheirNamesOverAStart() throws Exception {
        String first;
        try (RunningServer server = start()) {
            first = get(alto(server) + "/net").body();
            assertThat(get("http://127.0.0.1:" + server.server().adminAddress().orElseThrow().getPort() + "/ready").statusCode())
                    .isEqualTo(200);
        }
        try (RunningServer server = start()) {
            assertThat(get(alto(server) + "/net").body()).isEqualTo(first).contains("\"in-");
        }
        try (RunningServer server = start("alto.pid-names=10.8.0.1=berlin", "alto.calendars=routingcost 3600 1 1.5 2")) {
            assertThat(get(alto(server) + "/directory").body())
                    .contains("\"calendar-attributes\"", "\"time-interval-size\":3600", "\"number-of-intervals\":3");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "alto.views=metric=x,has no clients", "alto.views=10.0.0.0/8 colour=red,resource=", "alto.pid-names=berlin,10.1.0.1=berlin",
        "alto.calendars=routingcost 0 1,3600 1 1.5 2", "alto.calendars=hopcount 3600 1,alto.metrics"
    })
    void wrongSettingsOfAltoAreToldAtTheStart(String setting, String told) {
        assertThatThrownBy(() -> start(setting).close()).hasMessageContaining(setting.substring(0, setting.indexOf('=')))
                .hasMessageContaining(told);
    }

    @Test
    void filesAreReadAgainWholeOrNotAtAll() throws Exception {
        Path main = folder.resolve("topology/oracle.conf");
        try (RunningServer server = start()) {
            fill(server);
            String text = Files.readString(main);
            Files.writeString(main, text + "snetwork 10.0.2.0/24 nonsense 1\n");
            ReloadReport refused = server.server().reload();
            assertThat(refused.done()).isFalse();
            assertThat(refused.faults().getFirst()).contains("oracle.conf:");
            assertNearestIs(server, FIRST, SECOND);
            Files.writeString(main, text.replace("10.0.2.0/24", "10.0.77.0/24").replace("10.0.3.0/24", "10.0.2.0/24")
                    .replace("10.0.77.0/24", "10.0.3.0/24"));
            assertThat(server.server().reload().done()).isTrue();
            assertNearestIs(server, SECOND, FIRST);
        }
    }

    @Test
    void aTokenIsAskedForWhereThereIsOne() throws Exception {
        Path token = Files.writeString(folder.resolve("token"), "open sesame\n");
        try (RunningServer server = start("admin.token-file=" + token)) {
            assertThat(console(server, "print stats").statusCode()).isEqualTo(401);
            assertThat(console(server, "print stats", "Authorization", "Bearer open sesam").statusCode()).isEqualTo(401);
            HttpResponse<String> told = console(server, "print stats", "Authorization", "Bearer open sesame");
            assertThat(told.statusCode()).isEqualTo(200);
            assertThat(told.body()).contains("snapshot");
            assertThat(server.page("/metrics")).contains("guidepost_topology_version");
        }
    }

    @Test
    void orderIsOffWhereItIsSwitchedOff() throws Exception {
        try (RunningServer server = start("proximity.order=off")) {
            fill(server);
            assertThat(overGnrs(server)).containsExactly(UNKNOWN, SECOND, FIRST);
        }
    }

    @Test
    void routersThatMayTellAreKnownToTheAdminPort() throws Exception {
        String[] settings = {
            "proximity.bgp-listen=127.0.0.1:0", "proximity.bgp-peers=192.0.2.1 as=64500 router=10.8.0.2"
        };
        try (RunningServer server = start(settings)) {
            assertThat(server.server().bgpAddress()).isPresent();
            assertThat(server.page("/feeds")).contains("192.0.2.1", "10.8.0.2");
            assertThat(server.page("/metrics")).contains("guidepost_feed_up{feed=");
        }
    }

    @Test
    void aDumpStaysInItsFolderAndIsReadAgain() throws Exception {
        try (RunningServer server = start()) {
            assertThat(console(server, "dump ../elsewhere").statusCode()).isEqualTo(422);
            HttpResponse<String> dumped = console(server, "dump today");
            assertThat(dumped.body()).contains("successful");
            assertThat(folder.resolve("dumps/today/oracle.conf")).isRegularFile();
            assertThat(server.page("/oracle?complete=print%20")).contains("path");
            assertThat(server.page("/topology")).contains("\"routers\": 3", "\"links\": 4");
        }
    }
}
