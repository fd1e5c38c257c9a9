package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsRequest;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationException;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerTest {
    private static final int OTHERS = 100;

    @TempDir
    private Path folder;

    private static final Guid NAME = Guid.ofAscii("name");

    private static Binding place(int number) throws Exception {
        return Binding.of(Locator.parse("10.0." + (number >> 8) + "." + (number & 255) + ":7000"));
    }

    @Test
    void answersAtEveryAddressOverIpv4AndIpv6() throws Exception {
        Assumptions.assumeTrue(hasIpv6Loopback(), "this machine has no IPv6");
        try (RunningServer server = RunningServer.start(folder, "gnrs.listen=::")) {
            int port = server.address().getPort();
            for (String host : List.of("127.0.0.1", "127.0.0.2", "::1")) {
                try (GnrsClient client = GnrsClient.open(new InetSocketAddress(InetAddress.getByName(host), port))) {
                    client.insert(Guid.ofAscii(host), List.of(place(1)));
                    assertThat(client.lookup(Guid.ofAscii(host)).bindings()).as(host).containsExactly(place(1));
                }
            }
        }
    }

    private static boolean hasIpv6Loopback() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .anyMatch(each -> each instanceof Inet6Address && each.isLoopbackAddress());
    }

    @Test
    void twoWorkersShareAPortAndAStore() throws Exception {
        try (RunningServer server = RunningServer.start(folder, "workers.count=2")) {
            // The kernel spreads senders over the sockets by their ports: sixteen of them meet both.
            for (int i = 0; i < 16; i++) {
                try (GnrsClient client = server.client()) {
                    client.insert(NAME, List.of(place(i)));
                    assertThat(client.lookup(NAME).bindings()).hasSize(i + 1);
                }
            }
            for (String worker : List.of("0", "1")) {
                assertThat(server.metric("guidepost_gnrs_requests_total{worker=\"" + worker + "\",type=\"lookup\"}"))
                        .as("worker " + worker)
                        .isPositive();
            }
        }
    }

    @Test
    void thePortableBackEndAnswersTheSame() throws Exception {
        try (RunningServer server = RunningServer.start(folder, "server.back-end=channel");
                GnrsClient client = server.client()) {
            client.insert(NAME, List.of(place(1)));
            assertThat(client.lookup(NAME).bindings()).containsExactly(place(1));
        }
    }

    @Test
    void theAdminPortIsWhereItShallBeOrNowhere() throws Exception {
        try (RunningServer server = RunningServer.start(folder, "admin.address=127.0.0.2")) {
            assertThat(server.server().adminAddress().orElseThrow().getAddress().getHostAddress()).isEqualTo("127.0.0.2");
        }
        try (RunningServer server = RunningServer.start(folder, "admin.port=-1")) {
            assertThat(server.server().adminAddress()).isEmpty();
        }
    }

    /** Who asks a server that is just starting waits, and is told of the records that the start brings along. */
    @Test
    void initialRecordsAreThereBeforeTheFirstAnswer() throws Exception {
        Configuration configuration = RunningServer.configuration(folder);
        Guid guid = Guid.ofAscii("initial");
        List<Binding> bindings = List.of(Binding.of(Locator.parse("192.0.2.1:1")));
        try (ExecutorService asking = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<GnrsResponse>> asked = new ArrayList<>();
            Server.InitialRecords initial = server -> {
                asked.add(asking.submit(() -> {
                    try (GnrsClient client = GnrsClient.open(server.gnrsAddresses().getFirst())) {
                        return client.lookup(guid);
                    }
                }));
                // A door that answers has time to.
                for (int i = 0; i < OTHERS; i++) {
                    server.store().put(new Record(Name.of(Guid.ofAscii("other-" + i)), Record.ABSENT, bindings, List.of()), Record.ABSENT);
                }
                server.store().put(new Record(Name.of(guid), Record.ABSENT, bindings, List.of()), Record.ABSENT);
            };
            try (Server _ = Server.start(configuration, () -> configuration, initial)) {
                assertThat(asked.getFirst().get().bindings()).isEqualTo(bindings);
            }
        }
    }

    @Test
    void recordsSurviveARestart() throws Exception {
        try (RunningServer server = RunningServer.start(folder);
                GnrsClient client = server.client()) {
            client.insert(NAME, List.of(place(1), place(2)));
        }
        try (RunningServer server = RunningServer.start(folder);
                GnrsClient client = server.client()) {
            assertThat(client.lookup(NAME).bindings()).containsExactly(place(1), place(2));
        }
    }

    @Test
    void writesThatWereTakenAreFinishedBeforeTheEnd() throws Exception {
        List<Guid> acknowledged = new ArrayList<>();
        try (RunningServer server = RunningServer.start(folder);
                GnrsClient client = server.client()) {
            List<GnrsRequest> requests = new ArrayList<>();
            for (int i = 0; i < 2000; i++) {
                requests.add(GnrsRequest.insert(Guid.ofAscii("name" + i), List.of(place(i))));
            }
            client.batch(requests.iterator(), answer -> {
                assertThat(answer.outcome()).isEqualTo(GnrsResponse.Outcome.SUCCESS);
                acknowledged.add(answer.request().guid());
            });
        }
        try (RunningServer server = RunningServer.start(folder);
                GnrsClient client = server.client()) {
            assertThat(acknowledged).hasSize(2000);
            for (Guid each : acknowledged) {
                assertThat(client.lookup(each).bindings()).as(each.toString()).hasSize(1);
            }
        }
    }

    @Test
    void pagesOfTheAdminPortSayWhatIsGoingOn() throws Exception {
        try (RunningServer server = RunningServer.start(folder)) {
            assertThat(server.page("/live")).contains("\"live\": true");
            assertThat(server.page("/ready")).contains("\"ready\": true");
            assertThat(server.page("/health")).contains("\"status\": \"ok\"", "\"writable\": true");
            assertThat(server.page("/status")).contains("\"version\": \"" + BuildInfo.VERSION + "\"", "\"records\": 0");
            assertThat(server.page("/metrics"))
                    .contains("guidepost_store_writable 1\n", "# TYPE guidepost_gnrs_requests counter\n")
                    .endsWith("# EOF\n");
        }
    }

    @Test
    void aFamilyOfMetricsIsToldOnceAndWhole() throws Exception {
        try (RunningServer server = RunningServer.start(folder, "workers.count=2")) {
            List<String> families = new ArrayList<>();
            String family = "";
            for (String line : server.page("/metrics").lines().toList()) {
                if (line.startsWith("# TYPE ")) {
                    family = line.split(" ", -1)[2];
                    families.add(family);
                } else if (!line.startsWith("#")) {
                    assertThat(line).startsWith(family).matches("[a-z_]+(\\{.*})? [-+0-9.Ea-zA-Z]+");
                }
            }
            assertThat(families).doesNotHaveDuplicates().hasSizeGreaterThan(30);
        }
    }

    @Test
    void aBackupIsAServerOfItsOwn() throws Exception {
        Path backup = folder.resolve("backup");
        Path restored = folder.resolve("restored");
        try (RunningServer server = RunningServer.start(folder);
                GnrsClient client = server.client()) {
            client.insert(NAME, List.of(place(1)));
            server.server().store().backup(backup);
            client.delete(NAME);
        }
        io.guidepost.store.embedded.EmbeddedStore.restore(backup, restored);
        try (RunningServer server = RunningServer.start(folder, "store.folder=" + restored);
                GnrsClient client = server.client()) {
            assertThat(client.lookup(NAME).bindings()).containsExactly(place(1));
        }
    }

    @Test
    void whatStandsInTheWayOfAStartIsToldInOneLine() throws Exception {
        try (RunningServer first = RunningServer.start(folder)) {
            int port = first.address().getPort();
            int admin = first.server().adminAddress().orElseThrow().getPort();
            assertThatThrownBy(() -> RunningServer.start(folder.resolve("a"), "gnrs.port=" + port))
                    .isInstanceOf(IOException.class)
                    .message()
                    .contains("127.0.0.1", Integer.toString(port))
                    .doesNotContain("\n");
            assertThatThrownBy(() -> RunningServer.start(folder.resolve("b"), "admin.port=" + admin))
                    .isInstanceOf(IOException.class)
                    .message()
                    .contains("127.0.0.1:" + admin, "admin.port")
                    .doesNotContain("\n");
            assertThatThrownBy(() -> RunningServer.start(folder))
                    .isInstanceOf(IOException.class)
                    .message()
                    .contains(folder.resolve("store").toString())
                    .doesNotContain("\n");
        }
        Path bad = Files.writeString(folder.resolve("prefixes"), "10.0.0.0/8 1\n10.1.0.0/33 2\n");
        assertThatThrownBy(() -> RunningServer.start(folder, "placement.prefix-file=" + bad))
                .isInstanceOf(ConfigurationException.class)
                .message()
                .contains("placement.binding-file");
        Path bindings = Files.writeString(folder.resolve("bindings"), "1 127.0.0.1 5001\n");
        assertThatThrownBy(() -> RunningServer.start(
                        folder, "placement.prefix-file=" + bad, "placement.binding-file=" + bindings))
                .isInstanceOf(ConfigurationException.class)
                .message()
                .contains(bad + ":2: ");
        assertThatThrownBy(() -> RunningServer.start(folder, "gnrs.listen=localhost"))
                .message()
                .contains("gnrs.listen", "localhost");
        assertThatThrownBy(() -> RunningServer.start(folder, "workers.cpus=0,0,0", "workers.count=2"))
                .message()
                .contains("workers.cpus: names 3 processors for 2 workers");
    }

    @Test
    void whatIsPlacedElsewhereIsAnsweredFailed() throws Exception {
        Path prefixes = Files.writeString(folder.resolve("prefixes"), "0.0.0.0/1 1\n128.0.0.0/1 2\n");
        Path bindings = Files.writeString(folder.resolve("bindings"), "1 127.0.0.1 5001\n2 127.0.0.1 5002\n");
        try (RunningServer server = RunningServer.start(
                        folder,
                        "placement.prefix-file=" + prefixes,
                        "placement.binding-file=" + bindings,
                        "placement.replicas=1",
                        "gnrs.advertise=127.0.0.1:5001");
                GnrsClient client = server.client()) {
            List<GnrsRequest> requests = IntStream.range(0, 200)
                    .mapToObj(each -> GnrsRequest.lookup(Guid.ofAscii("name" + each), false))
                    .toList();
            Map<GnrsResponse.Outcome, Integer> outcomes = new EnumMap<>(GnrsResponse.Outcome.class);
            client.batch(requests.iterator(), answer -> outcomes.merge(answer.outcome(), 1, Integer::sum));
            // One hash decides between two halves of the address space: both are met, and nothing is left unanswered.
            assertThat(outcomes).containsOnlyKeys(GnrsResponse.Outcome.SUCCESS, GnrsResponse.Outcome.FAILED);
            assertThat(outcomes.values()).allSatisfy(each -> assertThat(each).isBetween(50, 150));
        }
    }
}
