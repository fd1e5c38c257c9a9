package io.guidepost.naming;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may do what, races, and what is refused. */
final class NamesApiTest {
    private static final String PLACE = "{\"places\":[{\"place\":\"192.0.2.1:80\"}]}";

    private static LocalApi api;

    @TempDir
    private Path folder;

    @BeforeAll
    static void open() throws IOException {
        api = LocalApi.inMemory();
    }

    @AfterAll
    static void close() {
        api.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "PUT    | /v1/names/a | {\"places\":[]}                                            | 400 | at least one place",
        "PUT    | /v1/names/a | {\"places\":[{\"place\":\"192.0.2.1:80\",\"colour\":\"red\"}]} | 400 | no member 'colour'",
        "PUT    | /v1/names/a | {\"places\":[{\"place\":\"192.0.2.1:80\"},{\"place\":\"192.0.2.1:80\"}]} | 400 | twice",
        "PUT    | /v1/names/a | {\"places\":[{\"place\":\"192.0.2.1:80\",\"ttl\":-1}]}     | 400 | places[0].ttl",
        "PUT    | /v1/names/a | {\"places\":[{\"place\":\"192.0.2.1:80\",\"ttl\":1e99}]}   | 400 | places[0].ttl",
        "PUT    | /v1/names/a | {\"places\":[{\"place\":\"192.0.2.1:80\",\"weight\":70000}]} | 400 | 65535",
        "PUT    | /v1/names/a | {\"places\":[{\"place\":\"192.0.2.1:80\",\"expires\":\"soon\"}]} | 400 | is a time such as",
        "PUT    | /v1/names/a | {\"places\":[{\"place\":\"192.0.2.1:80\",\"expires\":\"2001-01-01T00:00:00Z\"}]} | 400 | in the past",
        "PUT    | /v1/names/a | {\"places\":[{\"place\":\"192.0.2.1:80\",\"labels\":{\"\":\"x\"}}]} | 400 | keys of 1 to",
        "PUT    | /v1/names/a | {\"name\":\"b\",\"places\":[{\"place\":\"192.0.2.1:80\"}]} | 400 | another name",
        "PUT    | /v1/names/a | {\"places\":[{\"place\":\"192.0.2.1:80\"}]                 | 400 | this is not JSON",
        "PUT    | /v1/names/a | [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]] | 400 | too deeply",
        "PUT    | /v1/names/a?lease=1d | {\"places\":[{\"place\":\"192.0.2.1:80\"}]}       | 400 | duration such as 30s",
        "PUT    | /v1/names/a?lease=25h | {\"places\":[{\"place\":\"192.0.2.1:80\"}]}      | 400 | 1s to 24h",
        "PUT    | /v1/names/a?leese=30s | {\"places\":[{\"place\":\"192.0.2.1:80\"}]}      | 400 | no parameter 'leese'",
        "PATCH  | /v1/names/a | {\"remove\":[\"nowhere\"]}                                 | 400 | remove[0]",
        "POST   | /v1/names/a | {}                                                         | 405 | takes GET, HEAD, PUT",
        "GET    | /v1/names/%FF | ''                                                       | 400 | not UTF-8",
        "GET    | /v1/names/%ED%A0%80 | ''                                                 | 400 | not UTF-8",
        "GET    | /v1/names/a%0Ab | ''                                                     | 400 | U+000A",
        "GET    | /v1/names/guid:0123 | ''                                                 | 404 | has no places",
        "GET    | /v1/names/  | ''                                                         | 400 | at least one character",
        "GET    | /v1/names/a?nearest=here | ''                                            | 400 | IPv4 or IPv6",
        "GET    | /v1/names?limit=0 | ''                                                   | 400 | 1 to 1000",
        "GET    | /v1/names?watch=1&since=1-2-3 | ''                                       | 400 | not a position",
        "GET    | /v2/names   | ''                                                         | 404 | /v1/openapi.json",
        "POST   | /v1/names:batch | {\"operations\":[{\"op\":\"GET\",\"name\":\"a\"}]}     | 400 | get, put, patch",
        "POST   | /v1/leases/xyz:renew | ''                                                | 404 | has ended"
    })
    void whatIsWrongIsNamed(String method, String target, String body, int status, String detail) throws IOException {
        LocalApi.Answer answer = api.call(method, target, body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers()).containsEntry("Content-Type", "application/problem+json");
        assertThat((String) answer.json().get("detail")).contains(detail);
    }

    @Test
    void bodiesAreJsonAndHaveABound() throws IOException {
        assertThat(api.call("PUT", "/v1/names/a", PLACE, "content-type", "text/plain").status()).isEqualTo(415);
        assertThat(api.call("PUT", "/v1/names/a", PLACE + " ".repeat(1 << 20)).status()).isEqualTo(413);
        assertThat(api.call("PUT", "/v1/names/a", PLACE, "if-match", "7").json().get("detail")).asString().contains("double quotes");
    }

    @Test
    void aTokenWritesTheNamesOfItsPrefix() throws IOException {
        String orders = WriterTokens.create(new SplittableRandom(1));
        String all = WriterTokens.create(new SplittableRandom(2));
        Path file = folder.resolve("tokens");
        Files.writeString(file, "# tokens\n\n" + WriterTokens.line(orders, "orders.") + "\n" + WriterTokens.line(all, "") + "\n");
        WriterTokens tokens = WriterTokens.read(file);
        assertThat(Files.readString(file)).doesNotContain(orders, all);
        try (LocalApi locked = LocalApi.inMemory()) {
            locked.service.follow(LocalApi.settings(tokens, "192.0.2.0/24"));
            assertThat(locked.call("PUT", "/v1/names/orders.a", PLACE).status()).isEqualTo(401);
            assertThat(locked.call("PUT", "/v1/names/orders.a", PLACE, "authorization", "Bearer gp_wrong").status()).isEqualTo(401);
            assertThat(locked.call("PUT", "/v1/names/orders.a", PLACE, "authorization", "Bearer " + orders).status()).isEqualTo(201);
            assertThat(locked.call("PUT", "/v1/names/payments.a", PLACE, "authorization", "Bearer " + orders).status()).isEqualTo(403);
            assertThat(locked.call("PUT", "/v1/names/payments.a", PLACE, "authorization", "bearer " + all).status()).isEqualTo(201);
            // By its GUID a name could be written that the token does not cover.
            String hash = "/v1/names/guid:" + "ab".repeat(20);
            assertThat(locked.call("PUT", hash, PLACE, "authorization", "Bearer " + orders).status()).isEqualTo(403);
            assertThat(locked.call("PUT", hash, PLACE, "authorization", "Bearer " + all).status()).isEqualTo(201);
            assertThat(locked.call("GET", "/v1/names/orders.a", "").status()).isEqualTo(200);
            LocalApi.Answer batch = locked.call(
                    "POST",
                    "/v1/names:batch",
                    "{\"operations\":[{\"op\":\"delete\",\"name\":\"payments.a\"},{\"op\":\"delete\",\"name\":\"orders.a\"}]}",
                    "authorization",
                    "Bearer " + orders);
            assertThat(batch.body()).contains("\"status\":403", "\"status\":204");
            locked.service.follow(LocalApi.settings(WriterTokens.NONE, "192.0.2.0/24"));
            assertThat(locked.call("PUT", "/v1/names/orders.a", PLACE, "authorization", "Bearer " + orders).status()).isEqualTo(401);
            assertThat(locked.service.counts().get(NamingCount.DENIED_FORBIDDEN)).isEqualTo(3);
        }
    }

    @Test
    void aPageNeedsATokenEvenOnThisMachine() throws IOException {
        LocalApi.Answer answer = api.call("PUT", "/v1/names/page", PLACE, "origin", "https://elsewhere.example");
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.headers()).containsEntry("Access-Control-Allow-Origin", "*").containsEntry("WWW-Authenticate", "Bearer");
        LocalApi.Answer preflight = api.call(
                "OPTIONS", "/v1/names/page", "", "origin", "https://elsewhere.example", "access-control-request-method", "PUT");
        assertThat(preflight.headers().get("Access-Control-Allow-Headers")).contains("Authorization");
    }

    @Test
    void aLineOfTheFileThatIsNoneIsNamed() throws IOException {
        Path file = folder.resolve("tokens");
        Files.writeString(file, "# tokens\nsha256:0123 orders.\n");
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> WriterTokens.read(file)).hasMessageContaining("tokens:2:");
    }

    @Test
    void ofWritersThatRaceOneWinsEachVersion() throws Exception {
        String first = api.call("PUT", "/v1/names/race", PLACE).tag();
        AtomicInteger won = new AtomicInteger();
        AtomicInteger lost = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int number = i;
            threads.add(Thread.ofVirtual().start(() -> {
                String tag = first;
                int mine = 0;
                while (mine < 20) {
                    String body = "{\"add\":[{\"place\":\"192.0.2." + number + ":" + (1000 + mine) + "\"}]}";
                    try {
                        LocalApi.Answer answer = api.call("PATCH", "/v1/names/race", body, "if-match", tag);
                        if (answer.status() == 200) {
                            won.incrementAndGet();
                            mine++;
                        } else {
                            assertThat(answer.status()).isEqualTo(412);
                            lost.incrementAndGet();
                        }
                        LocalApi.Answer now = answer.status() == 200 ? answer : api.call("GET", "/v1/names/race", "");
                        tag = now.tag();
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                }
            }));
        }
        for (Thread each : threads) {
            each.join();
        }
        assertThat(won).hasValue(160);
        List<?> places = (List<?>) api.call("GET", "/v1/names/race", "").json().get("places");
        assertThat(places).as("a change that won is not lost").hasSize(161);
    }

    @Test
    void aPlainReadIsAnsweredAtOnce() throws IOException {
        api.call("PUT", "/v1/names/quick", PLACE);
        assertThat(api.api.atOnce(LocalApi.request("GET", "/v1/names/quick", ""))).isNotNull();
        assertThat(api.api.atOnce(LocalApi.request("GET", "/v1/names/not-there", ""))).isNull();
        assertThat(api.api.atOnce(LocalApi.request("GET", "/v1/names/quick?recursive=1", ""))).isNull();
    }

    @Test
    void aTextOfManyBytesIsAName() throws IOException {
        String name = "長い名前".repeat(170);
        String target = "/v1/names/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
        String list = "/v1/names?prefix=" + URLEncoder.encode("長い", StandardCharsets.UTF_8);
        assertThat(api.call("PUT", target, PLACE).status()).isEqualTo(201);
        assertThat(api.call("GET", list, "").body()).contains(name);
        assertThat(api.call("DELETE", target, "").status()).isEqualTo(204);
        assertThat(api.call("GET", list, "").body()).doesNotContain(name);
    }
}
