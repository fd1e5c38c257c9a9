package io.guidepost.alto.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.protocol.Candidate;
import io.guidepost.alto.protocol.CostType;
import io.guidepost.alto.protocol.RankClient;
import io.guidepost.alto.service.AltoDispatcher;
import io.guidepost.alto.service.ResourceCatalog;
import io.guidepost.base.Address;
import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client against a service over a socket. */
class AltoClientTest {
    private static final CostType COST = CostType.numerical("routingcost");

    @TempDir
    @SuppressWarnings("NullAway.Init") // Made by the test engine.
    private Path folder;

    private volatile AltoSnapshot now = AltoSnapshot.EMPTY;
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void read() throws Exception {
        now = AltoSample.information(folder, 1, 20);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    private AltoClient client() throws IOException {
        AltoDispatcher service = new AltoDispatcher(() -> now, ResourceCatalog.of(now, InstantSource.system()), List.of());
        AltoLoopbackServer loopback = new AltoLoopbackServer(0, service);
        opened.add(loopback);
        return client(loopback.uri());
    }

    private AltoClient client(URI directory) {
        AltoClient client = new AltoClient(directory, HttpClient.newHttpClient(), Duration.ofSeconds(20));
        opened.add(client);
        return client;
    }

    private static List<Address> addresses(String... texts) throws Malformed {
        List<Address> addresses = new ArrayList<>();
        for (String each : texts) {
            addresses.add(Address.parse(each));
        }
        return addresses;
    }

    @Test
    void theDirectoryLeadsToAll() throws Exception {
        AltoClient client = client();
        assertThat(client.catalogue().defaultMap()).contains("net");
        assertThat(client.networkMap(Optional.empty()))
                .containsOnlyKeys("home", "near", "far")
                .containsEntry("near", List.of(Prefix.parse("198.51.100.0/24")));
        assertThat(client.costMap(Optional.empty(), COST)).containsEntry("home", Map.of("home", 0.0, "near", 5.0, "far", 20.0));
        assertThat(client.costMap(Optional.of("net"), CostType.numerical("hopcount"))).containsOnlyKeys("home");
        assertThat(client.property("net.pid", addresses("192.0.2.7", "198.51.100.1", "2001:db8:1::9")))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        Address.parse("192.0.2.7"), "home", Address.parse("198.51.100.1"), "near",
                        Address.parse("2001:db8:1::9"), "home"));
        assertThat(client.property("priv:kind", addresses("192.0.2.7", "192.0.2.8")))
                .containsExactly(Map.entry(Address.parse("192.0.2.7"), "cache"));
    }

    @Test
    void whatHasNotChangedIsNotFetchedAgain() throws Exception {
        AltoClient client = client();
        client.costMap(Optional.empty(), COST);
        assertThat(client.notModified()).isZero();
        client.costMap(Optional.empty(), COST);
        assertThat(client.notModified()).isEqualTo(1);
        now = AltoSample.information(folder, 2, 3);
        assertThat(client.costMap(Optional.empty(), COST).get("home")).containsEntry("far", 3.0);
        assertThat(client.notModified()).isEqualTo(1);
    }

    @Test
    void candidatesAreRanked() throws Exception {
        AltoClient client = client();
        List<Candidate> candidates = new ArrayList<>();
        for (String each : List.of("8.8.8.8", "198.51.100.9", "192.0.2.9", "198.51.100.0/28", "8.8.8.8")) {
            candidates.add(Candidate.parse(each));
        }
        RankClient.Ranked ranked = client.rank(candidates, Optional.empty());
        assertThat(ranked.order()).map(Candidate::toString)
                .containsExactly("192.0.2.9", "198.51.100.9", "198.51.100.0/28", "8.8.8.8", "8.8.8.8");
        assertThat(ranked.questions()).isEqualTo(1);
        assertThat(client.rank(candidates, Optional.of(Prefix.parse("198.51.100.0/24"))).order())
                .as("nobody knows what is far from there")
                .map(Candidate::toString)
                .containsExactly("198.51.100.9", "198.51.100.0/28", "192.0.2.9");
        assertThat(client.costs(Optional.empty(), addresses("192.0.2.1", "8.8.8.8"), COST))
                .isEqualTo(Map.of(Address.parse("192.0.2.1"), 0.0, Address.parse("8.8.8.8"), 20.0));
    }

    @Test
    void faultsAreToldInOneLine() throws Exception {
        AltoClient client = client();
        URI here = client.catalogue().resources().values().iterator().next().uri();
        assertThatThrownBy(() -> client(here).catalogue())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/net says 406: E_SYNTAX");
        assertThatThrownBy(() -> client(here.resolve("/nothing")).catalogue()).hasMessageContaining("/nothing says 404");
        assertThatThrownBy(() -> client.property("priv:other", List.of())).hasMessage("the server does not publish property priv:other");
        assertThatThrownBy(() -> client(URI.create("ftp://127.0.0.1/")).catalogue()).hasMessageContaining("not the URI of a server");
        AltoLoopbackServer stranger = new AltoLoopbackServer(
                0, request -> io.guidepost.web.HttpResponse.of(200, "text/html", "<html>"));
        opened.add(stranger);
        assertThatThrownBy(() -> client(stranger.uri()).catalogue()).hasMessageContaining("does not speak ALTO");
        stranger.close();
        assertThatThrownBy(() -> client(stranger.uri()).catalogue()).hasMessageContaining("cannot be reached");
    }
}
