package io.guidepost.server.handle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.HandleClientSettings;
import io.guidepost.handle.client.HandleEndpoint;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.server.RunningServer;
import io.guidepost.server.SmallDisk;
import io.guidepost.server.cli.HandleDemo;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The disk under handles is full: every way in says so, reading goes on, and with room there it heals. */
class HandleDiskFullTest {
    private static final int DISK_MIB = 48;
    private static final int LEFT_MIB = 2;

    /** Creates until the disk is full: some 60 KB each, so 40 would do. */
    private static final int CREATES_MAX = 400;

    private static final int VALUE_BYTES = 60_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    private final List<Handle> acknowledged = new ArrayList<>();
    private final List<Handle> refused = new ArrayList<>();

    private static HandleClient client(SiteInterface.Transport transport, InetSocketAddress address) throws Exception {
        ClientIdentity who = new ClientIdentity.SecretHolder(HandleDemo.BY_SECRET, HandleDemo.SECRET.getBytes(UTF_8));
        return HandleClient.at(
                List.of(HandleEndpoint.of(transport, address)),
                HandleClientSettings.DEFAULT.withIdentity(who).withSession(true).withFirstWait(PATIENCE));
    }

    private HandleResult create(HandleClient client, String name, int bytes) throws Exception {
        Handle handle = Handle.of("1234/" + name);
        HandleResult outcome =
                client.create(handle, List.of(HandleValue.of(1, "DATA", new byte[bytes])), false, false);
        (outcome.success() ? acknowledged : refused).add(handle);
        return outcome;
    }

    private HttpResponse<String> put(HttpClient client, int port, String name) throws Exception {
        String user = Base64.getEncoder()
                .encodeToString((HandleDemo.BY_SECRET.toString().replace(":", "%3A") + ":" + HandleDemo.SECRET)
                        .getBytes(UTF_8));
        HttpResponse<String> response = client.send(
                HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/api/handles/1234/" + name))
                        .timeout(PATIENCE)
                        .header("Authorization", "Basic " + user)
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString(
                                "[{\"index\":1,\"type\":\"URL\",\"data\":\"https://example.org/\"}]"))
                        .build(),
                BodyHandlers.ofString());
        (response.statusCode() == 201 ? acknowledged : refused).add(Handle.of("1234/" + name));
        return response;
    }

    private static void saysSo(HandleResult outcome) {
        assertThat(outcome.code()).as(outcome.text()).isEqualTo(ResponseCode.READ_ONLY);
        assertThat(outcome.text()).contains("disk takes no changes now", "try again later");
    }

    @Test
    void everyWayInRefusesReadingGoesOnAndRoomHeals() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder, DISK_MIB)) {
            String[] sets = {"handle.permit=listing,udp-changes,server-admin-full-access", "handle.access-log=text"};
            try (HandleTestServer server = HandleTestServer.start(disk.folder(), sets);
                    HandleClient tcp = client(
                            SiteInterface.Transport.TCP,
                            server.server().handleTcpAddresses().getFirst());
                    HandleClient udp = client(
                            SiteInterface.Transport.UDP,
                            server.server().handleUdpAddresses().getFirst());
                    HttpClient rest = HttpClient.newBuilder()
                            .sslContext(PinnedTrust.in(disk.folder().resolve("handle/serverCertificate.pem")))
                            .build()) {
                assertThat(create(tcp, "before-tcp", 10).success()).isTrue();
                assertThat(create(udp, "before-udp", 10).success()).isTrue();
                assertThat(put(rest, server.httpPort(), "before-rest").statusCode()).isEqualTo(201);
                disk.fill(LEFT_MIB);
                for (int i = 0; i < CREATES_MAX && refused.isEmpty(); i++) {
                    create(tcp, "filling-" + i, VALUE_BYTES);
                }
                assertThat(refused).as("the disk became full").isNotEmpty();

                saysSo(create(tcp, "full-tcp", VALUE_BYTES));
                saysSo(create(udp, "full-udp", 10));
                HttpResponse<String> full = put(rest, server.httpPort(), "full-rest");
                assertThat(full.statusCode()).as(full.body()).isEqualTo(503);
                assertThat(full.body()).contains("\"responseCode\":7", "disk takes no changes now");
                saysSo(tcp.home(Handle.of("0.NA/77")));
                Handle deleted = Handle.of("1234/before-tcp");
                assertThat(tcp.delete(deleted).success()).as("what frees room is taken").isTrue();
                acknowledged.remove(deleted);
                refused.add(deleted);

                for (HandleClient each : List.of(tcp, udp)) {
                    assertThat(each.resolve(Handle.of("1234/before-udp")).success()).isTrue();
                }
                assertThat(server.running().metric("guidepost_store_writable")).isZero();
                assertThat(server.running().metric("guidepost_handle_failed_requests_total"))
                        .as("faults of the server's own")
                        .isZero();

                disk.makeRoom();
                assertThat(RunningServer.eventually(() -> server.server().store().status().writable())).isTrue();
                assertThat(create(tcp, "after-tcp", VALUE_BYTES).success()).isTrue();
                assertThat(create(udp, "after-udp", 10).success()).isTrue();
                assertThat(put(rest, server.httpPort(), "after-rest").statusCode()).isEqualTo(201);
                check(tcp);
            }
            try (HandleTestServer server = HandleTestServer.start(disk.folder(), sets);
                    HandleClient tcp = client(
                            SiteInterface.Transport.TCP,
                            server.server().handleTcpAddresses().getFirst())) {
                check(tcp);
            }
        }
    }

    private void check(HandleClient client) throws Exception {
        for (Handle each : acknowledged) {
            assertThat(client.resolve(each).success()).as("acknowledged, so there: " + each).isTrue();
        }
        for (Handle each : refused) {
            assertThat(client.resolve(each).code())
                    .as("refused, so not there: " + each)
                    .isEqualTo(ResponseCode.HANDLE_NOT_FOUND);
        }
    }
}
