package io.guidepost.server.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.AddressText;
import io.guidepost.handle.Handle;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.HandleClientSettings;
import io.guidepost.handle.client.HandleEndpoint;
import io.guidepost.handle.key.PrivateKeyFile;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.operation.ResolveRequest;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.server.RunningServer;
import io.guidepost.server.cli.HandleDemo;
import io.guidepost.server.config.ConfigurationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two whole servers: one knows the other, as the keeper of keys or as the source that it mirrors. */
class OtherServersTest {
    private static final Handle LIBRARY = Handle.of("1234/library");

    @TempDir
    private Path folder;

    /** A second server, besides the one of the demonstration in the folder {@code one}. */
    private RunningServer second(String... more) throws ConfigurationException, IOException {
        List<String> sets = new ArrayList<>(List.of(
                "handle.enabled=true",
                "handle.listen=127.0.0.1",
                "handle.udp-port=0",
                "handle.tcp-port=0",
                "handle.http-port=0",
                "handle.folder=" + folder.resolve("two/handle")));
        sets.addAll(List.of(more));
        return RunningServer.start(folder.resolve("two"), sets.toArray(String[]::new));
    }

    private Path first(String file) {
        return folder.resolve("one/handle").resolve(file);
    }

    private ClientIdentity byKey() throws Exception {
        byte[] file = Files.readAllBytes(first("admpriv.bin"));
        return new ClientIdentity.KeyHolder(HandleDemo.BY_KEY, PrivateKeyFile.read(file, null, false).key());
    }

    private static ClientIdentity bySecret() {
        return new ClientIdentity.SecretHolder(HandleDemo.BY_SECRET, HandleDemo.SECRET.getBytes(StandardCharsets.UTF_8));
    }

    private static HandleClient client(RunningServer server, ClientIdentity identity) throws IOException {
        HandleEndpoint tcp = HandleEndpoint.of(
                SiteInterface.Transport.TCP, server.server().handleTcpAddresses().getFirst());
        return HandleClient.at(List.of(tcp), HandleClientSettings.DEFAULT.withIdentity(identity));
    }

    private static List<HandleValue> url(String url) {
        return List.of(HandleValue.of(1, "URL", url));
    }

    private static Optional<HandleRecord> find(RunningServer server, Handle handle) {
        try {
            return server.server().handleRecords().orElseThrow().find(handle);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String map() throws IOException {
        String site = Files.readString(first("siteinfo.json"));
        Path file = folder.resolve("local_info.json");
        Files.writeString(file, "[{\"nas\": [\"0.NA/1234\"], \"site\": " + site + "}]");
        return file.toString();
    }

    private void keysAndRecordsOfTheFirst(RunningServer server) throws Exception {
        for (ClientIdentity identity : List.of(byKey(), bySecret())) {
            try (HandleClient client = client(server, identity)) {
                HandleResult made = client.create(Handle.of("77/x"), url("http://e.x"), true, false);
                assertThat(made.code()).as("%s: %s", identity.who(), made).isEqualTo(ResponseCode.SUCCESS);
                HandleResult found = client.resolve(new ResolveRequest(LIBRARY, List.of(), List.of("URL"), true, false, true, 0));
                assertThat(found.values()).as(found.toString()).hasSize(1);
            }
        }
        ClientIdentity wrong = new ClientIdentity.SecretHolder(HandleDemo.BY_SECRET, new byte[] {1});
        try (HandleClient client = client(server, wrong)) {
            assertThat(client.create(Handle.of("77/y"), url("http://e.x"), true, false).success()).isFalse();
        }
    }

    private static final List<String> ADMINISTERED = List.of(
            "handle.auto-homed=77",
            "handle.server-admins=" + HandleDemo.BY_KEY + "," + HandleDemo.BY_SECRET,
            "handle.permit=prefix-admins,listing,recursion,server-admin-full-access");

    private RunningServer administered(String other) throws ConfigurationException, IOException {
        List<String> sets = new ArrayList<>(ADMINISTERED);
        sets.add(other);
        return second(sets.toArray(String[]::new));
    }

    @Test
    void keysMayBeAtAServerOfTheMap() throws Exception {
        try (HandleTestServer _ = HandleTestServer.start(folder.resolve("one"));
                RunningServer two = administered("handle.other-sites=" + map())) {
            keysAndRecordsOfTheFirst(two);
        }
    }

    @Test
    void prefixesMayBeAskedOfTheRoot() throws Exception {
        try (HandleTestServer one = HandleTestServer.start(folder.resolve("one"))) {
            HandleValue site = HandleValue.of(7, "HS_SITE", Files.readAllBytes(first("siteinfo.bin")));
            one.server().handleRecords().orElseThrow().change(HandleDemo.BY_KEY.handle(), (current, now) -> {
                List<HandleValue> values = new ArrayList<>(current.orElseThrow().values());
                values.add(site);
                return new RecordEdit.Next.Written(new HandleRecord(HandleDemo.BY_KEY.handle(), values), true);
            });
            try (RunningServer two = administered("handle.root-site=" + first("siteinfo.bin"))) {
                keysAndRecordsOfTheFirst(two);
            }
        }
    }

    @Test
    void aFaultyMapIsRefusedByItsField() throws Exception {
        try (HandleTestServer _ = HandleTestServer.start(folder.resolve("one"))) {
            Path file = Path.of(map());
            String right = Files.readString(file);
            Files.writeString(file, right.replace("\"TCP\"", "\"IPX\""));
            assertThatThrownBy(() -> second("handle.other-sites=" + file).close())
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("handle.other-sites")
                    .hasMessageContaining("[0].site.servers[0].interfaces[");
            Files.writeString(file, right.replace("0.NA/1234", "1234/library"));
            assertThatThrownBy(() -> second("handle.other-sites=" + file).close())
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("[0].nas[0] is a prefix");
        }
        assertThatThrownBy(() -> second("handle.root-site=" + folder.resolve("none")).close())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("there is no file");
        assertThatThrownBy(() -> second("handle.mirror-site=" + first("siteinfo.json")).close())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("handle.mirror-identity");
    }

    private RunningServer mirror() throws ConfigurationException, IOException {
        return second(
                "handle.mirror-site=" + first("siteinfo.json"),
                "handle.mirror-identity=" + HandleDemo.BY_KEY,
                "handle.mirror-key=" + first("admpriv.bin"),
                "handle.mirror-seconds=1");
    }

    private static HttpResponse<String> redump(RunningServer server) throws Exception {
        URI uri = URI.create("http://" + AddressText.of(server.server().adminAddress().orElseThrow()) + "/redump");
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(uri)
                            .header("Guidepost", "yes")
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    private static double metric(RunningServer mirror, String name, String source) {
        try {
            return mirror.metric("guidepost_handle_mirror_" + name + "{source=\"" + source + "\"}");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until a dump is over that has brought more than so many records. */
    private static boolean hasDumped(RunningServer mirror, String source, double records) {
        return RunningServer.eventually(() -> metric(mirror, "records_total", source) > records
                && metric(mirror, "dumping", source) == 0
                && metric(mirror, "asked_seconds", source) > 0);
    }

    @Test
    void aMirrorFollowsAndTakesNoChanges() throws Exception {
        try (HandleTestServer one =
                HandleTestServer.start(folder.resolve("one"), "handle.replication-admins=" + HandleDemo.BY_KEY)) {
            String source = AddressText.of(one.server().handleTcpAddresses().getFirst());
            Handle later = Handle.of("1234/later");
            try (RunningServer two = mirror()) {
                assertThat(hasDumped(two, source, 0)).isTrue();
                assertThat(find(two, LIBRARY)).isPresent();
                one.server().handleRecords().orElseThrow().change(
                        later, (_, _) -> new RecordEdit.Next.Written(new HandleRecord(later, url("http://e.x/1")), false));
                assertThat(RunningServer.eventually(() -> find(two, later).isPresent())).isTrue();
                try (HandleClient client = client(two, byKey())) {
                    assertThat(client.create(Handle.of("1234/here"), url("http://e.x"), true, false).code())
                            .isEqualTo(ResponseCode.READ_ONLY);
                    assertThat(client.resolve(later).values()).hasSize(1);
                }
                assertThat(metric(two, "dumps_total", source)).isEqualTo(1);
                double records = metric(two, "records_total", source);
                assertThat(redump(two).statusCode()).isEqualTo(200);
                assertThat(hasDumped(two, source, records)).isTrue();
                assertThat(metric(two, "dumps_total", source)).isEqualTo(2);
            }
            one.server().handleRecords().orElseThrow().change(later, (_, _) -> new RecordEdit.Next.Deleted());
            try (RunningServer two = mirror()) {
                assertThat(RunningServer.eventually(() -> find(two, later).isEmpty())).isTrue();
                assertThat(metric(two, "dumps_total", source)).as("it goes on where it was").isZero();
            }
            assertThat(redump(one.running()).statusCode()).isEqualTo(409);
        }
    }
}
