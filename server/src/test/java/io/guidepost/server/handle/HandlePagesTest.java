package io.guidepost.server.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.gnrs.client.GnrsClient;
import io.guidepost.handle.Handle;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.record.HandleRecord;
import io.guidepost.handle.record.HandleRecords;
import io.guidepost.handle.record.RecordEdit;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.names.Binding;
import io.guidepost.server.config.ConfigurationException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole server: what browsers get, templates over every transport, and the places of handles through GNRS. */
class HandlePagesTest {
    private static final Handle LIBRARY = Handle.of("1234/library");

    @TempDir
    private Path folder;

    private static HttpResponse<String> get(HandleTestServer server, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.httpPort() + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static String led(HandleTestServer server, String path) throws Exception {
        HttpResponse<String> answer = get(server, path);
        return answer.statusCode() + answer.headers().firstValue("Location").map(each -> " " + each).orElse("");
    }

    private static ResponseCode overUdp(HandleTestServer server, String handle) throws Exception {
        byte[] request = HandleMessages.resolve(1, handle);
        InetSocketAddress address = server.server().handleUdpAddresses().getFirst();
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(20_000);
            socket.send(new DatagramPacket(request, request.length, address));
            DatagramPacket answer = new DatagramPacket(new byte[512], 512);
            socket.receive(answer);
            byte[] bytes = Arrays.copyOf(answer.getData(), answer.getLength());
            return HandleMessage.read(bytes).responseCode().orElseThrow();
        }
    }

    private static void add(HandleTestServer server, Handle handle, HandleValue value) throws IOException {
        HandleRecords records = server.server().handleRecords().orElseThrow();
        records.change(handle, (current, now) -> {
            List<HandleValue> values = new ArrayList<>(current.map(HandleRecord::values).orElse(List.of()));
            values.add(value);
            return new RecordEdit.Next.Written(new HandleRecord(handle, values), false);
        });
    }

    @Test
    void aBrowserIsSentWhereAHandleLeads() throws Exception {
        try (HandleTestServer server = HandleTestServer.start(folder)) {
            assertThat(led(server, "/1234/library")).isEqualTo("302 https://library.example/catalogue");
            assertThat(get(server, "/1234/library?noredirect").body()).contains("desk@library.example");
            assertThat(get(server, "/").body()).contains("<form");
            assertThat(led(server, "/1234/nosuch")).isEqualTo("404");
        }
    }

    @Test
    void aTemplateAnswersOverEveryTransport() throws Exception {
        try (HandleTestServer server = HandleTestServer.start(folder)) {
            assertThat(overUdp(server, "1234/library@a")).isEqualTo(ResponseCode.HANDLE_NOT_FOUND);
            add(server, Handle.ofPrefix("1234"), HandleValue.of(9, "HS_NAMESPACE", "<namespace><template delimiter='@'>"
                    + "<foreach><if value='type' expression='URL'><value data='${data}?q=${extension}'/></if></foreach>"
                    + "</template></namespace>"));
            assertThat(overUdp(server, "1234/library@a")).isEqualTo(ResponseCode.SUCCESS);
            assertThat(led(server, "/1234/library@a")).isEqualTo("302 https://library.example/catalogue?q=a");
            assertThat(get(server, "/api/handles/1234/library@b").body()).contains("catalogue?q=b");
            assertThat(overUdp(server, "1234/library")).isEqualTo(ResponseCode.SUCCESS);
        }
    }

    @Test
    void thePlacesOfAHandleFollowIt() throws Exception {
        try (HandleTestServer server = HandleTestServer.start(folder);
                GnrsClient client = GnrsClient.open(server.running().address())) {
            assertThat(client.lookup(LIBRARY.guid()).bindings())
                    .extracting(each -> each.locator().toString())
                    .containsExactly("https://library.example/catalogue");
            add(server, LIBRARY, HandleValue.of(7, "INET_HOST", "192.0.2.1:80"));
            assertThat(client.lookup(LIBRARY.guid()).bindings())
                    .extracting(Binding::locator)
                    .hasSize(2);
            server.server().handleRecords().orElseThrow().change(LIBRARY, (current, now) -> new RecordEdit.Next.Deleted());
            assertThat(client.lookup(LIBRARY.guid()).bindings()).isEmpty();
        }
    }

    @Test
    void anOperatorHasOwnPages() throws Exception {
        Path pages = Files.createDirectories(folder.resolve("pages"));
        Files.writeString(pages.resolve("error.html"), "ours: {{handle}}");
        try (HandleTestServer server =
                HandleTestServer.start(folder, "handle.pages=" + pages, "handle.page-headers=X-Robots-Tag: noindex")) {
            HttpResponse<String> answer = get(server, "/1234/nosuch");
            assertThat(answer.body()).isEqualTo("ours: 1234/nosuch");
            assertThat(answer.headers().firstValue("X-Robots-Tag")).contains("noindex");
        }
        assertThatThrownBy(() -> HandleTestServer.start(folder, "handle.page-headers=no header").close())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("handle.page-headers");
    }
}
