package io.guidepost.server.cli.handle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.fleet.CassandraNode;
import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.gnrs.client.GnrsClientSettings;
import io.guidepost.gnrs.client.GnrsResponse;
import io.guidepost.handle.Handle;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.HandleClientSettings;
import io.guidepost.handle.client.HandleEndpoint;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.names.Binding;
import io.guidepost.names.Guid;
import io.guidepost.names.Locator;
import io.guidepost.server.ProjectSources;
import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.InProcessCommands;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers over one node of Cassandra: what one takes the other answers, and killing one loses nothing acknowledged. */
@Tag("long")
class FleetKilledTest {
    private static final int KILLS = 4;
    private static final int CLIENTS_OF_EACH = 4;
    private static final int ACKNOWLEDGED_BEFORE_A_KILL = 300;

    @TempDir
    private Path folder;

    private final Set<String> handles = ConcurrentHashMap.newKeySet();
    private final Set<String> guids = ConcurrentHashMap.newKeySet();
    private final Semaphore acknowledgements = new Semaphore(0);
    private volatile boolean killed;
    private List<String> shared = List.of();
    private CassandraNode node;

    /** A server of the fleet, with the ports that it was given. */
    private record FrontEnd(HandleServerProcess process, InetSocketAddress gnrs, int admin) implements AutoCloseable {
        @Override
        public void close() {
            process.close();
        }
    }

    @BeforeEach
    void makeCluster() throws Exception {
        node = CassandraNode.start(Files.createDirectory(folder.resolve("node")), ProjectSources.ROOT);
        Path key = Files.writeString(folder.resolve("key"), "0123456789abcdef0123456789abcdef");
        shared = List.of(
                "store.engine=cassandra",
                "sites.key-file=" + key,
                "fleet.front-ends=127.0.0.1:" + freePort() + ",127.0.0.1:" + freePort() + ",127.0.0.1:" + freePort(),
                "fleet.contact-points=127.0.0.1:" + node.address().getPort(),
                "fleet.keyspace=guidepost_test",
                "fleet.consistency=quorum",
                // So that what another server writes is seen because that one tells.
                "fleet.stale-millis=3600000");
        assertThat(run("fleet", "schema")).contains("CREATE KEYSPACE", "guidepost_test", ".records", ".listed");
        run("fleet", "schema", "--create", "--replicas", "1");
        assertThat(run("fleet", "check")).contains("a quorum answers", "warning: 1 replicas");
        assertThat(run("doctor")).contains("a quorum answers", "three survive that");
        Path batch = folder.resolve("first.batch");
        Files.writeString(batch, "HOME 127.0.0.1:2641:TCP\n0.NA/1234\n\nCREATE 0.NA/1234\n301 HS_SECKEY 86400 1100 UTF8 "
                + HandleServerProcess.SECRET + "\n");
        run("import", "handle", batch.toString());
    }

    @AfterEach
    void stopCluster() throws Exception {
        node.close();
    }

    private String run(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        shared.forEach(each -> all.addAll(List.of("--set", each)));
        return InProcessCommands.run(all.toArray(String[]::new));
    }

    private FrontEnd start(String name) throws Exception {
        List<String> settings = new ArrayList<>(shared);
        int gnrs = freePort();
        int admin = freePort();
        settings.addAll(List.of("gnrs.port=" + gnrs, "admin.port=" + admin));
        Path own = Files.createDirectories(folder.resolve(name));
        return new FrontEnd(
                HandleServerProcess.start(own, List.of("-Xmx256m"), settings),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), gnrs),
                admin);
    }

    /** Starts a server that serves: one that could not read the prefixes at once does so a second later, and answers ERROR until then. */
    private FrontEnd started(String name) throws Exception {
        FrontEnd server = start(name);
        try (HandleClient handles = client(server)) {
            assertThat(RunningServer.eventually(() -> code(handles, Handle.of("1234/none")) == ResponseCode.HANDLE_NOT_FOUND)).isTrue();
        } catch (IOException | AssertionError e) {
            server.close();
            throw e;
        }
        return server;
    }

    /** Returns a port that is free over TCP and over UDP. */
    private static int freePort() throws IOException {
        while (true) {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    DatagramSocket other = new DatagramSocket(socket.getLocalPort(), InetAddress.getLoopbackAddress())) {
                return other.getLocalPort();
            } catch (BindException taken) {
                // Over UDP: another one.
            }
        }
    }

    private static HandleClient client(FrontEnd server) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.process.tcp());
        ClientIdentity who = new ClientIdentity.SecretHolder(
                new ValueReference(Handle.ofPrefix("1234"), 301), HandleServerProcess.SECRET.getBytes(UTF_8));
        return HandleClient.at(
                List.of(HandleEndpoint.of(SiteInterface.Transport.TCP, address)),
                HandleClientSettings.DEFAULT.withIdentity(who).withSession(true));
    }

    private static GnrsClient gnrs(FrontEnd server) throws IOException {
        return GnrsClient.open(server.gnrs, new GnrsClientSettings(3000, 3, 64));
    }

    private static Guid guid(String text) {
        return Handle.of(text).guid();
    }

    private static Binding place(int number) {
        try {
            return Binding.of(Locator.parse("192.0.2." + number + ":7000"));
        } catch (io.guidepost.base.Malformed e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void serversShareTheirRecordsAndOneMayDie() throws Exception {
        FrontEnd one = started("one");
        try (FrontEnd other = started("other")) {
            namesOverGnrs(one, other);
            handles(one, other);
            for (int i = 0; i < KILLS; i++) {
                writeUntilKilled(one, i);
                check(other);
                one = started("one");
            }
            check(one);
            System.out.printf("%d kills: %,d handles and %,d names acknowledged, none missing%n", KILLS, handles.size(), guids.size());
            withoutItsCluster(one);
        } finally {
            one.close();
        }
    }

    private static void namesOverGnrs(FrontEnd one, FrontEnd other) throws IOException {
        try (GnrsClient here = gnrs(one); GnrsClient there = gnrs(other)) {
            Guid guid = guid("printer");
            assertThat(there.lookup(guid).bindings()).isEmpty();
            assertThat(here.insert(guid, List.of(place(1))).outcome()).isEqualTo(GnrsResponse.Outcome.SUCCESS);
            assertThat(there.insert(guid, List.of(place(2))).outcome()).isEqualTo(GnrsResponse.Outcome.SUCCESS);
            assertThat(there.lookup(guid).bindings()).extracting(Binding::locator)
                    .containsExactlyInAnyOrder(place(1).locator(), place(2).locator());
            RunningServer.eventually(() -> places(here, guid) == 2);
            assertThat(here.update(guid, List.of(place(3))).outcome()).isEqualTo(GnrsResponse.Outcome.SUCCESS);
            assertThat(here.lookup(guid).bindings()).extracting(Binding::locator).containsExactly(place(3).locator());
            assertThat(here.delete(guid).outcome()).isEqualTo(GnrsResponse.Outcome.SUCCESS);
            RunningServer.eventually(() -> places(there, guid) == 0);
        }
    }

    private static int places(GnrsClient client, Guid guid) {
        try {
            return client.lookup(guid).bindings().size();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void handles(FrontEnd one, FrontEnd other) throws IOException {
        Handle handle = Handle.of("1234/shared");
        try (HandleClient here = client(one); HandleClient there = client(other); GnrsClient names = gnrs(other)) {
            ok(here.create(handle, List.of(HandleValue.of(1, "URL", "https://example.org/1")), false, false));
            assertThat(there.create(handle, List.of(HandleValue.of(1, "URL", "https://example.org/2")), false, false).code())
                    .isEqualTo(ResponseCode.HANDLE_EXISTS);
            assertThat(value(there, handle)).isEqualTo("https://example.org/1");
            assertThat(names.lookup(handle.guid()).bindings()).as("the place that follows from it").hasSize(1);
            ok(there.modify(handle, List.of(HandleValue.of(1, "URL", "https://example.org/3"))));
            assertThat(value(there, handle)).isEqualTo("https://example.org/3");
            RunningServer.eventually(() -> value(here, handle).equals("https://example.org/3"));
            ok(here.add(handle, List.of(HandleValue.of(2, "EMAIL", "a@example.org")), false));
            ok(here.create(Handle.of("1234/another"), List.of(HandleValue.of(1, "URL", "https://example.org/4")), false, false));
            List<String> listed = new ArrayList<>();
            ok(there.list(Handle.of("0.NA/1234"), each -> listed.add(each.toString())));
            assertThat(listed).containsExactly("1234/another", "1234/shared");
            ok(there.delete(handle));
            assertThat(there.resolve(handle).code()).isEqualTo(ResponseCode.HANDLE_NOT_FOUND);
            RunningServer.eventually(() -> code(here, handle) == ResponseCode.HANDLE_NOT_FOUND);
            listed.clear();
            ok(here.list(Handle.of("0.NA/1234"), each -> listed.add(each.toString())));
            assertThat(listed).containsExactly("1234/another");
            assertThat(names.lookup(handle.guid()).bindings()).isEmpty();
        }
    }

    private static void ok(HandleResult result) {
        assertThat(result.success()).as(result.text()).isTrue();
    }

    private static ResponseCode code(HandleClient client, Handle handle) {
        try {
            return client.resolve(handle).code();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String value(HandleClient client, Handle handle) {
        try {
            HandleResult found = client.resolve(handle);
            ok(found);
            return new String(found.values().stream().filter(each -> each.index() == 1).findFirst().orElseThrow().data(), UTF_8);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void writeUntilKilled(FrontEnd server, int round) throws Exception {
        acknowledgements.drainPermits();
        killed = false;
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < CLIENTS_OF_EACH; i++) {
                String name = round + "-" + i + "-";
                all.add(clients.submit(() -> createHandles(server, "1234/" + name)));
                all.add(clients.submit(() -> insertNames(server, name)));
            }
            acknowledgements.acquire(ACKNOWLEDGED_BEFORE_A_KILL);
            killed = true;
            server.process.kill();
            for (Future<?> each : all) {
                each.get();
            }
        }
    }

    private Void createHandles(FrontEnd server, String names) throws IOException {
        try (HandleClient client = client(server)) {
            for (int i = 0; ; i++) {
                ok(client.create(
                        Handle.of(names + i), List.of(HandleValue.of(1, "URL", "https://example.org/" + names + i)), false, false));
                handles.add(names + i);
                acknowledgements.release();
            }
        } catch (IOException e) {
            return afterKill(e);
        }
    }

    private Void insertNames(FrontEnd server, String names) throws IOException {
        try (GnrsClient client = gnrs(server)) {
            for (int i = 0; !killed; i++) {
                GnrsResponse.Outcome outcome = client.insert(guid(names + i), List.of(place(1 + i % 200))).outcome();
                if (outcome == GnrsResponse.Outcome.SUCCESS) {
                    guids.add(names + i);
                    acknowledgements.release();
                } else if (!killed) {
                    acknowledgements.release(1_000_000);
                    throw new AssertionError("an insert was answered " + outcome);
                }
            }
            return null;
        } catch (IOException e) {
            return afterKill(e);
        }
    }

    private Void afterKill(IOException e) throws IOException {
        if (!killed) {
            acknowledgements.release(1_000_000);
            throw e;
        }
        return null;
    }

    private void check(FrontEnd server) throws IOException {
        try (HandleClient client = client(server); GnrsClient names = gnrs(server)) {
            for (String each : handles) {
                assertThat(value(client, Handle.of(each))).as("acknowledged, so there").isEqualTo("https://example.org/" + each);
            }
            for (String each : guids) {
                assertThat(names.lookup(guid(each)).bindings()).as("acknowledged, so there: " + each).hasSize(1);
            }
        }
    }

    /** A node that hangs: all is refused, health tells, and when it goes on so does the server. */
    private void withoutItsCluster(FrontEnd server) throws Exception {
        try (GnrsClient client = gnrs(server); HttpClient http = HttpClient.newHttpClient()) {
            Guid guid = guid("elsewhere");
            node.pause(true);
            failed(() -> client.lookup(guid));
            assertThat(RunningServer.eventually(() -> health(http, server).contains("cluster-away"))).isTrue();
            failed(() -> client.insert(guid, List.of(place(9))));
            failed(() -> client.lookup(guid));
            try (FrontEnd late = start("late"); HandleClient handles = client(late); GnrsClient names = gnrs(late)) {
                assertThat(health(http, late)).contains("cluster-away", "prefixes-unread");
                failed(() -> names.lookup(guid));
                assertThat(handles.resolve(Handle.of("1234/another")).code()).isEqualTo(ResponseCode.ERROR);
                node.pause(false);
                assertThat(RunningServer.eventually(() -> !health(http, late).contains("cluster-away"))).isTrue();
                assertThat(RunningServer.eventually(() -> code(handles, Handle.of("1234/another")) == ResponseCode.SUCCESS)).isTrue();
                assertThat(RunningServer.eventually(() -> !health(http, late).contains("prefixes-unread"))).isTrue();
                assertThat(places(names, guid)).isZero();
            }
            assertThat(RunningServer.eventually(() -> !health(http, server).contains("cluster-away"))).isTrue();
            assertThat(client.insert(guid, List.of(place(9))).outcome()).isEqualTo(GnrsResponse.Outcome.SUCCESS);
            assertThat(places(client, guid)).isEqualTo(1);
        }
    }

    private static void failed(Callable<GnrsResponse> request) {
        assertThatThrownBy(request::call).hasMessageContaining("answered FAILED");
    }

    private static String health(HttpClient http, FrontEnd server) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.admin + "/health")).build();
            return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
