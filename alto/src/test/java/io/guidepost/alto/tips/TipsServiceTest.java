package io.guidepost.alto.tips;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.alto.update.AltoSnapshotMonitor;
import io.guidepost.alto.update.JsonPatch;
import io.guidepost.alto.update.JsonPatchApplication;
import io.guidepost.alto.update.JsonTrees;
import io.guidepost.alto.update.MergePatch;
import io.guidepost.alto.update.PatchCache;
import io.guidepost.alto.update.ScriptedResource;
import io.guidepost.alto.update.UpdateContext;
import io.guidepost.alto.update.UpdateSources;
import io.guidepost.base.Malformed;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonValue;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Views of the versions of a resource, as their clients see them. */
class TipsServiceTest {
    private static final String PADDING = "x".repeat(250);

    private volatile AltoSnapshot now = AltoSnapshot.EMPTY.version(1);
    private final AltoSnapshotMonitor live = new AltoSnapshotMonitor(() -> now);
    private final AtomicInteger ids = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();
    private final List<ScriptedResource> resources = List.of(
            ScriptedResource.of("net", AltoMediaType.NETWORK_MAP, List.of(), TipsServiceTest::net),
            ScriptedResource.of("steady", AltoMediaType.COST_MAP, List.of("net"), version -> "{\"v\":" + version / 100 + "}"),
            new ScriptedResource("some", AltoMediaType.COST_MAP, Optional.of(AltoMediaType.COST_MAP_FILTER), List.of(), version ->
                    "{\"v\":" + version + ",\"of\":\"INPUT\",\"and\":\"more that does not change\"}"));
    private final TipsService tips = tips(Duration.ofMinutes(1));

    private static String net(long version) {
        return "{\"meta\":{\"vtag\":{\"tag\":\"" + version + "\"}},\"network-map\":{\"" + PADDING + "\":{}}}";
    }

    private TipsService tips(Duration wait) {
        return new TipsService(
                "tips",
                new UpdateContext(
                        new UpdateSources(resources), live, new PatchCache(), () -> "v" + ids.incrementAndGet(), nanos::get),
                wait);
    }

    @AfterEach
    void close() {
        live.close();
    }

    private static HttpResponse ask(TipsService of, String method, String path, String body, String accept) {
        Map<String, List<String>> headers = Map.of(
                "content-type", List.of(AltoMediaType.TIPS_PARAMS), "host", List.of("h"), "accept", List.of(accept));
        return of.answer(new HttpRequest(
                method, path, headers, body.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 9), false, Optional.empty()));
    }

    private HttpResponse post(String path, String body) {
        return ask(tips, "POST", path, body, "*/*");
    }

    private HttpResponse get(String path) {
        return ask(tips, "GET", path, "", "*/*");
    }

    private static String body(HttpResponse response) {
        return new String(((HttpResponse.Bytes) response.body()).bytes(), StandardCharsets.UTF_8).replace('"', '\'');
    }

    private static String type(HttpResponse response) {
        return response.headers().getFirst().getValue();
    }

    private void publish(long version) {
        now = AltoSnapshot.EMPTY.version(version);
        live.published();
    }

    private static String graph(long start, long end, long from, long to) {
        return "{'start-seq':" + start + ",'end-seq':" + end + ",'start-edge-rec':{'seq-i':" + from + ",'seq-j':" + to + "}}";
    }

    private void open(String resource) {
        assertThat(post("/tips", "{'resource-id':'" + resource + "'}").status()).isEqualTo(200);
    }

    @Test
    void aViewIsOpenedAndFollowed() throws Exception {
        HttpResponse opened = post("/tips", "{'resource-id':'net'}");
        assertThat(opened.status()).isEqualTo(200);
        assertThat(type(opened)).isEqualTo(AltoMediaType.TIPS);
        assertThat(body(opened))
                .isEqualTo("{'tips-view-uri':'http://h/tips/v1','tips-view-summary':{'updates-graph-summary':"
                        + graph(1, 1, 0, 1) + "}}");
        JsonValue held = json(get("/tips/v1/ug/0/1"));
        assertThat(type(get("/tips/v1/ug/0/1"))).isEqualTo(AltoMediaType.NETWORK_MAP);
        for (long version = 2; version < 6; version++) {
            publish(version);
            HttpResponse step = get("/tips/v1/ug/" + (version - 1) + "/" + version);
            assertThat(step.status()).isEqualTo(200);
            held = type(step).equals(MergePatch.MEDIA_TYPE)
                    ? JsonPatchApplication.merge(held, json(step))
                    : JsonPatchApplication.apply(held, json(step));
            assertThat(new String(JsonTrees.bytes(held), StandardCharsets.UTF_8)).isEqualTo(net(version));
            assertThat(JsonTrees.same(json(get("/tips/v1/ug/0/" + version)), held)).isTrue();
        }
        assertThat(JsonTrees.same(json(get("/tips/v1/ug/0/1")), json(net(1)))).as("the first is kept").isTrue();
    }

    private static JsonValue json(HttpResponse response) throws Malformed {
        return json(new String(((HttpResponse.Bytes) response.body()).bytes(), StandardCharsets.UTF_8));
    }

    private static JsonValue json(String text) throws Malformed {
        return JsonValue.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whereToGoOnFollowsFromWhatTheClientHas() {
        open("net");
        publish(2);
        open("net");
        publish(3);
        assertThat(body(post("/tips/v1/ug", "{}"))).isEqualTo(graph(1, 3, 0, 3));
        String first = "t" + net(1).hashCode();
        String newest = "t" + net(3).hashCode();
        assertThat(body(post("/tips/v1/ug", "{'tag':'" + first + "'}"))).isEqualTo(graph(1, 3, 1, 2));
        assertThat(body(post("/tips/v2/ug", "{'tag':'" + newest + "'}"))).as("waits").isEqualTo(graph(1, 3, 3, 4));
        assertThat(body(post("/tips/v2/ug", "{'tag':'unknown'}"))).isEqualTo(graph(1, 3, 0, 3));
        for (long version = 4; version < 20; version++) {
            publish(version);
            post("/tips/v1/ug", "{}");
        }
        assertThat(body(post("/tips/v1/ug", "{'tag':'" + first + "'}"))).as("a snapshot is shorter").isEqualTo(graph(1, 19, 0, 19));
    }

    @Test
    void theEndsOnlyGrowAndAreContiguous() {
        open("net");
        long versions = TipsLimits.VERSIONS_MAX + 20;
        for (long version = 2; version <= versions; version++) {
            publish(version);
            get("/tips/v1/ug/0/1");
        }
        long start = versions - TipsLimits.VERSIONS_MAX + 1;
        assertThat(body(post("/tips/v1/ug", "{}"))).isEqualTo(graph(start, versions, 0, versions));
        for (long seq = start; seq <= versions; seq++) {
            assertThat(get("/tips/v1/ug/0/" + seq).status()).isEqualTo(200);
            assertThat(get("/tips/v1/ug/" + (seq - 1) + "/" + seq).status()).isEqualTo(seq > start ? 200 : 410);
        }
        assertThat(get("/tips/v1/ug/0/" + (start - 1)).status()).isEqualTo(410);
    }

    @ParameterizedTest
    @CsvSource({
        "/tips/v1/ug/0/1, 200", "/tips/v1/ug/0/2, 425", "/tips/v1/ug/2/3, 425", "/tips/v1/ug/1/3, 425", "/tips/v1/ug/1/1, 404",
        "/tips/v1/ug/1/0, 404", "/tips/v1/ug/0/0, 404", "/tips/v1/ug/a/1, 404", "/tips/v1/ug/-1/1, 404",
        "/tips/v1/ug/0/9999999999999999999, 404", "/tips/v2/ug/0/1, 404", "/tips/v1/gu/0/1, 404", "/tips/v1/ug/0/1/2, 404",
        "/tips/v1/ug, 405", "/tips/v1, 405", "/tips, 405", "/tips/v1/ug/0, 404",
    })
    void edges(String path, int status) {
        open("net");
        assertThat(get(path).status()).isEqualTo(status);
        assertThat(type(get(path))).isEqualTo(status == 200 ? AltoMediaType.NETWORK_MAP : AltoMediaType.ERROR);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock = """
        {}|E_MISSING_FIELD','field':'resource-id
        {'resource-id':1}|E_INVALID_FIELD_TYPE','field':'resource-id
        {'resource-id':'net/#'}|E_INVALID_FIELD_VALUE','field':'resource-id','value':'net/#
        {'resource-id':'net','tag':1}|E_INVALID_FIELD_TYPE','field':'tag
        {'resource-id':'some'}|E_INVALID_FIELD_VALUE','field':'cost-type','value':'fastest
        {'resource-id':'some','input':'x'}|E_INVALID_FIELD_TYPE','field':'input
        {'resource-id':'some','input':{'no':1}}|E_INVALID_FIELD_VALUE','field':'cost-type','value':'fastest
        """)
    void whatIsWrongIsSaid(String request, String told) {
        HttpResponse response = post("/tips", request);
        assertThat(response.status()).isEqualTo(400);
        assertThat(body(response)).isEqualTo("{'meta':{'code':'" + told + "'}}");
        assertThat(tips.open()).isZero();
    }

    @Test
    void typesMustBeAccepted() {
        open("net");
        assertThat(ask(tips, "GET", "/tips/v1/ug/0/1", "", AltoMediaType.COST_MAP).status()).isEqualTo(415);
        assertThat(ask(tips, "GET", "/tips/v1/ug/0/1", "", AltoMediaType.NETWORK_MAP).status()).isEqualTo(200);
        assertThat(ask(tips, "POST", "/tips", "{'resource-id':'net'}", "text/html").status()).isEqualTo(406);
        assertThat(ask(tips, "POST", "/tips/v1/ug", "{}", "text/html").status()).isEqualTo(415);
    }

    @Test
    void theNextVersionIsWaitedFor() throws Exception {
        open("net");
        open("steady");
        CompletableFuture<HttpResponse> next = waits("/tips/v1/ug/1/2", 1);
        CompletableFuture<HttpResponse> steady = waits("/tips/v2/ug/1/2", 2);
        publish(2);
        HttpResponse step = next.get(20, TimeUnit.SECONDS);
        assertThat(step.status()).isEqualTo(200);
        assertThat(type(step)).isIn(MergePatch.MEDIA_TYPE, JsonPatch.MEDIA_TYPE);
        assertThat(steady.isDone()).as("it has not changed").isFalse();
        publish(200);
        assertThat(steady.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
        assertThat(tips.waiting()).isZero();
        assertThat(tips.counts().get(TipsCount.LONG_POLLS)).isEqualTo(2);
    }

    private CompletableFuture<HttpResponse> waits(String path, int waiting) {
        CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> answer.complete(get(path)));
        while (tips.waiting() < waiting && !answer.isDone()) {
            Thread.onSpinWait();
        }
        return answer;
    }

    @Test
    void waitingEnds() throws Exception {
        open("net");
        CompletableFuture<HttpResponse> closed = waits("/tips/v1/ug/1/2", 1);
        assertThat(ask(tips, "DELETE", "/tips/v1", "", "*/*").status()).isEqualTo(200);
        assertThat(closed.get(20, TimeUnit.SECONDS).status()).isEqualTo(404);
        assertThat(ask(tips, "DELETE", "/tips/v1", "", "*/*").status()).isEqualTo(404);

        open("net");
        CompletableFuture<HttpResponse> ended = waits("/tips/v2/ug/1/2", 1);
        live.close();
        assertThat(ended.get(20, TimeUnit.SECONDS).status()).isEqualTo(425);

        TipsService impatient = tips(Duration.ofMillis(1));
        ask(impatient, "POST", "/tips", "{'resource-id':'net'}", "*/*");
        assertThat(ask(impatient, "GET", "/tips/v3/ug/1/2", "", "*/*").status()).isEqualTo(425);
        assertThat(impatient.counts().get(TipsCount.LONG_POLL_TIMEOUTS)).isEqualTo(1);
    }

    @Test
    void soManyMayWait() throws Exception {
        open("net");
        List<CompletableFuture<HttpResponse>> all = new ArrayList<>();
        for (int i = 1; i <= TipsLimits.WAITING_PER_ADDRESS_MAX; i++) {
            all.add(waits("/tips/v1/ug/1/2", i));
        }
        HttpResponse refused = get("/tips/v1/ug/1/2");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.headers()).contains(Map.entry("Retry-After", "5"));
        publish(2);
        for (CompletableFuture<HttpResponse> each : all) {
            assertThat(each.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
        }
    }

    @Test
    void soManyMayBeOpenAndThoseNotUsedExpire() {
        for (int i = 0; i < TipsLimits.VIEWS_PER_ADDRESS_MAX; i++) {
            open("net");
        }
        HttpResponse refused = post("/tips", "{'resource-id':'net'}");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.headers()).contains(Map.entry("Retry-After", "60"));
        nanos.addAndGet(TipsLimits.IDLE_MAX.toNanos());
        assertThat(get("/tips/v5/ug/0/1").status()).as("used").isEqualTo(200);
        nanos.addAndGet(1);
        assertThat(get("/tips/v4/ug/0/1").status()).isEqualTo(404);
        assertThat(get("/tips/v5/ug/0/1").status()).isEqualTo(200);
        assertThat(tips.open()).isEqualTo(1);
        assertThat(tips.counts().get(TipsCount.VIEWS_CLOSED_IDLE)).isEqualTo(TipsLimits.VIEWS_PER_ADDRESS_MAX - 1);
    }

    @Test
    void inputsAreOfTheView() {
        assertThat(post("/tips", "{'resource-id':'some','input':{'a':1}}").status()).isEqualTo(200);
        assertThat(post("/tips", "{'resource-id':'some','input':{'b':2}}").status()).isEqualTo(200);
        assertThat(body(get("/tips/v1/ug/0/1"))).contains("{'a':1}");
        assertThat(body(get("/tips/v2/ug/0/1"))).contains("{'b':2}");
        publish(2);
        assertThat(body(get("/tips/v1/ug/1/2"))).isEqualTo("{'v':2}");
    }
}
