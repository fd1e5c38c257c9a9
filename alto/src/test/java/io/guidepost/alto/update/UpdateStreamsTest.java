package io.guidepost.alto.update;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Update streams, as their clients see them. */
class UpdateStreamsTest {
    private static final String CONTROL = AltoMediaType.UPDATE_STREAM_CONTROL;

    private volatile AltoSnapshot now = AltoSnapshot.EMPTY;
    private final AltoSnapshotMonitor live = new AltoSnapshotMonitor(() -> now);
    private final AtomicInteger ids = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();
    private final List<ScriptedResource> resources = List.of(
            ScriptedResource.of("costs", AltoMediaType.COST_MAP, List.of("net"), UpdateStreamsTest::costs),
            ScriptedResource.of("net", AltoMediaType.NETWORK_MAP, List.of(), UpdateStreamsTest::net),
            ScriptedResource.of("still", AltoMediaType.PROPERTY_MAP, List.of(), _ -> "{}"),
            new ScriptedResource("some", AltoMediaType.COST_MAP, Optional.of(AltoMediaType.COST_MAP_FILTER), List.of("net"), version ->
                    version == 9 ? "" : "{\"v\":" + version + ",\"of\":\"INPUT\",\"and\":\"more that does not change\"}"),
            ScriptedResource.of("parts", "multipart/related;boundary=b;type=" + AltoMediaType.COST_MAP, List.of(), version ->
                    "--b\r\nv" + version + "\r\n--b--\r\n"));
    private final UpdateStreams streams = streams(Duration.ofMinutes(1));

    private UpdateStreams streams(Duration silence) {
        return new UpdateStreams(
                "updates",
                new UpdateContext(
                        new UpdateSources(resources), live, new PatchCache(), () -> "s" + ids.incrementAndGet(), nanos::get),
                silence);
    }

    private static String net(long version) {
        StringBuilder prefixes = new StringBuilder("\"10.0.0.0/24\"");
        for (long i = 1; i < 50; i++) {
            prefixes.append(",\"10.").append(i == 25 ? version % 3 + 100 : i).append(".0.0/24\"");
        }
        return "{\"meta\":{\"vtag\":{\"tag\":\"" + version + "\"}},\"network-map\":{\"a\":{\"ipv4\":[" + prefixes + "]}}}";
    }

    private static String costs(long version) {
        return "{\"meta\":{\"of\":\"" + version + "\"},\"cost-map\":{\"a\":{\"a\":0,\"b\":" + version
                + ",\"long-enough-to-be-worth-it\":12345}}}";
    }

    @AfterEach
    void close() {
        live.close();
    }

    private HttpResponse post(UpdateStreams to, String path, String body, String... headers) throws Exception {
        Map<String, List<String>> lines = headers.length == 0
                ? Map.of("content-type", List.of(AltoMediaType.UPDATE_STREAM_PARAMS), "host", List.of("h:8080"))
                : Map.of(headers[0], List.of(headers[1]));
        return to.answer(new HttpRequest(
                "POST", path, lines, body.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 9), false, Optional.empty()));
    }

    private UpdateStreamReceiver open(UpdateStreams of, String add) throws Exception {
        HttpResponse response = post(of, "/updates", "{'add':" + add + "}");
        assertThat(response.status()).as(body(response)).isEqualTo(200);
        assertThat(response.headers()).contains(Map.entry("Content-Type", "text/event-stream"));
        return new UpdateStreamReceiver(response);
    }

    private static String body(HttpResponse response) {
        return response.body() instanceof HttpResponse.Bytes(byte[] bytes)
                ? new String(bytes, StandardCharsets.UTF_8).replace('"', '\'')
                : "";
    }

    private void publish(long version) {
        now = AltoSnapshot.EMPTY.version(version);
        live.published();
    }

    private static void expect(UpdateStreamReceiver receiver, String type, String substream) throws Exception {
        UpdateStreamReceiver.Event event = receiver.next();
        assertThat(event.type() + "," + event.substream()).isEqualTo(type + "," + substream);
    }

    private static void control(UpdateStreamReceiver receiver, String data) throws Exception {
        assertThat(receiver.next()).isEqualTo(new UpdateStreamReceiver.Event(CONTROL, "", data.replace('\'', '"')));
    }

    @Test
    void changesComeInTheOrderInWhichTheyDepend() throws Exception {
        UpdateStreamReceiver receiver =
                open(streams, "{'c':{'resource-id':'costs'},'s':{'resource-id':'still'},'n':{'resource-id':'net'}}");
        control(receiver, "{'control-uri':'http://h:8080/updates/s1'}");
        expect(receiver, AltoMediaType.NETWORK_MAP, "n");
        expect(receiver, AltoMediaType.COST_MAP, "c");
        expect(receiver, AltoMediaType.PROPERTY_MAP, "s");
        publish(1);
        expect(receiver, JsonPatch.MEDIA_TYPE, "n");
        expect(receiver, MergePatch.MEDIA_TYPE, "c");
        assertThat(receiver.held("n")).isEqualTo(net(1));
        assertThat(receiver.held("c")).isEqualTo(costs(1));
        publish(2);
        expect(receiver, JsonPatch.MEDIA_TYPE, "n");
        expect(receiver, MergePatch.MEDIA_TYPE, "c");
        assertThat(receiver.held("n")).isEqualTo(net(2));
        assertThat(streams.counts().get(UpdateCount.MESSAGES_FULL)).isEqualTo(3);
        assertThat(streams.counts().get(UpdateCount.MESSAGES_JSON_PATCH)).isEqualTo(2);
        assertThat(streams.counts().get(UpdateCount.MESSAGES_MERGE_PATCH)).isEqualTo(2);
    }

    @Test
    void aClientMayHaveAVersionAlreadyAndMayWantNoPatches() throws Exception {
        String tag = "t" + net(0).hashCode();
        UpdateStreamReceiver receiver = open(
                streams,
                "{'n':{'resource-id':'net','tag':'" + tag + "'},"
                        + "'c':{'resource-id':'costs','tag':'other','incremental-changes':false}}");
        expect(receiver, CONTROL, "");
        receiver.hold("n", net(0));
        expect(receiver, AltoMediaType.COST_MAP, "c");
        publish(1);
        expect(receiver, JsonPatch.MEDIA_TYPE, "n");
        assertThat(receiver.held("n")).isEqualTo(net(1));
        expect(receiver, AltoMediaType.COST_MAP, "c");
        assertThat(receiver.held("c")).isEqualTo(costs(1));
    }

    @Test
    void whatIsNotOneLineOfJsonIsToldWhole() throws Exception {
        UpdateStreamReceiver receiver = open(streams, "{'p':{'resource-id':'parts'}}");
        expect(receiver, CONTROL, "");
        assertThat(receiver.next().data()).isEqualTo("--b\nv0\n--b--\n");
        publish(1);
        UpdateStreamReceiver.Event event = receiver.next();
        assertThat(event.type()).isEqualTo("multipart/related;boundary=b;type=" + AltoMediaType.COST_MAP);
        assertThat(event.data()).isEqualTo("--b\nv1\n--b--\n");
    }

    @Test
    void inputsAreOfTheSubstream() throws Exception {
        UpdateStreamReceiver receiver = open(
                streams,
                "{'x':{'resource-id':'some','input':{'pids':[1]}},'y':{'resource-id':'some','input':{}},"
                        + "'n':{'resource-id':'net'}}");
        expect(receiver, CONTROL, "");
        expect(receiver, AltoMediaType.NETWORK_MAP, "n");
        expect(receiver, AltoMediaType.COST_MAP, "x");
        expect(receiver, AltoMediaType.COST_MAP, "y");
        assertThat(receiver.held("x")).contains("{'pids':[1]}");
        assertThat(receiver.held("y")).contains("\"{}\"");
        publish(1);
        expect(receiver, JsonPatch.MEDIA_TYPE, "n");
        expect(receiver, MergePatch.MEDIA_TYPE, "x");
        expect(receiver, MergePatch.MEDIA_TYPE, "y");
        publish(9);
        expect(receiver, JsonPatch.MEDIA_TYPE, "n");
        control(receiver, "{'stopped':['x'],'description':'no such PID'}");
        control(receiver, "{'stopped':['y'],'description':'no such PID'}");
        assertThat(streams.counts().get(UpdateCount.FAILED_SUBSTREAMS)).isEqualTo(2);
    }

    @Test
    void aStreamIsControlled() throws Exception {
        UpdateStreamReceiver receiver = open(streams, "{'n':{'resource-id':'net'}}");
        expect(receiver, CONTROL, "");
        expect(receiver, AltoMediaType.NETWORK_MAP, "n");
        HttpResponse done = post(streams, "/updates/s1", "{'add':{'c':{'resource-id':'costs'}},'remove':['n']}");
        assertThat(done.status()).isEqualTo(204);
        control(receiver, "{'stopped':['n'],'description':'as asked'}");
        control(receiver, "{'started':['c']}");
        expect(receiver, AltoMediaType.COST_MAP, "c");
        assertThat(body(post(streams, "/updates/s1", "{'remove':['n']}")))
                .isEqualTo("{'meta':{'code':'E_INVALID_FIELD_VALUE','field':'remove','value':'n'}}");
        assertThat(body(post(streams, "/updates/s1", "{'add':{'c':{'resource-id':'net'}}}")))
                .isEqualTo("{'meta':{'code':'E_INVALID_FIELD_VALUE','field':'add','value':'c'}}");
        assertThat(post(streams, "/updates/s1", "{'remove':['c']}").status()).isEqualTo(204);
        control(receiver, "{'stopped':['c'],'description':'as asked'}");
        assertThat(receiver.next()).isEqualTo(UpdateStreamReceiver.END);
        assertThat(post(streams, "/updates/s1", "{}").status()).isEqualTo(404);
        assertThat(streams.open()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock = """
        {}|E_MISSING_FIELD','field':'add
        {'add':{}}|E_MISSING_FIELD','field':'add
        {'add':[]}|E_INVALID_FIELD_TYPE','field':'add
        {'add':{'a':1}}|E_INVALID_FIELD_TYPE','field':'add/a
        {'add':{'a':{}}}|E_MISSING_FIELD','field':'add/a/resource-id
        {'add':{'a':{'resource-id':7}}}|E_INVALID_FIELD_TYPE','field':'add/a/resource-id
        {'add':{'a':{'resource-id':'x'}}}|E_INVALID_FIELD_VALUE','field':'add/a/resource-id','value':'x
        {'add':{'a b':{'resource-id':'net'}}}|E_INVALID_FIELD_VALUE','field':'add','value':'a b
        {'add':{'a':{'resource-id':'net','tag':1}}}|E_INVALID_FIELD_TYPE','field':'add/a/tag
        {'add':{'a':{'resource-id':'net','incremental-changes':'no'}}}|E_INVALID_FIELD_TYPE','field':'add/a/incremental-changes
        {'add':{'a':{'resource-id':'net'}},'remove':'a'}|E_INVALID_FIELD_TYPE','field':'remove
        {'add':{'a':{'resource-id':'net'}},'remove':[1]}|E_INVALID_FIELD_TYPE','field':'remove
        {'add':{'a':{'resource-id':'some'}}}|E_INVALID_FIELD_VALUE','field':'cost-type','value':'fastest
        {'add':{'a':{'resource-id':'some','input':[]}}}|E_INVALID_FIELD_TYPE','field':'add/a/input
        {'add':{'a':{'resource-id':'some','input':{'no':1}}}}|E_INVALID_FIELD_VALUE','field':'cost-type','value':'fastest
        """)
    void whatIsWrongIsSaid(String request, String told) throws Exception {
        HttpResponse response = post(streams, "/updates", request);
        assertThat(response.status()).isEqualTo(400);
        assertThat(body(response)).isEqualTo("{'meta':{'code':'" + told + "'}}");
        assertThat(streams.open()).isZero();
    }

    @Test
    void whatDoesNotFitHttpIsRefused() throws Exception {
        String good = "{'add':{'n':{'resource-id':'net'}}}";
        assertThat(post(streams, "/updates", "{'add'").status()).isEqualTo(400);
        assertThat(post(streams, "/updates", "[]").status()).isEqualTo(400);
        assertThat(post(streams, "/updates", good, "content-type", "text/plain").status()).isEqualTo(415);
        HttpRequest get = new HttpRequest(
                "GET", "/updates", Map.of(), new byte[0], new InetSocketAddress(InetAddress.getLoopbackAddress(), 9), false,
                Optional.empty());
        assertThat(streams.answer(get).status()).isEqualTo(405);
        assertThat(post(streams, "/updates/nobody", good).status()).isEqualTo(404);
        assertThat(post(streams, "/updates/", good).status()).isEqualTo(404);
    }

    @Test
    void oneAddressHasSoManyAndThoseNeverBegunAreForgotten() throws Exception {
        String add = "{'add':{'n':{'resource-id':'net'}}}";
        UpdateStreamReceiver first = open(streams, "{'n':{'resource-id':'net'}}");
        for (int i = 1; i < UpdateLimits.STREAMS_PER_ADDRESS_MAX; i++) {
            assertThat(post(streams, "/updates", add).status()).isEqualTo(200);
        }
        expect(first, CONTROL, "");
        HttpResponse refused = post(streams, "/updates", add);
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.headers()).contains(Map.entry("Retry-After", "60"));
        nanos.addAndGet(UpdateLimits.BEGIN_MAX.toNanos() + 1);
        assertThat(post(streams, "/updates", add).status()).isEqualTo(200);
        assertThat(streams.open()).as("the one that was read, and the new one").isEqualTo(2);
    }

    @Test
    void aReceiverThatIsGoneLeavesItsPlace() throws Exception {
        UpdateStreamReceiver receiver = open(streams, "{'n':{'resource-id':'net'}}");
        expect(receiver, CONTROL, "");
        expect(receiver, AltoMediaType.NETWORK_MAP, "n");
        receiver.leave();
        publish(1);
        receiver.ended();
        assertThat(streams.open()).isZero();
        assertThat(streams.counts().get(UpdateCount.LOST_RECEIVERS)).isEqualTo(1);
    }

    @Test
    void allEndWhenTheServerStops() throws Exception {
        UpdateStreamReceiver receiver = open(streams, "{'n':{'resource-id':'net'}}");
        expect(receiver, CONTROL, "");
        expect(receiver, AltoMediaType.NETWORK_MAP, "n");
        live.close();
        control(receiver, "{'stopped':['n'],'description':'the server stops'}");
        assertThat(receiver.next()).isEqualTo(UpdateStreamReceiver.END);
        assertThat(post(streams, "/updates", "{'add':{'n':{'resource-id':'net'}}}").status()).isEqualTo(503);
    }

    @Test
    void silenceIsBroken() throws Exception {
        UpdateStreamReceiver receiver = open(streams(Duration.ofMillis(1)), "{'n':{'resource-id':'net'}}");
        expect(receiver, CONTROL, "");
        expect(receiver, AltoMediaType.NETWORK_MAP, "n");
        expect(receiver, "", "");
        expect(receiver, "", "");
    }

    /** However versions and readers interleave, each has the newest in the end, and each step leads from the one before. */
    @Test
    void nothingIsSkippedSilently() throws Exception {
        Random random = new Random(8895);
        List<UpdateStreamReceiver> receivers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            receivers.add(open(streams, "{'n':{'resource-id':'net'},'c':{'resource-id':'costs'}}"));
        }
        long last = 300;
        for (long version = 1; version <= last; version++) {
            publish(version);
            if (random.nextInt(10) == 0) {
                receivers.get(random.nextInt(receivers.size())).next();
            }
        }
        for (UpdateStreamReceiver each : receivers) {
            while (!each.held("c").equals(costs(last))) {
                assertThat(each.next()).isNotEqualTo(UpdateStreamReceiver.END);
            }
            assertThat(each.held("n")).as("told before the costs").isEqualTo(net(last));
        }
    }
}
