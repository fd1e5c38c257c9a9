package io.guidepost.handle.redirector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.handle.Handle;
import io.guidepost.handle.location.Geolocation;
import io.guidepost.handle.location.LocationSelector;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleResolver;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.handle.value.IdentityList;
import io.guidepost.handle.value.Permissions;
import io.guidepost.handle.value.SiteInterface;
import io.guidepost.handle.value.SiteRecord;
import io.guidepost.handle.value.SiteServer;
import io.guidepost.handle.value.Ttl;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What browsers get; the redirections are those that a running server was seen to give. */
class RedirectorTest {
    private static final String LOCATIONS =
            "<locations chooseby='locatt,country,weighted'><location id='0' href='http://uk.example.com/' country='gb'"
                    + " weight='0'/><location id='1' href='http://www1.example.com/' weight='1'/></locations>";

    private final Map<Handle, List<HandleValue>> records = new HashMap<>();
    private final List<Handle> wantedOfTheCluster = new ArrayList<>();
    private final HandleResolver resolver = (question, caller) -> {
        if (question.authoritative()) {
            wantedOfTheCluster.add(question.handle());
        }
        if (question.handle().prefix().equals("elsewhere")) {
            return HandleResult.of(ResponseCode.NOT_RESPONSIBLE, question.handle(), "");
        }
        if (question.handle().prefix().equals("referred")) {
            List<HandleValue> sites = records.getOrDefault(Handle.of("0.NA/referred"), List.of());
            return new HandleResult(ResponseCode.PREFIX_REFERRAL, question.handle(), sites, "", false);
        }
        if (question.handle().prefix().equals("broken")) {
            throw new IOException("the disk is gone");
        }
        List<HandleValue> values = records.get(question.handle());
        return values == null
                ? HandleResult.of(ResponseCode.HANDLE_NOT_FOUND, question.handle(), "")
                : HandleResult.found(question.handle(), values);
    };
    private final Redirector redirector = redirector(RedirectorSettings.USUAL);

    private Redirector redirector(RedirectorSettings settings) {
        return new Redirector(
                resolver,
                new LocationSelector(Geolocation.NONE, new SplittableRandom(8)),
                settings,
                InstantSource.fixed(Instant.parse("2026-11-20T13:52:53Z")));
    }

    private void put(String handle, HandleValue... values) {
        records.put(Handle.of(handle), List.of(values));
    }

    private static HttpRequest request(String method, String target, String body, Map<String, List<String>> headers) {
        return new HttpRequest(
                method,
                target,
                headers,
                body.getBytes(StandardCharsets.UTF_8),
                new InetSocketAddress("192.0.2.1", 5),
                false,
                Optional.empty());
    }

    private HttpResponse get(String target) {
        return redirector.answer(request("GET", target, "", Map.of()));
    }

    private static Optional<String> header(HttpResponse response, String name) {
        return response.headers().stream()
                .filter(each -> each.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static String body(HttpResponse response) {
        return switch (response.body()) {
            case HttpResponse.Bytes bytes -> new String(bytes.bytes(), StandardCharsets.UTF_8);
            case HttpResponse.Stream _, HttpResponse.Unchunked _ -> throw new AssertionError("pages are made whole");
        };
    }

    /** Status and Location. */
    private String led(String target) {
        HttpResponse response = get(target);
        return response.status() + header(response, "Location").map(each -> " " + each).orElse("");
    }

    @Test
    void aBrowserIsSentToTheUrl() {
        put("1234/1", HandleValue.of(1, "URL", "http://www.example.org/landing/page/1"), HandleValue.of(2, "EMAIL", "a@b"));
        HttpResponse response = get("/1234/1");
        assertThat(response.status()).isEqualTo(302);
        assertThat(header(response, "Location")).contains("http://www.example.org/landing/page/1");
        assertThat(header(response, "Expires")).contains("Sat, 21 Nov 2026 13:52:53 GMT");
        assertThat(header(response, "Content-Type")).contains("text/html; charset=UTF-8");
        assertThat(body(response)).contains("<a href=\"http://www.example.org/landing/page/1\">");
        assertThat(led("/1234%2F1")).isEqualTo("302 http://www.example.org/landing/page/1");
        assertThat(led("/1234/1?urlappend=%2Ffoo")).isEqualTo("302 http://www.example.org/landing/page/1/foo");
        assertThat(led("http://h.example/1234/1")).isEqualTo("302 http://www.example.org/landing/page/1");
        assertThat(led("/hdl:1234/1")).isEqualTo("302 http://www.example.org/landing/page/1");
        assertThat(redirector.count(RedirectorCount.RESPONSES_LOCATION)).isEqualTo(5);
    }

    @Test
    void aFormLeadsThereToo() {
        put("1234/1", HandleValue.of(1, "URL", "http://e.x/"));
        HttpResponse response = redirector.answer(request("POST", "/", "hdl=+1234%2F1+&auth=true", Map.of()));
        assertThat(header(response, "Location")).contains("http://e.x/");
        assertThat(wantedOfTheCluster).as("asked past all copies").containsExactly(Handle.of("1234/1"));
        response = redirector.answer(request("POST", "/", "hdl=1234%2F1&noredirect=true", Map.of()));
        assertThat(wantedOfTheCluster).hasSize(1);
        assertThat(response.status()).isEqualTo(200);
        assertThat(body(get("/"))).contains("<form method=\"post\"", "name=\"hdl\"", "prefers-color-scheme:dark");
        assertThat(redirector.answer(request("POST", "/", "x=" + "a".repeat(40_000), Map.of())).status())
                .isEqualTo(400);
        assertThat(redirector.answer(request("PUT", "/1234/1", "", Map.of())).status()).isEqualTo(405);
    }

    @Test
    void locationsComeBeforeUrls() {
        put("1234/LOC", HandleValue.of(1, "URL", "http://url.example/"), HandleValue.of(9, "10320/loc", LOCATIONS));
        assertThat(led("/1234/LOC")).isEqualTo("302 http://www1.example.com/");
        assertThat(led("/1234/LOC?locatt=id:0")).isEqualTo("302 http://uk.example.com/");
        assertThat(led("/1234/LOC?locatt=country%3Agb")).isEqualTo("302 http://uk.example.com/");
        assertThat(led("/1234/LOC?type=URL")).isEqualTo("302 http://url.example/");
        assertThat(led("/1234/LOC?index=9")).isEqualTo("302 http://www1.example.com/");
        assertThat(header(get("/1234/LOC"), "Cache-Control")).contains("private");
        assertThat(body(get("/1234/LOC?action=showlocs")))
                .contains("http://uk.example.com/", "country gb", "locatt, country, weighted");
        assertThat(body(get("/1234/LOC?action=showvalues"))).contains("10320/loc", "&lt;locations");
        assertThat(body(get("/1234/LOC?action=showurls")))
                .contains("<location id=\"1\" weight=\"1\" href=\"http://www1.example.com/\"/>")
                .contains("<location mode=\"legacy\" weight=\"0.0\" href=\"http://url.example/\"/>");
        assertThat(led("/1234/LOC?locatt=mode:legacy")).isEqualTo("302 http://url.example/");
        put("1234/BAD", HandleValue.of(1, "URL", "http://url.example/"), HandleValue.of(2, "10320/loc", "<loc"));
        assertThat(led("/1234/BAD")).isEqualTo("302 http://url.example/");
        assertThat(redirector.count(RedirectorCount.MALFORMED_LOCATIONS)).isEqualTo(1);
        put("1234/303", HandleValue.of(1, "10320/loc", "<locations><location href='http://a/' http_sc='303'/></locations>"));
        assertThat(led("/1234/303")).isEqualTo("303 http://a/");
    }

    @Test
    void aPrefixMayHaveLocationsForAll() {
        put("0.NA/1234", HandleValue.of(3, "HS_NAMESPACE", "<namespace><locations>"
                + "<location href_template='https://all.example/?id={hdl}'/></locations></namespace>"));
        put("1234/a b", HandleValue.of(1, "EMAIL", "a@b"));
        assertThat(led("/1234/a%20b")).isEqualTo("302 https://all.example/?id=1234%2Fa%20b");
        assertThat(led("/1234/a%20b?type=EMAIL")).isEqualTo("200");
        put("1234/u", HandleValue.of(1, "URL", "http://e.x/"));
        assertThat(led("/1234/u")).isEqualTo("302 http://e.x/");
    }

    @Test
    void anAliasIsFollowedByTheBrowser() {
        put("1234/ALIAS", HandleValue.of(1, "HS_ALIAS", "1234/1"), HandleValue.of(2, "URL", "http://e.x/"));
        HttpResponse response = get("/1234/ALIAS?locatt=a:b");
        assertThat(response.status()).isEqualTo(301);
        assertThat(header(response, "Location")).contains("/1234/1?locatt=a:b");
        assertThat(header(response, "Expires")).contains("Sat, 21 Nov 2026 13:52:53 GMT");
        put("1234/1", HandleValue.of(1, "URL", "http://one.example/"));
        assertThat(body(get("/1234/ALIAS?noredirect"))).contains("http://one.example/").doesNotContain("HS_ALIAS");
        assertThat(body(get("/1234/ALIAS?noredirect&ignore_aliases"))).contains("HS_ALIAS");
        assertThat(led("/1234/ALIAS?type=URL")).isEqualTo("302 http://e.x/");
        assertThat(led("/1234/ALIAS?type=EMAIL")).isEqualTo("200");
        assertThat(led("/1234/ALIAS?ignore_aliases")).isEqualTo("302 http://e.x/");
        put("1234/self", HandleValue.of(1, "HS_ALIAS", "1234/SELF"));
        assertThat(led("/1234/self")).isEqualTo("200");
        put("1234/x", HandleValue.of(1, "HS_ALIAS", "/evil.example/ü?"));
        assertThat(led("/1234/x")).isEqualTo("301 /%2Fevil.example/%C3%BC%3F");
    }

    @Test
    void valuesAreShownAsTheyAre() {
        ValueReference who = new ValueReference(Handle.of("1234/ADMIN"), 300);
        put(
                "1234/v",
                HandleValue.of(1, "URL", "http://e.x/?a=1&b=2"),
                HandleValue.of(2, "EMAIL", "me@example.org"),
                HandleValue.of(3, "DESC", "<script>alert('x')</script>"),
                HandleValue.of(4, "BIN", new byte[] {0, -1, 16}),
                HandleValue.of(5, "0.TYPE/T\"", "x"),
                HandleValue.of(6, "HS_VLIST", new IdentityList(List.of(who)).write()),
                HandleValue.of(7, "HS_SITE", "no site"),
                HandleValue.of(8, "URL", "javascript:alert(1)"),
                HandleValue.of(9, "EMAIL", "x\" onclick=@evil"),
                new HandleValue(
                        100, "HS_ADMIN", new AdminRecord(3, who).write(), Permissions.USUAL, new Ttl.Until(0), 1, List.of(who)));
        HttpResponse response = get("/1234/v?noredirect");
        assertThat(response.status()).isEqualTo(200);
        assertThat(header(response, "Content-Security-Policy").orElseThrow()).startsWith("default-src 'none'; style-src 'sha256-");
        assertThat(body(response))
                .contains("<a href=\"http://e.x/?a=1&amp;b=2\">", "<a href=\"mailto:me@example.org\">")
                .contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;", "<code>00ff10</code>")
                .contains("/0.TYPE/T%22?noredirect", "300:<a href=\"/1234/ADMIN?noredirect\">")
                .contains("create handle, delete handle", "1970-01-01T00:00:01Z", "until <time>", "1 d", "no site")
                .contains("javascript:alert(1)", "see 300:")
                .doesNotContain("<script", "href=\"javascript", "mailto:x");
        assertThat(body(get("/1234/v?type=bin"))).contains("00ff10").doesNotContain("me@example.org");
        assertThat(led("/1234/v?index=77")).isEqualTo("200");
        assertThat(body(get("/1234/v?index=77"))).contains("no such values");
    }

    @Test
    void nobodyIsSentWhereCodeRuns() {
        String[] unsafe = {"javascript:alert(1)", "JAVASCRIPT:x", "data:text/html,x", "//e.x/", "e.x", "", " ", ":", "\njavascript:x"};
        for (String each : unsafe) {
            put("1234/u", HandleValue.of(1, "URL", each));
            assertThat(led("/1234/u")).as(each).isEqualTo("200");
        }
        assertThat(redirector.count(RedirectorCount.UNSAFE_URLS)).isEqualTo(unsafe.length);
        put("1234/u", HandleValue.of(1, "URL", " HTTP://e.x/\r\nSet-Cookie: a=b\u0000\"<>ü "));
        assertThat(led("/1234/u")).isEqualTo("302 HTTP://e.x/%0D%0ASet-Cookie:%20a=b%00%22%3C%3E%C3%BC");
        assertThat(body(get("/1234/u"))).doesNotContain("\r", "\"<");
    }

    @Test
    void nothingAppendedLeadsToAnotherHost() {
        put("1234/u", HandleValue.of(1, "URL", "http://good.example"));
        for (String each : List.of(".evil.example/", "@evil.example/", ":80@evil.example", "%5C@evil", "%0D%0A")) {
            assertThat(led("/1234/u?urlappend=" + each)).as(each).isEqualTo("302 http://good.example");
        }
        assertThat(led("/1234/u?urlappend=%3Fa=%0D%0Ab%20c")).isEqualTo("302 http://good.example?a=%0D%0Ab%20c");
        put("1234/m", HandleValue.of(1, "URL", "mailto:a@b"));
        assertThat(led("/1234/m?urlappend=%3Fsubject=x")).isEqualTo("302 mailto:a@b?subject=x");
    }

    @Test
    void whatIsNotThereIsSaid() {
        assertThat(get("/1234/%3Cb%3E").status()).isEqualTo(404);
        assertThat(body(get("/1234/%3Cb%3E"))).contains("1234/&lt;b&gt;", "There is no such handle.");
        assertThat(body(get("/elsewhere/1"))).contains("not responsible");
        assertThat(get("/broken/1").status()).isEqualTo(500);
        assertThat(body(get("/broken/1"))).doesNotContain("disk is gone");
        assertThat(get("/1234/%zz").status()).isEqualTo(400);
        assertThat(get("/1234/%ff").status()).isEqualTo(400);
        assertThat(get("/1234/x?" + "a&".repeat(300)).status()).isEqualTo(400);
        assertThat(get("/" + "x".repeat(3000)).status()).isEqualTo(400);
        assertThat(redirector.count(RedirectorCount.RESPONSES_MALFORMED)).isEqualTo(4);
    }

    @Test
    void aLoopOfAliasesIsNamedAsSuch() {
        put("1234/a", HandleValue.of(1, "HS_ALIAS", "1234/b"));
        put("1234/b", HandleValue.of(1, "HS_ALIAS", "1234/C"));
        put("1234/C", HandleValue.of(1, "HS_ALIAS", "1234/B"));
        records.put(Handle.of("1234/B"), records.get(Handle.of("1234/b")));
        for (String target : List.of("/1234/a", "/1234/a?noredirect", "/1234/C")) {
            assertThat(get(target).status()).isEqualTo(404);
            assertThat(body(get(target)))
                    .contains("A loop of aliases")
                    .containsPattern("1234/b</a> → .*1234/C</a> → .*1234/B</a>|1234/C</a> →");
        }
        for (int i = 0; i < 20; i++) {
            put("1234/long" + i, HandleValue.of(1, "HS_ALIAS", "1234/long" + (i + 1)));
        }
        assertThat(led("/1234/long0")).isEqualTo("301 /1234/long1");
        assertThat(body(get("/1234/long0?noredirect"))).contains("More than 10 aliases").doesNotContain("loop");
        put("1234/away", HandleValue.of(1, "HS_ALIAS", "elsewhere/1"));
        assertThat(led("/1234/away")).isEqualTo("301 /elsewhere/1");
    }

    @Test
    void anErrorLeadsToTheResponsibleServiceAndToWhoRunsThisOne(@TempDir Path folder) throws IOException {
        assertThat(body(get("/elsewhere/%3C1"))).contains("href=\"https://hdl.handle.net/elsewhere/%3C1\"").doesNotContain("<footer>");
        SiteServer server = new SiteServer(
                1,
                SiteServer.address(InetAddress.ofLiteral("192.0.2.7")),
                new byte[0],
                List.of(
                        new SiteInterface(true, true, SiteInterface.Transport.UDP, 2641),
                        new SiteInterface(false, true, SiteInterface.Transport.HTTP, 8000)));
        SiteRecord site =
                new SiteRecord(2, 11, 1, true, false, SiteRecord.Hash.HANDLE, new byte[0], List.of(), List.of(server));
        put("0.NA/referred", HandleValue.of(1, "HS_SITE", site.write()));
        assertThat(body(get("/referred/1"))).contains("<a href=\"http://192.0.2.7:8000/referred/1\">192.0.2.7:8000</a>");
        Files.writeString(folder.resolve("contact.txt"), "the <library>, desk@library.example or https://library.example/help.\n");
        Redirector known = redirector(RedirectorSettings.of(Optional.of(folder), Map.of()));
        assertThat(body(known.answer(request("GET", "/1234/none", "", Map.of()))))
                .contains("<footer>This server is run by the &lt;library&gt;, <a href=\"mailto:desk@library.example\">")
                .contains("<a href=\"https://library.example/help\">https://library.example/help</a>.");
        assertThat(body(known.answer(request("GET", "/", "", Map.of())))).doesNotContain("<footer>");
    }

    @Test
    void aSiteHasItsOwnPagesAndHeaders(@TempDir Path folder) throws IOException {
        Path error = Files.writeString(folder.resolve("error.html"), "<p>{{message}} {{ handle }} {{other}} {{title}} {{");
        Path values = Files.writeString(folder.resolve("values.html"), "own {{content}}");
        RedirectorPages own = RedirectorPages.ofFiles(Optional.empty(), Optional.of(values), Optional.of(error), Optional.empty());
        Path host1 = Files.createDirectories(folder.resolve("all/hosts/one.example"));
        Files.copy(error, host1.resolve("error.html"));
        Files.writeString(folder.resolve("all/robots.txt"), "none");
        RedirectorSettings all = RedirectorSettings.of(Optional.of(folder.resolve("all")), Map.of());
        assertThat(all.pages(Optional.of("one.example:80")).error()).isPresent();
        assertThat(all.pages(Optional.of("two.example")).error()).isEmpty();
        assertThat(all.robots()).isEqualTo("none");
        assertThat(RedirectorSettings.of(Optional.of(folder.resolve("nosuch")), Map.of())).isEqualTo(RedirectorSettings.USUAL);
        assertThat(RedirectorSettings.of(Optional.empty(), Map.of())).isEqualTo(RedirectorSettings.USUAL);
        RedirectorSettings settings = new RedirectorSettings(
                RedirectorPages.OF_THE_HOUSE,
                Map.of("Own.example", own),
                Map.of("Strict-Transport-Security", "max-age=1"),
                "User-agent: *\nDisallow: /\n",
                Optional.of(new byte[] {1, 2}));
        Redirector redirector = redirector(settings);
        Map<String, List<String>> host = Map.of("host", List.of("OWN.example:8000"));
        HttpResponse response = redirector.answer(request("GET", "/1234/{{title}}", "", host));
        assertThat(body(response)).isEqualTo("<p>There is no such handle. 1234/{{title}} {{other}} Not found {{");
        assertThat(header(response, "Strict-Transport-Security")).contains("max-age=1");
        put("1234/1", HandleValue.of(1, "DESC", "{{message}}"));
        assertThat(body(redirector.answer(request("GET", "/1234/1", "", host)))).startsWith("own <div").contains("{{message}}");
        assertThat(body(redirector.answer(request("GET", "/1234/1", "", Map.of("host", List.of("[::1]"))))))
                .startsWith("<!DOCTYPE html>");
        assertThat(body(redirector.answer(request("GET", "/robots.txt", "", Map.of())))).contains("Disallow: /\n");
        HttpResponse icon = redirector.answer(request("GET", "/favicon.ico", "", Map.of()));
        assertThat(header(icon, "Content-Type")).contains("image/x-icon");
        assertThat(header(get("/favicon.ico"), "Content-Type")).contains("image/svg+xml");
        assertThatThrownBy(() -> new RedirectorSettings(own, Map.of(), Map.of("A", "b\r\nc: d"), "", Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whateverIsAskedIsAnswered() {
        put("1234/1", HandleValue.of(1, "URL", "http://e.x/"));
        SplittableRandom random = new SplittableRandom(81);
        String alphabet = "/1234?&=%ab+:;\"<hdl noredirect urlappend locatt\u00fc\u0000";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder target = new StringBuilder("/1234/1?");
            for (int j = random.nextInt(30); j >= 0; j--) {
                char each = alphabet.charAt(random.nextInt(alphabet.length()));
                target.insert(random.nextInt(target.length()) + 1, each);
            }
            HttpResponse response = get(target.toString());
            assertThat(response.status()).as(target.toString()).isIn(200, 302, 400, 404);
            response.headers().forEach(each -> assertThat(each.getValue()).matches("[ -~]*"));
        }
    }
}
