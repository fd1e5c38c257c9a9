package io.guidepost.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.server.http.epoll.ConnectionTransport;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdminPortTest {
    @TempDir
    private Path folder;

    private AdminPort port;

    @BeforeEach
    void open() throws IOException {
        port = AdminPort.bind(
                        ConnectionTransport.EPOLL,
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        new AuditLog(folder),
                        Optional.empty())
                .get("/told", body -> AdminPort.json(200, JsonWriter.object("it", "is")))
                .get("/broken", body -> {
                    throw new IllegalStateException("a fault");
                })
                .post("/do", body -> AdminPort.json(200, JsonWriter.object("did", body)));
        port.start(null);
    }

    @AfterEach
    void close() {
        port.close();
    }

    private HttpResponse<String> send(String method, String path, String... headers)
            throws IOException, InterruptedException {
        return sendBody("this", method, path, headers);
    }

    private HttpResponse<String> sendBody(String body, String method, String path, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port.address().getPort() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void tellsAndDoes() throws Exception {
        HttpResponse<String> told = send("GET", "/told");
        assertThat(told.statusCode()).isEqualTo(200);
        assertThat(told.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(told.body()).isEqualTo("{\n  \"it\": \"is\"\n}\n");
        assertThat(send("POST", "/do", "Guidepost", "yes").body()).isEqualTo("{\n  \"did\": \"this\"\n}\n");
        assertThat(send("GET", "/").body()).contains("GET /told", "POST /do");
    }

    @Test
    void aPortThatOnlyTellsDoesSoAtAnyAddress() throws Exception {
        port.close();
        port = AdminPort.open(
                new InetSocketAddress("0.0.0.0", 0),
                "--metrics",
                Optional.empty(),
                each -> each.get("/told", _ -> AdminPort.json(200, "it")));
        assertThat(send("GET", "/told").body()).isEqualTo("\"it\"\n");
        assertThat(send("POST", "/told", "Guidepost", "yes").statusCode()).isEqualTo(405);
    }

    @Test
    void aPostWithoutTheHeaderThatWebPagesCannotSendIsRefused() throws Exception {
        HttpResponse<String> refused = send("POST", "/do");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("Guidepost: yes");
    }

    @Test
    void wrongPathsAndMethodsAreToldWhatIsThere() throws Exception {
        assertThat(send("GET", "/tolt").statusCode()).isEqualTo(404);
        assertThat(send("GET", "/tolt").body()).contains("/told");
        assertThat(send("GET", "/do").statusCode()).isEqualTo(405);
        assertThat(send("GET", "/do").headers().firstValue("allow")).hasValue("POST");
    }

    @Test
    void aFaultIsToldWithoutAStackTrace() throws Exception {
        HttpResponse<String> fault = send("GET", "/broken");
        assertThat(fault.statusCode()).isEqualTo(500);
        assertThat(fault.body()).contains("a fault").doesNotContain("at io.guidepost");
    }

    @Test
    void headHasTheHeadersOfGetAndNoBody() throws Exception {
        HttpResponse<String> head = send("HEAD", "/told");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValue("x-content-type-options")).hasValue("nosniff");
        assertThat(head.headers().firstValue("cache-control")).hasValue("no-store");
    }

    @Test
    void aBodyLongerThanAnyPathOrSwitchIsRefused() throws Exception {
        String longest = "x".repeat(8192);
        assertThat(sendBody(longest, "POST", "/do", "Guidepost", "yes").body()).contains(longest);
        assertThat(sendBody(longest + "x", "POST", "/do", "Guidepost", "yes").statusCode()).isEqualTo(413);
    }
}
