package io.guidepost.handle.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.operation.ResolveRequest;
import io.guidepost.handle.value.HandleValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Questions and changes in JSON, beyond what was captured. */
class RestApiTest {
    private static final String VALUE = "{\"index\":1,\"type\":\"URL\",\"data\":\"http://e.x/x\"}";

    private RestStand door;

    @BeforeEach
    void open() throws IOException {
        door = RestStand.inMemory();
        door.administrators();
        door.put("1234/1", HandleValue.of(1, "URL", "http://e.x/1"), HandleValue.of(2, "EMAIL", "a@e.x"));
    }

    @AfterEach
    void close() {
        door.close();
    }

    @Test
    void aReadyAnswerGoesWhenItsRecordChanges() throws IOException {
        String first = door.get("/api/handles/1234/1").answer().text();
        assertThat(door.get("/api/handles/1234/1").answer().text()).isEqualTo(first);
        assertThat(door.api.count(RestCount.REQUESTS_RESOLVE_CACHED)).isOne();
        door.put("1234/1", HandleValue.of(1, "URL", "http://e.x/other"));
        assertThat(door.get("/api/handles/1234/1").answer().text()).contains("http://e.x/other");
        door.homes.unhome(Handle.of("0.NA/1234"));
        assertThat(door.get("/api/handles/1234/1").answer().text()).contains("301");
        door.homes.home(Handle.of("0.NA/1234"));
        assertThat(door.ask("DELETE", "/api/handles/1234/1").byAdmin().answer().status()).isEqualTo(200);
        assertThat(door.get("/api/handles/1234/1").answer().status()).isEqualTo(404);
        assertThat(door.api.count(RestCount.REQUESTS_RESOLVE_CACHED)).isOne();
    }

    @Test
    void whoMayReadMoreIsNotAnsweredWithWhatIsReady() throws IOException {
        String open = door.get("/api/handles/1234/ADMIN").answer().text();
        assertThat(open).doesNotContain("HS_SECKEY");
        assertThat(door.get("/api/handles/1234/ADMIN").byAdmin().answer().text()).contains("HS_SECKEY");
        assertThat(door.get("/api/handles/1234/ADMIN").answer().text()).isEqualTo(open);
        assertThat(door.get("/api/handles/1234/ADMIN?publicOnly").byAdmin().answer().text()).isEqualTo(open);
    }

    @Test
    void privateValuesAreLikeAbsentOnes() throws IOException {
        for (String more : List.of("", "&publicOnly=false", "&publicOnly=true")) {
            RestStand.Answered absent = door.get("/api/handles/1234/ADMIN?index=777" + more).clear().answer();
            RestStand.Answered there = door.get("/api/handles/1234/ADMIN?index=301" + more).clear().answer();
            assertThat(there.response()).as(more).usingRecursiveComparison().isEqualTo(absent.response());
            RestStand.Answered noType = door.get("/api/handles/1234/ADMIN?type=HS_NOSUCH" + more).clear().answer();
            RestStand.Answered type = door.get("/api/handles/1234/ADMIN?type=HS_SECKEY" + more).clear().answer();
            assertThat(type.response()).as(more).usingRecursiveComparison().isEqualTo(noType.response());
        }
        RestStand.Answered absent = door.get("/api/handles/1234/ADMIN?index=777&publicOnly=false").answer();
        RestStand.Answered there = door.get("/api/handles/1234/ADMIN?index=301&publicOnly=false").answer();
        assertThat(absent.status()).isEqualTo(401).isEqualTo(there.status());
        assertThat(there.text()).isEqualTo(absent.text());
    }

    @Test
    void whatHasNotChangedIsNotSentAgain() throws IOException {
        RestStand.Answered first = door.get("/api/handles/1234/1").answer();
        String tag = first.header("ETag");
        for (String held : List.of(tag, "\"x\", " + tag, "*", tag.substring(2))) {
            RestStand.Answered again = door.get("/api/handles/1234/1").with("If-None-Match", held).answer();
            assertThat(again.status()).as(held).isEqualTo(304);
            assertThat(again.text()).isEmpty();
            assertThat(again.header("ETag")).isEqualTo(tag);
        }
        assertThat(door.get("/api/handles/1234/1?type=URL").with("If-None-Match", tag).answer().status())
                .isEqualTo(200);
        door.put("1234/1", HandleValue.of(1, "URL", "http://e.x/other"));
        assertThat(door.get("/api/handles/1234/1").with("If-None-Match", tag).answer().status()).isEqualTo(200);
    }

    @Test
    void whoWantsNoCopyIsGivenNone() throws IOException {
        for (String each : List.of("false", "true", "")) {
            door.ask("GET", "/api/handles/1234/1?auth" + (each.isEmpty() ? "" : "=" + each)).answer();
            assertThat(door.asked).extracting(ResolveRequest::authoritative).as(each).isEqualTo(!each.equals("false"));
        }
        door.asked = null;
        door.ask("GET", "/api/handles/1234/1?auth").answer();
        assertThat(door.asked).as("nothing is ready for it").isNotNull();
    }

    @Test
    void onlyNamesAreCallbacks() throws IOException {
        assertThat(door.get("/api/handles/1234/1?callback=a.b$_1").answer().text()).startsWith("a.b$_1({").endsWith("});");
        for (String each : List.of("alert(1)", "a%20b", "%3Cscript%3E", "1a", "a.", "a".repeat(200), "")) {
            RestStand.Answered answer = door.get("/api/handles/1234/1?callback=" + each).answer();
            assertThat(answer.status()).as(each).isEqualTo(400);
            assertThat(answer.header("Content-Type")).startsWith("application/json");
        }
    }

    @Test
    void handlesArePercentEncodedOrNot() throws IOException, Malformed {
        door.put("1234/ü b?", HandleValue.of(1, "DESC", "x"));
        assertThat(door.get("/api/handles/1234%2F%C3%BC%20b%3F").answer().json().member("handle").text())
                .isEqualTo("1234/ü b?");
        for (String each : List.of("1234/%", "1234/%4", "1234/%zz", "1234/%ff")) {
            assertThat(door.get("/api/handles/" + each).answer().status()).as(each).isEqualTo(400);
        }
        assertThat(door.get("/api/handles/1234/" + "x".repeat(3000)).answer().json().member("responseCode").integer(0, 999))
                .isEqualTo(102);
    }

    @Test
    void parametersComeInEveryWay() throws IOException {
        String body = "{\"index\":[2],\"type\":\"NONE\",\"pretty\":true}";
        assertThat(door.ask("POST", "/api/handles/1234/1?index=1").json(body).answer().text())
                .contains("http://e.x/1", "a@e.x", "\n  ");
        for (String type : List.of("text/plain", "text/plain;charset=UTF-8", "application/octet-stream")) {
            RestStand.Answered plain =
                    door.ask("POST", "/api/handles/1234/1?index=2").body(type, "index=1").answer();
            assertThat(plain.status()).as(type).isEqualTo(200);
            assertThat(plain.text()).as(type).contains("a@e.x").doesNotContain("http://e.x/1");
        }
        assertThat(door.get("/api/handles/1234/1?index=99999999999").answer().status()).isEqualTo(400);
    }

    @Test
    void whatIsWrongIsToldWithoutJavasTexts() throws IOException {
        for (String each : List.of(
                "{bad", "[]", "{}", "[1]", "{\"values\":5}", "[{\"index\":1}]", "[{\"index\":0,\"type\":\"T\",\"data\":\"x\"}]",
                "[{\"index\":1,\"type\":\"HS_ADMIN\",\"data\":{\"format\":\"admin\",\"value\":{}}}]")) {
            RestStand.Answered answer = door.ask("PUT", "/api/handles/1234/x").byAdmin().json(each).answer();
            assertThat(answer.status()).as(each).isEqualTo(400);
            assertThat(answer.text()).as(each).contains("message").doesNotContain("java", "Exception", "jackson");
        }
        assertThat(door.get("/api/handles?prefix=" + "x".repeat(2045)).byAdmin().answer().status()).isEqualTo(400);
        assertThat(door.api.count(RestCount.FAILED_REQUESTS)).isZero();
        assertThat(door.ask("PUT", "/api/handles/1234/x").byAdmin().json("[{\"index\":1,\"type\":\"T\",\"data\":{}}]").answer().text())
                .contains("[0].data.format is missing");
    }

    @Test
    void whoIsUnknownChangesNothing() throws IOException {
        for (RestStand.Asking each : List.of(
                door.ask("PUT", "/api/handles/1234/x").json(VALUE).clear().byAdmin(),
                door.ask("PUT", "/api/handles/1234/x").json(VALUE),
                door.ask("PUT", "/api/handles/1234/x").json(VALUE).by("301%3A1234/ADMIN", "wrong"),
                door.ask("PUT", "/api/handles/1234/x").json(VALUE).by("300%3A1234/ADMIN", RestStand.SECRET),
                door.ask("PUT", "/api/handles/1234/x").json(VALUE).by("nobody", ""),
                door.ask("PUT", "/api/handles/1234/x").json(VALUE).with("Authorization", "Basic !"),
                door.ask("PUT", "/api/handles/1234/x").json(VALUE).with("Authorization", "Bearer x"),
                door.ask("DELETE", "/api/handles/1234/1"),
                door.ask("POST", "/api/prefixes/0.NA/77"),
                door.ask("POST", "/api/bulk"))) {
            assertThat(each.answer().status()).isIn(401, 403);
        }
        assertThat(door.get("/api/handles/1234/x").answer().status()).isEqualTo(404);
        assertThat(door.get("/api/handles/1234/1").answer().status()).isEqualTo(200);
    }

    @Test
    void aListIsPagedAndStreamed() throws IOException, Malformed {
        for (int i = 0; i < 2500; i++) {
            door.put("1234/p%04d".formatted(i), HandleValue.of(1, "URL", "x"));
        }
        RestStand.Answered all = door.get("/api/handles?prefix=1234").byAdmin().answer();
        assertThat(all.json().member("totalCount").text()).isEqualTo("2502");
        assertThat(all.json().member("handles").elements(10_000)).hasSize(2502);
        Set<String> seen = new HashSet<>();
        for (int page = 0; page < 30; page++) {
            door.get("/api/handles?prefix=0.na/1234&pageSize=100&page=" + page)
                    .byAdmin()
                    .answer()
                    .json()
                    .member("handles")
                    .elements(100)
                    .forEach(each -> seen.add(each.json().toString().replaceAll(", at=.*", "")));
        }
        assertThat(seen).hasSize(2502);
        assertThat(door.get("/api/handles?prefix=1234&callback=f").byAdmin().answer().text()).startsWith("f({");
    }

    @Test
    void aPageHasANumberAndASize() throws IOException, Malformed {
        for (String list : List.of("/api/handles?prefix=1234&", "/api/prefixes?")) {
            door.homes.home(Handle.of("0.NA/5678"));
            String entries = list.contains("handles") ? "handles" : "prefixes";
            for (String whole : List.of("", "pageSize=1", "pageSize=0", "page=1", "page=-1", "page=-1&pageSize=1",
                    "page=1&pageSize=-1", "pageSize=-2")) {
                var all = door.get(list + whole).byAdmin().answer().json();
                assertThat(all.member(entries).elements(10)).as(list + whole).hasSize(2);
                assertThat(all.members().keySet()).as(list + whole).doesNotContain("page", "pageSize");
            }
            for (var each : Map.of("page=0&pageSize=1", 1, "page=1&pageSize=1", 1, "page=2&pageSize=1", 0, "page=0&pageSize=5", 2,
                    "page=0&pageSize=0", 0, "page=2147483647&pageSize=2147483647", 0).entrySet()) {
                var page = door.get(list + each.getKey()).byAdmin().answer().json();
                assertThat(page.member(entries).elements(10)).as(list + each).hasSize(each.getValue());
                assertThat(page.member("totalCount").text()).as(list + each).isEqualTo("2");
                assertThat(each.getKey()).isEqualTo("page=" + page.member("page").integer(0, Integer.MAX_VALUE)
                        + "&pageSize=" + page.member("pageSize").integer(0, Integer.MAX_VALUE));
            }
            for (String malformed : List.of("page=x", "pageSize=x", "page=", "page=0&pageSize=99999999999")) {
                assertThat(door.get(list + malformed).byAdmin().answer().status()).as(list + malformed).isEqualTo(400);
            }
        }
    }

    @Test
    void aBodyThatNamesAnotherHandleIsRefused() throws IOException {
        String body = "{\"handle\":\"%s\",\"values\":[" + VALUE + "]}";
        for (String each : List.of("1234/y", "", "1234")) {
            assertThat(door.ask("PUT", "/api/handles/1234/x").byAdmin().json(body.formatted(each)).answer().status())
                    .as(each).isEqualTo(400);
        }
        assertThat(door.ask("PUT", "/api/handles/1234/x").byAdmin().json(body.formatted("1234/X")).answer().status())
                .isEqualTo(201);
    }

    @Test
    void onlyTrueOverwrites() throws IOException {
        for (String each : List.of("overwrite=false", "overwrite", "overwrite=no", "overwrite=1")) {
            assertThat(door.ask("PUT", "/api/handles/1234/1?" + each).byAdmin().json(VALUE).answer().status())
                    .as(each).isEqualTo(409);
        }
        for (String each : List.of("", "overwrite=TRUE")) {
            assertThat(door.ask("PUT", "/api/handles/1234/1?" + each).byAdmin().json(VALUE).answer().status())
                    .as(each).isEqualTo(200);
        }
    }

    @Test
    void aMethodThatAPathLacksIsNotAllowed() throws IOException {
        assertThat(door.ask("PUT", "/api/site").answer().header("Allow")).isEqualTo("GET, HEAD, OPTIONS");
        assertThat(door.get("/api/prefixes/0.NA/1234").answer().header("Allow")).isEqualTo("POST, DELETE, OPTIONS");
        for (RestStand.Asking each : List.of(
                door.ask("PUT", "/api/site"), door.get("/api/prefixes/0.NA/1234"), door.get("/api/sessions"),
                door.get("/api/verifications"))) {
            assertThat(each.answer().status()).isEqualTo(405);
        }
        assertThat(door.get("/api/nosuch").answer().status()).isEqualTo(404);
        assertThat(door.ask("PATCH", "/api/site").answer().status()).isEqualTo(501);
    }

    @Test
    void aPageOfAnotherOriginReadsWhatItNeedsToAuthenticate() throws IOException {
        assertThat(door.get("/api/prefixes").with("Origin", "https://e.x").answer().header("Access-Control-Expose-Headers"))
                .isEqualTo("Content-Length,WWW-Authenticate");
    }

    @Test
    void theDocumentNamesEveryRoute() throws IOException, Malformed {
        Set<String> named = new HashSet<>();
        var paths = door.get("/api/openapi.json").answer().json().member("paths");
        for (String path : paths.members().keySet()) {
            for (String method : paths.member(path).members().keySet()) {
                if (!method.equals("parameters")) {
                    named.add(method.toUpperCase(java.util.Locale.ROOT) + " " + path);
                }
            }
        }
        assertThat(named).containsExactlyInAnyOrderElementsOf(RestApi.routes());
    }

    private List<String> heard() {
        List<String> heard = door.changes.stream()
                .map(each -> each.operation().map(Enum::name).orElse("-") + " " + each.code() + " "
                        + each.who().map(Object::toString).orElse("-") + " " + each.handle())
                .toList();
        door.changes.clear();
        return heard;
    }

    @Test
    void theListenerHearsOfEachChangeOnce() throws IOException {
        String value = "[{\"index\":5,\"type\":\"URL\",\"data\":\"http://e.x/\"}]";
        door.ask("PUT", "/api/handles/1234/heard").byAdmin().json(value).answer();
        door.ask("PUT", "/api/handles/1234/heard?index=5").byAdmin().json(value).answer();
        door.ask("DELETE", "/api/handles/1234/heard?index=5").byAdmin().answer();
        door.ask("PUT", "/api/handles/1234/heard").byAdmin().json("no").answer();
        door.ask("PUT", "/api/handles/1234/heard?callback=1").byAdmin().json(value).answer();
        door.ask("PUT", "/api/handles/1234/heard").json(value).answer();
        door.ask("DELETE", "/api/handles/1234/heard").by("301%3A1234/ADMIN", "wrong").answer();
        door.ask("DELETE", "/api/handles/none").byAdmin().answer();
        door.ask("DELETE", "/api/prefixes/0.NA/77").byAdmin().answer();
        door.get("/api/handles/1234/heard").answer();
        String admin = " 301:1234/ADMIN ";
        assertThat(heard()).containsExactly(
                "CREATE SUCCESS" + admin + "1234/heard",
                "ADD_VALUES SUCCESS" + admin + "1234/heard",
                "REMOVE_VALUES INVALID_VALUE" + admin + "1234/heard",
                "CREATE PROTOCOL_ERROR" + admin + "1234/heard",
                "- PROTOCOL_ERROR - ",
                "CREATE CHALLENGE - 1234/heard",
                "DELETE AUTHENTICATION_FAILED - 1234/heard",
                "DELETE NOT_RESPONSIBLE" + admin + "none",
                "UNHOME_PREFIX NOT_RESPONSIBLE" + admin + "0.NA/77");
        door.ask("POST", "/api/bulk").byAdmin().body("application/x-ndjson", """
                {"op":"add","handle":"1234/heard","values":[{"index":1,"type":"URL","data":"http://e.x/b1"}]}
                {"op":"delete","handle":"1234/heard","index":1}
                {"op":"sing","handle":"1234/heard"}
                not json""").answer();
        assertThat(heard()).containsExactlyInAnyOrder(
                "ADD_VALUES SUCCESS" + admin + "1234/heard",
                "REMOVE_VALUES SUCCESS" + admin + "1234/heard",
                "- PROTOCOL_ERROR" + admin + "1234/heard",
                "- PROTOCOL_ERROR" + admin);
    }

    @Test
    void bulkChangesAreMadeEachForItself() throws IOException {
        String body = """
                {"op":"create","handle":"1234/b1","values":[{"index":1,"type":"URL","data":"http://e.x/b1"}]}
                {"op":"create","handle":"1234/b1","values":[{"index":1,"type":"URL","data":"http://e.x/b2"}]}
                not json

                {"op":"put","handle":"1234/B1","values":[{"index":1,"type":"URL","data":"http://e.x/b3"}]}
                {"op":"add","handle":"1234/b1","values":[{"index":7,"type":"DESC","data":"x"}]}
                {"op":"delete","handle":"1234/b1","index":1}
                {"op":"delete","handle":"1234/1"}
                {"op":"delete","handle":"1234/none"}
                {"op":"sing","handle":"1234/1"}
                {"op":"create","handle":"9999/1","values":[{"index":1,"type":"URL","data":"x"}]}
                {"op":"create","handle":"1234/c","values":[{"index":1,"type":"URL"}]}""";
        RestStand.Answered answer =
                door.ask("POST", "/api/bulk").byAdmin().body("application/x-ndjson", body).answer();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text().lines().map(each -> each.replaceAll(".*?(\"line\":\\d+,\"responseCode\":\\d+).*", "$1")))
                .containsExactly(
                        "\"line\":1,\"responseCode\":1",
                        "\"line\":2,\"responseCode\":101",
                        "\"line\":3,\"responseCode\":4",
                        "\"line\":5,\"responseCode\":1",
                        "\"line\":6,\"responseCode\":1",
                        "\"line\":7,\"responseCode\":1",
                        "\"line\":8,\"responseCode\":1",
                        "\"line\":9,\"responseCode\":100",
                        "\"line\":10,\"responseCode\":4",
                        "\"line\":11,\"responseCode\":301",
                        "\"line\":12,\"responseCode\":4");
        assertThat(answer.text()).contains("values[0].data is missing");
        assertThat(door.get("/api/handles/1234/b1").answer().text()).contains("DESC").doesNotContain("URL");
    }

    @Test
    void manyBulkChangesOfOneHandleAreMadeInOrder() throws IOException {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            body.append("{\"op\":\"put\",\"handle\":\"1234/b%d\",\"values\":[{\"index\":1,\"type\":\"URL\",\"data\":\"%d\"}]}\n"
                    .formatted(i % 7, i));
        }
        RestStand.Answered answer = door.ask("POST", "/api/bulk").byAdmin().body("", body.toString()).answer();
        assertThat(answer.text().lines()).hasSize(3000).allMatch(each -> each.contains("\"responseCode\":1,"));
        assertThat(door.get("/api/handles/1234/b3").answer().text()).contains("\"2999\"".replace("2999", "" + (2999 - (2999 - 3) % 7)));
    }

    @Test
    void aKeyOfAnotherFormIsKept() throws IOException {
        String key = new String(
                io.guidepost.web.JsonWriter.bytes(
                        io.guidepost.handle.json.KeyJson.of(PublicKeyRecord.of(RestStand.RSA.getPublic()))),
                StandardCharsets.UTF_8);
        String value = "{\"index\":300,\"type\":\"HS_PUBKEY\",\"data\":{\"format\":\"key\",\"value\":" + key + "}}";
        assertThat(door.ask("PUT", "/api/handles/1234/k").byAdmin().json(value).answer().status()).isEqualTo(201);
        assertThat(door.get("/api/handles/1234/k").answer().text()).contains(key);
    }
}
