package io.guidepost.alto.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.alto.AltoResource;
import io.guidepost.alto.AltoSnapshot;
import io.guidepost.alto.DirectoryEntry;
import io.guidepost.alto.ResourceContent;
import io.guidepost.alto.endpoint.EndpointCosts;
import io.guidepost.alto.map.NetworkMap;
import io.guidepost.alto.property.BlockValues;
import io.guidepost.alto.property.EntityProperties;
import io.guidepost.alto.protocol.AltoError;
import io.guidepost.alto.protocol.AltoLimits;
import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.base.Address;
import io.guidepost.base.Prefix;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonValue;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** What the service says before a resource is asked: paths, methods, types, tags. */
class AltoDispatcherTest {
    private final AtomicInteger renderings = new AtomicInteger();
    private AltoSnapshot now = AltoSnapshot.EMPTY;
    private String filling = "";
    private final AltoDispatcher service = new AltoDispatcher(
            () -> now,
            List.of(new Told("net", Optional.empty()), new Told("ask", Optional.of(AltoMediaType.COST_MAP_FILTER))),
            List.of(new AltoRoute(
                    new Told("stream", Optional.empty()).entry(), request -> HttpResponse.of(200, "text/plain", request.path()))));

    private final class Told extends AltoResource {
        private Told(String id, Optional<String> accepts) {
            super(new DirectoryEntry(id, AltoMediaType.NETWORK_MAP, accepts, List.of(), Map.of()));
        }

        @Override
        public ResourceContent content(AltoSnapshot information, byte[] input, Address caller) throws AltoError {
            renderings.incrementAndGet();
            if (input.length == 3) {
                throw AltoError.value("pids/srcs", "a\"b", "no");
            }
            return accepts().isPresent()
                    ? ResourceContent.answer(mediaType(), input)
                    : new ResourceContent(mediaType(), "t1", ("v" + information.version() + filling).getBytes(StandardCharsets.UTF_8));
        }
    }

    private HttpResponse ask(String method, String path, String body, String... headers) throws Exception {
        return service.answer(request(method, path, body, headers));
    }

    private static HttpRequest request(String method, String path, String body, String... headers) {
        Map<String, List<String>> lines = new TreeMap<>();
        for (int i = 0; i < headers.length; i += 2) {
            lines.put(headers[i], List.of(headers[i + 1]));
        }
        return new HttpRequest(
                method, path, lines, body.getBytes(StandardCharsets.UTF_8),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 9), false, Optional.empty());
    }

    private static String body(HttpResponse response) {
        return new String(((HttpResponse.Bytes) response.body()).bytes(), StandardCharsets.UTF_8);
    }

    private static String header(HttpResponse response, String name) {
        return response.headers().stream().filter(each -> each.getKey().equals(name)).findFirst().orElseThrow().getValue();
    }

    @Test
    void aResourceIsToldWithItsTypeAndTagAndNotTwice() throws Exception {
        HttpResponse first = ask("GET", "/net", "");
        assertThat(first.status()).isEqualTo(200);
        assertThat(header(first, "Content-Type")).isEqualTo("application/alto-networkmap+json");
        assertThat(header(first, "ETag")).isEqualTo("\"t1\"");
        assertThat(body(first)).isEqualTo("v0");
        for (String held : List.of("\"t1\"", "W/\"t1\"", "\"x\", \"t1\"", "*")) {
            HttpResponse again = ask("GET", "/net", "", "if-none-match", held);
            assertThat(again.status()).as(held).isEqualTo(304);
            assertThat(header(again, "ETag")).isEqualTo("\"t1\"");
            assertThat(body(again)).isEmpty();
        }
        assertThat(ask("GET", "/net", "", "if-none-match", "\"t2\"").status()).isEqualTo(200);
        assertThat(renderings).hasValue(1);
        now = AltoSnapshot.EMPTY.version(1);
        assertThat(body(ask("HEAD", "/net", ""))).isEqualTo("v1");
        assertThat(renderings).hasValue(2);
    }

    @Test
    void optionsTellTheMethodsOfAResource() throws Exception {
        for (String path : List.of("/", "/directory", "/net")) {
            assertThat(header(ask("OPTIONS", path, ""), "Allow")).as(path).isEqualTo("GET, HEAD, OPTIONS");
        }
        HttpResponse posted = ask("OPTIONS", "/ask", "");
        assertThat(posted.status()).isEqualTo(204);
        assertThat(header(posted, "Allow")).isEqualTo("POST, OPTIONS");
        assertThat(ask("OPTIONS", "*", "").status()).isEqualTo(204);
        assertThat(ask("OPTIONS", "/none", "").status()).isEqualTo(404);
        assertThat(header(ask("PUT", "/net", ""), "Allow")).isEqualTo("GET, HEAD, OPTIONS");
    }

    @Test
    void pagesOfOtherOriginsMayRead() throws Exception {
        HttpRequest page = request("GET", "/net", "", "origin", "https://page.example");
        HttpResponse read = CrossOrigin.readable(page, service.answer(page));
        assertThat(header(read, "Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(header(read, "Access-Control-Expose-Headers")).isEqualTo("ETag");
        HttpRequest preflight = request(
                "OPTIONS", "/ask", "", "origin", "https://page.example", "access-control-request-method", "POST");
        HttpResponse open = CrossOrigin.readable(preflight, service.answer(preflight));
        assertThat(open.status()).isEqualTo(204);
        assertThat(header(open, "Access-Control-Allow-Methods")).contains("POST");
        assertThat(header(open, "Access-Control-Allow-Headers")).isEqualTo("Content-Type");
        HttpRequest other = request("GET", "/net", "");
        assertThat(CrossOrigin.readable(other, service.answer(other)).has("Access-Control-Allow-Origin")).isFalse();
    }

    @Test
    void anEmptyPathIsNoResource() throws Exception {
        assertThat(ask("GET", "", "").status()).isEqualTo(404);
    }

    @Test
    void aLongMapIsCompressedOnceForWhoTakesThat() throws Exception {
        filling = "x".repeat(100_000);
        HttpResponse plain = ask("GET", "/net", "");
        assertThat(body(plain)).isEqualTo("v0" + filling);
        assertThat(header(plain, "Vary")).isEqualTo("Accept-Encoding");
        assertThat(plain.headers()).noneMatch(each -> each.getKey().equals("Content-Encoding"));
        HttpResponse zipped = ask("GET", "/net", "", "accept-encoding", "br, gzip;q=0.5");
        assertThat(header(zipped, "Content-Encoding")).isEqualTo("gzip");
        assertThat(header(zipped, "ETag")).isEqualTo(header(plain, "ETag"));
        byte[] bytes = ((HttpResponse.Bytes) zipped.body()).bytes();
        assertThat(new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes()).asString().isEqualTo("v0" + filling);
        assertThat(((HttpResponse.Bytes) ask("GET", "/net", "", "accept-encoding", "gzip").body()).bytes()).isSameAs(bytes);
        assertThat(body(ask("GET", "/net", "", "accept-encoding", "gzip;q=0"))).startsWith("v0");
        assertThat(ask("GET", "/net", "", "accept-encoding", "gzip", "if-none-match", "*").status()).isEqualTo(304);
    }

    @Test
    void whatDoesNotFitIsRefusedWithABody() throws Exception {
        assertThat(ask("GET", "/nothing", "").status()).isEqualTo(404);
        assertThat(ask("GET", "/net/x", "").status()).isEqualTo(404);
        assertThat(ask("GET", "", "").status()).isEqualTo(404);
        HttpResponse method = ask("POST", "/net", "{}");
        assertThat(method.status()).isEqualTo(405);
        assertThat(header(method, "Allow")).isEqualTo("GET, HEAD, OPTIONS");
        assertThat(ask("GET", "/ask", "").status()).isEqualTo(405);
        assertThat(ask("DELETE", "/ask", "").status()).isEqualTo(405);
        assertThat(ask("POST", "/directory", "").status()).isEqualTo(405);
        HttpResponse type = ask("POST", "/ask", "{}", "content-type", "application/json");
        assertThat(type.status()).isEqualTo(415);
        assertThat(header(type, "Content-Type")).isEqualTo("application/alto-error+json");
        assertThat(body(type)).startsWith("{\"meta\":{\"code\":\"E_SYNTAX\",\"syntax-error\":\"");
        assertThat(ask("POST", "/ask", "{}").status()).isEqualTo(415);
        assertThat(ask("GET", "/net", "", "accept", "text/html").status()).isEqualTo(406);
        assertThat(ask("GET", "/net", "", "accept", "application/alto-networkmap+json;q=0, text/*").status()).isEqualTo(406);
        assertThat(ask("GET", "/directory", "", "accept", "text/html").status()).isEqualTo(406);
        for (String each : List.of("*/*", "application/*;q=0.5", "application/alto-networkmap+json,application/alto-error+json")) {
            assertThat(ask("GET", "/net", "", "accept", each).status()).as(each).isEqualTo(200);
        }
        assertThat(ask("POST", "/ask", "x".repeat((1 << 20) + 1), "content-type", AltoMediaType.COST_MAP_FILTER).status())
                .isEqualTo(413);
    }

    @Test
    void anErrorIsToldAsTheStandardHasIt() throws Exception {
        HttpResponse answer = ask("POST", "/ask", "123", "content-type", AltoMediaType.COST_MAP_FILTER + "; charset=utf-8");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(header(answer, "Content-Type")).isEqualTo("application/alto-error+json");
        assertThat(body(answer))
                .isEqualTo("{\"meta\":{\"code\":\"E_INVALID_FIELD_VALUE\",\"field\":\"pids/srcs\",\"value\":\"a\\\"b\"}}");
    }

    @Test
    void theDirectoryListsAll() throws Exception {
        HttpResponse directory = ask("GET", "/", "", "host", "alto.example:5082");
        assertThat(header(directory, "Content-Type")).isEqualTo("application/alto-directory+json");
        assertThat(body(directory))
                .isEqualTo("{\"meta\":{\"cost-types\":{}},\"resources\":{"
                        + "\"net\":{\"uri\":\"http://alto.example:5082/net\",\"media-type\":\"application/alto-networkmap+json\"},"
                        + "\"ask\":{\"uri\":\"http://alto.example:5082/ask\",\"media-type\":\"application/alto-networkmap+json\","
                        + "\"accepts\":\"application/alto-costmapfilter+json\"},"
                        + "\"stream\":{\"uri\":\"http://alto.example:5082/stream\","
                        + "\"media-type\":\"application/alto-networkmap+json\"}}}");
        assertThat(body(ask("GET", "/directory", "", "host", "a\"b"))).contains("\"uri\":\"/net\"");
        assertThat(ask("GET", "/directory", "", "host", "a\"b", "if-none-match", header(ask("GET", "/", ""), "ETag")).status())
                .isEqualTo(304);
    }

    @Test
    void aRouteAnswersAllBelowItsPath() throws Exception {
        assertThat(body(ask("PUT", "/stream/1/2?x", ""))).isEqualTo("/stream/1/2");
        assertThat(body(ask("GET", "/stream", ""))).isEqualTo("/stream");
    }

    @Test
    void idsAreCheckedAndDiffer() {
        for (String each : List.of("", "a b", "directory", "ä", "x".repeat(65))) {
            assertThatThrownBy(() -> new AltoDispatcher(() -> now, List.of(new Told(each, Optional.empty())), List.of()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        Told same = new Told("a", Optional.empty());
        assertThatThrownBy(() -> new AltoDispatcher(() -> now, List.of(same, same), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPropertyMapOfManyBlocksIsStreamed() throws Exception {
        int count = AltoLimits.PROPERTY_BLOCKS_MAX + 10;
        NetworkMap.Builder blocks = new NetworkMap.Builder("net", List.of("a", "b"));
        blocks.add(0, Prefix.ofIpv4(0, 0)).add(1, new Prefix(0, 0, 0));
        for (int i = 2; i < count; i++) {
            blocks.add(i & 1, Prefix.ofIpv4(i << 8, 24));
        }
        SortedMap<String, EntityProperties.OfAddresses> kinds = new TreeMap<>();
        kinds.put("kind", new BlockValues(Map.of(Prefix.ofIpv4(7 << 8, 24), "x", Prefix.ofIpv4(1, 32), "y")));
        AltoSnapshot many = new AltoSnapshot(
                1, List.of(blocks.build()), Map.of(), List.of(), EndpointCosts.NONE,
                new EntityProperties(kinds, new TreeMap<>()), Optional.empty(), Optional.empty());
        AltoDispatcher of = new AltoDispatcher(() -> many, ResourceCatalog.of(many, InstantSource.system()), List.of());
        HttpRequest request = new HttpRequest(
                "GET", "/net-properties", Map.of(), new byte[0], new InetSocketAddress(InetAddress.getLoopbackAddress(), 9),
                false, Optional.empty());
        HttpResponse answer = of.answer(request);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ((HttpResponse.Stream) answer.body()).writing().write(out);
        JsonValue.Members told = (JsonValue.Members) Objects.requireNonNull(((JsonValue.Members) JsonValue.read(out.toByteArray(), 1 << 26))
                .members().get("property-map"));
        assertThat(told.members()).hasSize(count + 1);
        assertThat(AltoTestCaller.written(Objects.requireNonNull(told.members().get("ipv4:0.0.7.0/24"))))
                .isEqualTo("{\"net.pid\":\"b\",\".kind\":\"x\"}");
        assertThat(AltoTestCaller.written(Objects.requireNonNull(told.members().get("ipv4:0.0.0.1/32")))).isEqualTo("{\".kind\":\"y\"}");
        String tag = answer.headers().stream().filter(each -> each.getKey().equals("ETag")).findFirst().orElseThrow().getValue();
        assertThat(of.answer(new HttpRequest(
                        "GET", "/net-properties", Map.of("if-none-match", List.of(tag)), new byte[0], request.peer(), false,
                        Optional.empty())).status())
                .isEqualTo(304);
    }
}
