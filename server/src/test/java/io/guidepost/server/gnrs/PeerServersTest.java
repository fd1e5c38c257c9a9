package io.guidepost.server.gnrs;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.gnrs.client.GnrsException;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.support.AdminOptions;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several whole servers on the loopback addresses, in one process. */
class PeerServersTest {
    private static final int SITES = 3;

    @TempDir
    private Path folder;

    private final List<RunningServer> servers = new ArrayList<>();
    private int port;

    @BeforeEach
    void choosePort() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
    }

    @AfterEach
    void close() {
        servers.forEach(RunningServer::close);
    }

    /** Half of the addresses belong to AS 1; AS 4 has no server here. */
    private List<String> tables(int sites) throws IOException {
        Path prefixes = Files.writeString(
                folder.resolve("prefixes"), "0.0.0.0/1 1\n128.0.0.0/3 2\n160.0.0.0/3 3\n224.0.0.0/4 4\n");
        bind(sites);
        return List.of(
                "placement.prefix-file=" + prefixes,
                "placement.binding-file=" + folder.resolve("bindings"),
                "sites.compare-millis=100");
    }

    private void bind(int sites) throws IOException {
        StringBuilder bindings = new StringBuilder();
        for (int as = 1; as <= SITES; as++) {
            bindings.append(as).append(" 127.0.0.").append((as - 1) % sites + 1).append(' ').append(port).append('\n');
        }
        Files.writeString(folder.resolve("bindings"), bindings);
    }

    private RunningServer start(int site, List<String> settings, String... more) throws Exception {
        List<String> all = new ArrayList<>(settings);
        all.addAll(List.of("gnrs.listen=127.0.0." + site, "gnrs.port=" + port, "workers.count=1"));
        all.addAll(List.of(more));
        RunningServer server = RunningServer.start(folder.resolve("site-" + site), all.toArray(String[]::new));
        servers.add(server);
        return server;
    }

    private GnrsClient client(int site) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0." + site), port);
        return GnrsClient.open(address, new GnrsClientSettings(2000, 3, 64));
    }

    private static List<Binding> place(int number) throws Malformed {
        return List.of(Binding.of(Locator.parse("10.0." + number / 250 + "." + number % 250 + ":7000")));
    }

    private static Guid guid(int number) {
        return Guid.ofAscii("guid-" + number);
    }

    private void insertThrough(int site, int from, int to) throws Exception {
        try (GnrsClient client = client(site)) {
            for (int i = from; i < to; i++) {
                client.insert(guid(i), place(i));
            }
        }
    }

    private void foundThrough(int site, int from, int to) throws Exception {
        try (GnrsClient client = client(site)) {
            for (int i = from; i < to; i++) {
                assertThat(client.lookup(guid(i), true).bindings()).as("%s through %s", guid(i), site).isEqualTo(place(i));
            }
        }
    }

    @Test
    void whatOneTakesIsFoundThroughAll() throws Exception {
        List<String> settings = tables(SITES);
        for (int site = 1; site <= SITES; site++) {
            start(site, settings);
        }
        for (int site = 1; site <= SITES; site++) {
            insertThrough(site, 30 * site, 30 * site + 30);
        }
        for (int site = 1; site <= SITES; site++) {
            foundThrough(site, 30, 30 * SITES + 30);
        }
        try (GnrsClient client = client(2)) {
            client.delete(guid(31));
            // Two replicas acknowledged; a look-up asks one (sites.answers), which may be the third.
            assertThat(RunningServer.eventually(() -> isUnbound(client, guid(31)))).isTrue();
        }
    }

    private static boolean isUnbound(GnrsClient client, Guid guid) {
        try {
            return client.lookup(guid, true).bindings().isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aSecondAddressOfAServerPassesOnToo() throws Exception {
        List<String> settings = tables(SITES);
        start(1, settings, "gnrs.listen=127.0.0.11,127.0.0.1");
        start(2, settings);
        start(3, settings);
        insertThrough(11, 0, 30);
        foundThrough(11, 0, 30);
        foundThrough(2, 0, 30);
    }

    @Test
    void aKeyKeepsOutWhoHasNone() throws Exception {
        Path key = Files.writeString(folder.resolve("key"), "0123456789abcdef0123456789abcdef\n");
        List<String> settings = tables(SITES);
        start(1, settings, "sites.key-file=" + key);
        start(2, settings, "sites.key-file=" + key);
        RunningServer stranger = start(3, settings);
        String dropped = "guidepost_peer_drops_total{worker=\"0\",reason=\"seal\"}";
        assertThat(RunningServer.eventually(() -> metric(stranger, "guidepost_peer_up{peer=\"127.0.0.1:" + port + "\"}") == 0
                        && metric(servers.getFirst(), dropped) > 0))
                .isTrue();
        assertThat(servers.getFirst().page("/health")).contains("\"status\": \"degraded\"", "\"condition\": \"peer-seal\"");
        Path taken = Files.writeString(folder.resolve("site-3").resolve("key"), Files.readString(key).strip());
        servers.removeLast().close();
        start(3, settings, "sites.key-file=" + taken);
        insertThrough(3, 0, 20);
        foundThrough(1, 0, 20);
    }

    @Test
    void otherTablesAndASilentServerAreConditions() throws Exception {
        List<String> settings = tables(SITES);
        RunningServer first = start(1, settings);
        RunningServer second = start(2, settings);
        assertThat(RunningServer.eventually(() -> conditions(first).equals(Set.of("peer-down")))).as("the third is not there").isTrue();
        Map<String, Object> sites = new AdminOptions.Reply(200, first.page("/sites?health=down")).object();
        assertThat(sites.get("silent")).isEqualTo(List.of("127.0.0.3:" + port));
        assertThat(AdminOptions.rows(sites, "servers"))
                .hasSize(1)
                .allMatch(each -> AdminOptions.text(each, "name").equals("127.0.0.3:" + port));
        List<String> other = new ArrayList<>(settings);
        other.add("placement.replicas=2");
        start(3, other);
        assertThat(RunningServer.eventually(() -> conditions(second).contains("peer-tables"))).isTrue();
        assertThat(second.page("/health")).contains("127.0.0.3:" + port + " has other tables");
    }

    /** The conditions that its page tells, but for that it catches up. */
    private static Set<String> conditions(RunningServer server) {
        try {
            Matcher names = Pattern.compile("\"condition\": \"([a-z-]+)\"").matcher(server.page("/health"));
            return names.results().map(each -> each.group(1)).filter(each -> !each.equals("catching-up")).collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aServerThatIsAloneBecomesOneOfSeveralByAReload() throws Exception {
        List<String> settings = new ArrayList<>(tables(1));
        settings.add("placement.replicas=1");
        RunningServer first = start(1, settings);
        insertThrough(1, 0, 50);
        assertThat(first.page("/sites")).doesNotContain("127.0.0.2");
        bind(SITES);
        start(2, settings);
        start(3, settings);
        assertThat(first.server().reload().done()).isTrue();
        assertThat(first.page("/sites")).contains("127.0.0.2", "127.0.0.3");
        insertThrough(1, 50, 100);
        for (int site = 1; site <= SITES; site++) {
            foundThrough(site, 50, 100);
            assertThat(RunningServer.eventually(allAreFoundThrough(site, 0, 50))).as("through %s", site).isTrue();
        }
        // What was handed over is here no more.
        assertThat(RunningServer.eventually(() -> !flag(first, "moving"))).isTrue();
        assertThat(records(first)).isLessThan(100);
    }

    private BooleanSupplier allAreFoundThrough(int site, int from, int to) {
        return () -> {
            try (GnrsClient client = client(site)) {
                for (int i = from; i < to; i++) {
                    if (!client.lookup(guid(i), true).bindings().equals(place(i))) {
                        return false;
                    }
                }
                return true;
            } catch (IOException | Malformed e) {
                return false;
            }
        };
    }

    private static Map<String, Object> sites(RunningServer server) {
        try {
            return new AdminOptions.Reply(200, server.page("/sites")).object();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double metric(RunningServer server, String sample) {
        try {
            return server.metric(sample);
        } catch (IOException e) {
            return Double.NaN;
        }
    }

    private static boolean flag(RunningServer server, String name) {
        return Boolean.TRUE.equals(sites(server).get(name));
    }

    private static long records(RunningServer server) {
        return sites(server).get("records") instanceof Long records ? records : -1;
    }

    @Test
    void aServerThatWasAwayGetsWhatItMissed() throws Exception {
        List<String> settings = tables(SITES);
        start(1, settings);
        start(2, settings);
        start(3, settings).close();
        boolean[] acknowledged = new boolean[60];
        try (GnrsClient client = client(1)) {
            for (int i = 0; i < acknowledged.length; i++) {
                acknowledged[i] = isTaken(client, i);
            }
        }
        RunningServer back = start(3, settings);
        int kept = 0;
        try (GnrsClient client = client(3)) {
            for (int i = 0; i < acknowledged.length; i++) {
                if (!acknowledged[i]) {
                    continue;
                }
                Guid guid = guid(i);
                List<Binding> wanted = place(i);
                boolean here = isKeptAt(client, guid);
                kept += here ? 1 : 0;
                assertThat(!here || RunningServer.eventually(() -> ownCopy(client, guid).equals(wanted)))
                        .as("%s", guid)
                        .isTrue();
            }
        }
        assertThat(kept).isGreaterThan(10);
        assertThat(RunningServer.eventually(() -> !flag(back, "catchingUp"))).isTrue();
    }

    /** Whether a write is acknowledged: it is not where the one that is away is needed for a majority. */
    private static boolean isTaken(GnrsClient client, int number) throws Exception {
        try {
            client.insert(guid(number), place(number));
            return true;
        } catch (GnrsException refused) {
            assertThat(refused.answer().outcome()).isEqualTo(GnrsResponse.Outcome.FAILED);
            return false;
        }
    }

    /** Whether a server answers for a name itself; else it says FAILED to who does not let it ask others. */
    private static boolean isKeptAt(GnrsClient client, Guid guid) throws IOException {
        try {
            client.lookup(guid, false);
            return true;
        } catch (GnrsException elsewhere) {
            assertThat(elsewhere.answer().outcome()).isEqualTo(GnrsResponse.Outcome.FAILED);
            return false;
        }
    }

    private static List<Binding> ownCopy(GnrsClient client, Guid guid) {
        try {
            return client.lookup(guid, false).bindings();
        } catch (IOException e) {
            return List.of();
        }
    }

    @Test
    void aFaultyMembershipFileChangesNothing() throws Exception {
        Path members = Files.writeString(folder.resolve("members"), "paris 127.0.0.1:" + port + "\n");
        List<String> settings = new ArrayList<>(tables(SITES));
        settings.add("sites.file=" + members);
        RunningServer first = start(1, settings);
        assertThat(first.page("/sites")).contains("\"paris\"");
        Files.writeString(members, "paris\nrome 127.0.0.2\n");
        assertThat(first.server().reload().faults())
                .hasSize(2)
                .first()
                .asString()
                .startsWith(members + ":1: no address after the name");
        assertThat(first.page("/sites")).contains("\"paris\"");
        Files.writeString(members, "rome 127.0.0.1:" + port + "\n");
        assertThat(first.server().reload().done()).isTrue();
        assertThat(first.page("/sites")).contains("\"rome\"").doesNotContain("\"paris\"");
    }

    @Test
    void aKeyFileThatIsNoneIsRefusedWithWhatToDo() throws Exception {
        Path key = Files.writeString(folder.resolve("key"), "short\n");
        Configuration configuration = Configuration.load(null, Map.of(), List.of("sites.key-file=" + key));
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> PeerConfiguration.of(configuration)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("sites.key-file: " + key + " has 5 bytes; a key has 16 to 4096: make one with");
    }
}
