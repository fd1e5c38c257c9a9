package io.guidepost.server.gnrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.server.RunningServer;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the keys of GNRS, of placement and of the other servers do. */
class GnrsKeysTest {
    private static final Guid NAME = Guid.ofAscii("keys");
    private static final Guid OTHER = Guid.ofAscii("others");

    @TempDir
    private Path folder;

    private static GnrsClient client(RunningServer server) throws IOException {
        return GnrsClient.open(server.address(), new GnrsClientSettings(2000, 3, 64));
    }

    private static List<Binding> places(int number) throws Exception {
        List<Binding> places = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            places.add(Binding.of(Locator.parse("10.0.0." + (i + 1) + ":7000")));
        }
        return places;
    }

    /** A client that misses bindings asks again with padding, so it is the server that tells. */
    private boolean cut(String... sets) throws Exception {
        try (RunningServer server = RunningServer.start(folder.resolve(String.join(",", sets).replace('/', '_')), sets);
                GnrsClient client = client(server)) {
            client.insert(NAME, places(50));
            client.lookup(NAME);
            return server.page("/metrics").lines()
                    .anyMatch(each -> each.matches("guidepost_gnrs_truncated_responses_total.* [1-9][0-9.]*"));
        }
    }

    @Test
    void answersAreNotLongerThanTheOperatorAllows() throws Exception {
        assertThat(cut("gnrs.trusted=10.0.0.0/8", "gnrs.amplification=100")).isFalse();
        assertThat(cut("gnrs.trusted=10.0.0.0/8", "gnrs.amplification=1")).isTrue();
        assertThat(cut("gnrs.trusted=127.0.0.0/8", "gnrs.amplification=1")).as("from a trusted source").isFalse();
        try (RunningServer server = RunningServer.start(folder, "gnrs.answer-bytes-max=200");
                GnrsClient client = client(server)) {
            client.insert(NAME, places(50));
            assertThat(client.lookup(NAME).bindings()).hasSizeBetween(1, 49);
        }
    }

    /** A client that may not write is told so, and told whom to ask. */
    @ParameterizedTest
    @CsvSource({"gnrs.writers=10.0.0.0/8, 127.0.0.0/8", "gnrs.read-only=true, "})
    void writesAreTakenFromWritersAlone(String closed, String opened) throws Exception {
        List<String> sets = new ArrayList<>(List.of(closed));
        try (RunningServer server = RunningServer.start(folder, sets);
                GnrsClient client = client(server)) {
            assertThatThrownBy(() -> client.insert(NAME, places(1))).hasMessageContaining("takes no writes from this address");
            assertThat(client.lookup(NAME).bindings()).isEmpty();
            assertThat(server.sum("guidepost_gnrs_writes_total", "outcome=\"not_permitted\"")).isEqualTo(1);

            sets.set(0, opened == null ? "gnrs.read-only=false" : "gnrs.writers=" + opened);
            assertThat(server.server().reload().faults()).isEmpty();
            client.insert(NAME, places(1));
        }
    }

    /** What a network holds is known after a restart too; a larger quota follows a reload. */
    @ParameterizedTest
    @CsvSource({"gnrs.writer-names-max=1, gnrs.writer-names-max=2", "gnrs.writer-bytes-max=150, gnrs.writer-bytes-max=1000"})
    void aNetworkHoldsNoMoreThanItsQuota(String small, String large) throws Exception {
        try (RunningServer server = RunningServer.start(folder, small);
                GnrsClient client = client(server)) {
            client.insert(NAME, places(1));
            assertThatThrownBy(() -> client.insert(OTHER, places(1))).hasMessageContaining("have reached their quota");
        }
        List<String> sets = new ArrayList<>(List.of(small));
        try (RunningServer server = RunningServer.start(folder, sets);
                GnrsClient client = client(server)) {
            assertThatThrownBy(() -> client.insert(OTHER, places(1))).hasMessageContaining("have reached their quota");
            assertThat(server.sum("guidepost_gnrs_writes_total", "outcome=\"writer_quota\"")).isEqualTo(1);
            client.update(NAME, List.of());
            client.insert(OTHER, places(1));
            sets.set(0, large);
            assertThat(server.server().reload().faults()).isEmpty();
            client.insert(NAME, places(1));
        }
    }

    @Test
    void aServerAmongOthersHoldsNoQuotas() throws Exception {
        assertThatThrownBy(() -> RunningServer.start(folder, tables("gnrs.writer-names-max=1")))
                .hasMessageContaining("gnrs.writer-names-max")
                .hasMessageContaining("a server among others holds no quotas");
    }

    @Test
    void bindingsGetTheDefaultsAndAreNotTooMany() throws Exception {
        try (RunningServer server = RunningServer.start(
                        folder, "gnrs.bindings-max=2", "gnrs.default-ttl-millis=12345", "gnrs.default-expiry-millis=3600000");
                GnrsClient client = client(server)) {
            assertThatThrownBy(() -> client.insert(NAME, places(3))).hasMessageContaining("FAILED");
            client.insert(NAME, places(2));
            Binding kept = client.lookup(NAME).bindings().getFirst();
            assertThat(kept.ttlMillis()).isEqualTo(12_345);
            assertThat(kept.expiryMillis()).isGreaterThan(System.currentTimeMillis());
        }
    }

    private String[] tables(String... more) throws IOException {
        Path prefixes = Files.writeString(folder.resolve("prefixes"), "0.0.0.0/1 1\n128.0.0.0/2 2\n192.0.0.0/2 3\n");
        Path bindings = Files.writeString(folder.resolve("bindings"), "1 127.0.0.1 5001\n2 127.0.0.2 5001\n3 127.0.0.3 5001\n");
        List<String> sets = new ArrayList<>(List.of(
                "placement.prefix-file=" + prefixes,
                "placement.binding-file=" + bindings,
                "gnrs.advertise=127.0.0.1:5001",
                "sites.timeout-millis=20"));
        sets.addAll(List.of(more));
        return sets.toArray(String[]::new);
    }

    private String placed(String... more) throws Exception {
        try (RunningServer server = RunningServer.start(folder, tables(more))) {
            return server.page("/where?guid=" + NAME);
        }
    }

    @Test
    void placementFollowsItsKeys() throws Exception {
        String standard = placed();
        assertThat(placed("placement.hash=sha-1", "placement.mode=dmap")).isEqualTo(standard);
        assertThat(placed("placement.hash=sha-256")).isNotEqualTo(standard);
        assertThat(placed("placement.mode=compatible")).isNotEqualTo(standard);
    }

    /** A name that this server and another one keep. */
    private static Guid shared(RunningServer server) throws IOException {
        for (int i = 0; ; i++) {
            Guid guid = Guid.ofAscii("keys" + i);
            String page = server.page("/where?guid=" + guid);
            if (page.contains("\"here\": true") && page.contains("\"here\": false")) {
                return guid;
            }
        }
    }

    /** Two of three servers are away. */
    @Test
    void aWriteNeedsItsQuorum() throws Exception {
        try (RunningServer server = RunningServer.start(folder, tables("sites.quorum=one"));
                GnrsClient client = client(server)) {
            assertThat(client.insert(shared(server), places(1)).outcome()).isEqualTo(GnrsResponse.Outcome.SUCCESS);
        }
        try (RunningServer server = RunningServer.start(folder, tables("sites.quorum=all"));
                GnrsClient client = client(server)) {
            assertThatThrownBy(() -> client.insert(shared(server), places(1))).hasMessageContaining("FAILED");
        }
    }

    @Test
    void antiEntropyHasItsPort() throws Exception {
        int port;
        try (DatagramSocket free = new DatagramSocket(0, InetAddress.ofLiteral("127.0.0.1"))) {
            port = free.getLocalPort();
        }
        try (RunningServer _ = RunningServer.start(folder, tables("sites.port=" + port))) {
            assertThatThrownBy(() -> new DatagramSocket(port, InetAddress.ofLiteral("127.0.0.1")).close())
                    .isInstanceOf(BindException.class);
        }
    }

    /** What the relays and anti-entropy do with these is shown by their own tests. */
    @Test
    void otherServersAreAskedAsTheKeysSay() throws Exception {
        ReplicationSettings settings = PeerConfiguration.of(RunningServer.configuration(
                folder,
                "sites.choice=random",
                "sites.answers=2",
                "sites.timeout-millis=300",
                "sites.cache-ttl-millis=400",
                "sites.tombstone-millis=5000",
                "sites.compare-millis=700",
                "sites.catch-up-bytes-per-second=1 MiB"));
        assertThat(settings.choice()).isEqualTo(ReplicationSettings.Choice.RANDOM);
        assertThat(settings.answers()).isEqualTo(2);
        assertThat(settings.timeoutMillis()).isEqualTo(300);
        assertThat(settings.pingMillis()).isEqualTo(300);
        assertThat(settings.cacheTtlMillis()).isEqualTo(400);
        assertThat(settings.negativeTtlMillis()).isEqualTo(400);
        assertThat(settings.cacheBytesMax()).isPositive();
        assertThat(settings.tombstoneMillis()).isEqualTo(5000);
        assertThat(settings.compareMillis()).isEqualTo(700);
        assertThat(settings.catchUpBytesPerSecond()).isEqualTo(1 << 20);
        ReplicationSettings uncached = PeerConfiguration.of(RunningServer.configuration(folder, "sites.cache-ttl-millis=0"));
        assertThat(uncached.cacheBytesMax()).isZero();
    }
}
