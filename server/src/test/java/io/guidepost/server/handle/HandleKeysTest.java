package io.guidepost.server.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.handle.Handle;
import io.guidepost.handle.client.ClientIdentity;
import io.guidepost.handle.client.HandleClient;
import io.guidepost.handle.client.HandleClientSettings;
import io.guidepost.handle.client.HandleEndpoint;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleSettings;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.server.RunningServer;
import io.guidepost.server.service.Endpoint;
import io.guidepost.server.cli.HandleDemo;
import io.guidepost.server.config.Configuration;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the keys of Handle, and of connections, do to a whole server. */
class HandleKeysTest {
    private static final Handle PREFIX = Handle.ofPrefix("1234");

    @TempDir
    private Path folder;

    private static ResponseCode resolve(HandleTestServer server, String handle) throws Exception {
        return HandleMessages.overTcp(server.server().handleTcpAddresses().getFirst(), HandleMessages.resolve(1, handle))
                .responseCode()
                .orElseThrow();
    }

    private static HttpResponse<String> get(HandleTestServer server, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.httpPort() + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static void add(HandleTestServer server, Handle handle, HandleValue value) throws Exception {
        server.server().handleRecords().orElseThrow().change(handle, (current, now) -> {
            List<HandleValue> values = new ArrayList<>(current.map(HandleRecord::values).orElse(List.of()));
            values.add(value);
            return new RecordEdit.Next.Written(new HandleRecord(handle, values), false);
        });
    }

    /** A server of handles opens nothing else. */
    @Test
    void gnrsIsNotAnsweredIfItIsOff() throws Exception {
        try (HandleTestServer handles = HandleTestServer.start(folder, "gnrs.enabled=false")) {
            RunningServer server = handles.running();
            assertThat(server.server().endpoints()).extracting(Endpoint::service).containsOnly("handle", "admin");
            assertThat(server.page("/status")).contains("\"gnrs\": []");
            assertThat(server.page("/metrics")).doesNotContain("guidepost_gnrs_").contains("guidepost_handle_");
            assertThat(server.server().reload().done()).isTrue();
            assertThat(resolve(handles, "1234/library")).isEqualTo(ResponseCode.SUCCESS);
        }
        Path prefixes = Files.writeString(folder.resolve("prefixes"), "0.0.0.0/0 1\n");
        assertThatThrownBy(() -> RunningServer.configuration(
                        folder, "gnrs.enabled=false", "placement.prefix-file=" + prefixes, "placement.binding-file=" + prefixes))
                .hasMessageContaining("needs gnrs.enabled");
    }

    @Test
    void theSiteSaysWhichServerThisIsAndWhere() throws Exception {
        try (HandleTestServer _ = HandleTestServer.start(folder, "handle.advertise=192.0.2.7", "handle.server-id=7")) {
            assertThat(Files.readString(folder.resolve("handle/siteinfo.json")).replace(" ", ""))
                    .contains("\"serverId\":7", "\"address\":\"192.0.2.7\"");
        }
    }

    @ParameterizedTest
    @CsvSource({"true, HANDLE_NOT_FOUND", "false, SUCCESS"})
    void caseCountsOnlyIfItShall(boolean sensitive, ResponseCode code) throws Exception {
        try (HandleTestServer server = HandleTestServer.start(folder, "handle.case-sensitive=" + sensitive)) {
            assertThat(resolve(server, "1234/LIBRARY")).isEqualTo(code);
        }
    }

    @ParameterizedTest
    @CsvSource({"true, READ_ONLY", "false, SUCCESS"})
    void aReadOnlyServerTakesNoChanges(boolean readOnly, ResponseCode code) throws Exception {
        ClientIdentity admin = new ClientIdentity.SecretHolder(HandleDemo.BY_SECRET, HandleDemo.SECRET.getBytes(StandardCharsets.UTF_8));
        try (HandleTestServer server = HandleTestServer.start(folder, "handle.read-only=" + readOnly);
                HandleClient client = HandleClient.at(
                        List.of(HandleEndpoint.of(SiteInterface.Transport.TCP, server.server().handleTcpAddresses().getFirst())),
                        HandleClientSettings.DEFAULT.withIdentity(admin))) {
            List<HandleValue> values = List.of(HandleValue.of(1, "URL", "http://e.x"));
            assertThat(client.create(Handle.of("1234/new"), values, true, false).code()).isEqualTo(code);
        }
    }

    /** What the operations do with these is shown by their own tests. */
    @Test
    void rightsAreAsTheKeysSay() throws Exception {
        KeyPair keys = KeyPairGenerator.getInstance("RSA").generateKeyPair();
        Configuration configuration = RunningServer.configuration(
                folder,
                "handle.status-admins=300:0.NA/1234",
                "handle.permit=recursion,weak-cryptography,udp-changes");
        SiteRecord site = HandleConfiguration.site(
                configuration, new byte[0], InetAddress.ofLiteral("127.0.0.1"), List.of(), List.of(), List.of());
        HandleSettings settings = HandleConfiguration.settings(configuration, site, keys);
        assertThat(settings.administrators().status()).containsExactly(ValueReference.parse("300:0.NA/1234"));
        assertThat(settings.recursion()).isTrue();
        assertThat(settings.weakCryptography()).isTrue();
        assertThat(settings.listing()).isFalse();
        assertThat(settings.prefixAdmins()).isFalse();
        assertThat(settings.serverAdminFullAccess()).isFalse();
        assertThat(HandleConfiguration.door(configuration).administration()).isTrue();
        assertThat(HandleConfiguration.door(RunningServer.configuration(folder)).administration()).isFalse();
    }

    private static String template(String delimiter) {
        return "<namespace><template" + (delimiter.isEmpty() ? "" : " delimiter='" + delimiter + "'")
                + "><foreach><if value='type' expression='URL'><value data='${data}?q=${extension}'/></if></foreach>"
                + "</template></namespace>";
    }

    @Test
    void templatesComeFromAFileWhereThePrefixHasNone() throws Exception {
        Path file = Files.writeString(folder.resolve("namespace.xml"), template("@"));
        try (HandleTestServer server = HandleTestServer.start(folder, "handle.namespace-file=" + file)) {
            assertThat(resolve(server, "1234/library@a")).isEqualTo(ResponseCode.SUCCESS);
        }
        Files.writeString(file, template(""));
        try (HandleTestServer server = HandleTestServer.start(
                folder, "handle.namespace-file=" + file, "handle.template-delimiter=+")) {
            assertThat(resolve(server, "1234/library+a")).isEqualTo(ResponseCode.SUCCESS);
            assertThat(resolve(server, "1234/library@a")).isEqualTo(ResponseCode.HANDLE_NOT_FOUND);
        }
    }

    @ParameterizedTest
    @CsvSource({"true, SUCCESS, HANDLE_NOT_FOUND", "false, HANDLE_NOT_FOUND, SUCCESS"})
    void theFileCountsBeforeThePrefixIfItShall(boolean override, ResponseCode ofFile, ResponseCode ofPrefix) throws Exception {
        Path file = Files.writeString(folder.resolve("namespace.xml"), template("+"));
        try (HandleTestServer server = HandleTestServer.start(
                folder, "handle.namespace-file=" + file, "handle.namespace-override=" + override)) {
            add(server, PREFIX, HandleValue.of(9, "HS_NAMESPACE", template("@")));
            assertThat(resolve(server, "1234/library+a")).isEqualTo(ofFile);
            assertThat(resolve(server, "1234/library@a")).isEqualTo(ofPrefix);
        }
    }

    @Test
    void handlesAreFoundByTheTypesThatShallBeSearched() throws Exception {
        try (HandleTestServer server = HandleTestServer.start(folder, "handle.search-types=EMAIL")) {
            add(server, Handle.of("1234/found"), HandleValue.of(1, "EMAIL", "a@e.x"));
            add(server, Handle.of("1234/found"), HandleValue.of(2, "URL", "http://e.x/"));
            assertThat(get(server, "/api/search?type=EMAIL&value=a@e.x").body()).contains("1234/found");
            assertThat(get(server, "/api/search?type=URL&value=http://e.x/").body()).doesNotContain("1234/found");
        }
    }

    @ParameterizedTest
    @CsvSource({"daily, 2", "never, 1"})
    void theAccessLogOfAnotherDayIsPutAside(String rotation, int files) throws Exception {
        Path logs = Files.createDirectories(folder.resolve("handle/logs"));
        Path log = Files.writeString(logs.resolve("access.log"), "a line\n");
        Files.setLastModifiedTime(log, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
        try (HandleTestServer _ = HandleTestServer.start(
                        folder, "handle.access-log=text", "handle.access-log-rotation=" + rotation);
                Stream<Path> there = Files.list(logs)) {
            assertThat(there).hasSize(files);
        }
    }

    @Test
    void aBrowserIsSentToThePlaceInItsCountry() throws Exception {
        Path countries = Files.writeString(folder.resolve("countries"), "127.0.0.0/8 DE\n");
        String locations = "<locations chooseby='country'><location href='http://fr.x/' country='fr'/>"
                + "<location href='http://de.x/' country='de'/></locations>";
        try (HandleTestServer server = HandleTestServer.start(folder, "handle.countries-file=" + countries)) {
            add(server, Handle.of("1234/where"), HandleValue.of(1, "10320/LOC", locations));
            for (int i = 0; i < 8; i++) {
                assertThat(get(server, "/1234/where").headers().firstValue("Location")).contains("http://de.x/");
            }
        }
    }

    @Test
    void aConnectionTooManyIsClosedAtOnce() throws Exception {
        try (HandleTestServer server = HandleTestServer.start(folder, "http.connections-max=1");
                Socket first = HandleMessages.connect(server.server().handleTcpAddresses().getFirst())) {
            first.getOutputStream().write(HandleMessages.resolve(1, "1234/library", OpFlag.KPAL));
            HandleMessages.next(first.getInputStream());
            // The first is answered, so it has been counted.
            try (Socket second = HandleMessages.connect(server.server().handleTcpAddresses().getFirst())) {
                assertThat(second.getInputStream().read()).isEqualTo(-1);
            }
        }
    }
}
