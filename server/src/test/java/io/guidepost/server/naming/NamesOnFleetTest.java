package io.guidepost.server.naming;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Prefix;
import io.guidepost.fleet.ModelFleet;
import io.guidepost.naming.NameDirectory;
import io.guidepost.naming.NameSettings;
import io.guidepost.naming.NamesApi;
import io.guidepost.naming.SiteGateway;
import io.guidepost.naming.WriterTokens;
import io.guidepost.proximity.ranking.Ranking;
import io.guidepost.store.RecordStore;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Names over HTTP at two front ends of a fleet. */
final class NamesOnFleetTest {
    private static final String LONG = "/v1/names/orders.prod.eu-west-1.example";

    private final ModelFleet fleet = new ModelFleet();

    /** A front end. */
    private final class FrontEnd implements AutoCloseable {
        private final RecordStore store = fleet.open();
        private final NamesApi api;

        FrontEnd() throws Exception {
            List<Prefix> all = List.of(Prefix.parse("0.0.0.0/0"), Prefix.parse("::/0"));
            NameDirectory names = new NameDirectory(new NameSettings(all, all, WriterTokens.NONE, false), 1 << 20, System::nanoTime);
            names.open(store, SiteGateway.ALONE, () -> Ranking.EMPTY, InstantSource.system(), new SplittableRandom(7));
            api = new NamesApi(names);
        }

        Answer call(String method, String target, String body, String... headers) {
            Map<String, List<String>> lines = new HashMap<>();
            if (!body.isEmpty()) {
                lines.put("content-type", List.of("application/json"));
            }
            for (int i = 0; i < headers.length; i += 2) {
                lines.put(headers[i], List.of(headers[i + 1]));
            }
            HttpResponse response = api.answer(new HttpRequest(
                    method, target, lines, body.getBytes(StandardCharsets.UTF_8),
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711), false, Optional.empty()));
            String tag = response.headers().stream()
                    .filter(each -> each.getKey().equals("ETag"))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse("");
            byte[] read = response.body() instanceof HttpResponse.Bytes(byte[] bytes) ? bytes : new byte[0];
            return new Answer(response.status(), tag, new String(read, StandardCharsets.UTF_8));
        }

        @Override
        public void close() {
            store.close();
        }
    }

    private record Answer(int status, String tag, String body) {}

    private static String places(String... places) {
        return "{\"places\":[{\"place\":\"" + String.join("\"},{\"place\":\"", places) + "\"}]}";
    }

    @Test
    void whatOneFrontEndWritesTheOtherReadsListsAndRemoves() throws Exception {
        try (FrontEnd one = new FrontEnd(); FrontEnd other = new FrontEnd()) {
            String body = "{\"places\":[{\"place\":\"192.0.2.10:8443\",\"weight\":3,\"labels\":{\"zone\":\"a\"}},"
                    + "{\"place\":\"192.0.2.11:8443\"}]}";
            assertThat(one.call("PUT", LONG, body).status()).isEqualTo(201);
            assertThat(other.call("GET", LONG, "").body()).contains("192.0.2.10:8443", "\"weight\":3", "\"zone\":\"a\"");
            assertThat(other.call("PUT", "/v1/names/printer", places("192.0.2.1:9")).status()).isEqualTo(201);
            String patch = "{\"add\":[{\"place\":\"192.0.2.12:8443\"}],\"remove\":[\"192.0.2.11:8443\"]}";
            Answer patched = other.call("PATCH", LONG, patch);
            assertThat(patched.status()).as(patched.body()).isEqualTo(200);
            Answer read = one.call("GET", LONG, "");
            assertThat(read.body()).isEqualTo(patched.body()).contains("192.0.2.10", "192.0.2.12").doesNotContain("192.0.2.11");
            assertThat(read.tag()).isEqualTo(patched.tag());
            assertThat(one.call("GET", "/v1/names", "").body())
                    .contains("\"orders.prod.eu-west-1.example\"", "\"printer\"")
                    .doesNotContain("position");
            assertThat(one.call("GET", "/v1/names?prefix=print", "").body()).contains("printer").doesNotContain("orders");
            assertThat(one.call("GET", "/v1/names?limit=1&after=orders.prod.eu-west-1.example", "").body()).contains("printer");
            assertThat(one.call("DELETE", "/v1/names/printer", "").status()).isEqualTo(204);
            assertThat(other.call("GET", "/v1/names/printer", "").status()).isEqualTo(404);
            assertThat(other.call("DELETE", "/v1/names/printer", "").status()).isEqualTo(404);
            assertThat(other.call("GET", "/v1/names?prefix=print", "").body()).doesNotContain("printer");
            Answer batch = other.call("POST", "/v1/names:batch", "{\"operations\":[{\"op\":\"put\",\"name\":\"web\",\"places\":[{\"place\":"
                    + "\"192.0.2.3:80\"}]},{\"op\":\"get\",\"name\":\"web\"},{\"op\":\"delete\",\"name\":\"absent\"}]}");
            assertThat(batch.body()).contains("\"status\":201", "\"status\":200", "\"status\":404");
        }
    }

    @Test
    void aChangeIsMadeIfItsConditionHolds() throws Exception {
        try (FrontEnd one = new FrontEnd(); FrontEnd other = new FrontEnd()) {
            String first = one.call("PUT", LONG, places("192.0.2.1:1"), "if-none-match", "*").tag();
            assertThat(other.call("PUT", LONG, places("192.0.2.1:2"), "if-none-match", "*").status()).isEqualTo(412);
            Answer second = other.call("PUT", LONG, places("192.0.2.1:3"), "if-match", first);
            assertThat(second.status()).isEqualTo(200);
            assertThat(one.call("PUT", LONG, places("192.0.2.1:4"), "if-match", first).status()).isEqualTo(412);
            assertThat(one.call("DELETE", LONG, "", "if-match", first).status()).isEqualTo(412);
            assertThat(one.call("GET", LONG, "").body()).contains("192.0.2.1:3\"");
            assertThat(one.call("DELETE", LONG, "", "if-match", second.tag()).status()).isEqualTo(204);
        }
    }

    @Test
    void whatAFleetDoesNotHaveIsRefusedWithWhatToDo() throws Exception {
        try (FrontEnd one = new FrontEnd()) {
            Answer watch = one.call("GET", "/v1/names?watch=1", "");
            assertThat(watch.status()).isEqualTo(501);
            assertThat(watch.body()).contains("urn:guidepost:problem:not-on-a-fleet", "list the names");
            for (Answer each : List.of(
                    one.call("PUT", LONG + "?lease=30s", places("192.0.2.1:1")),
                    one.call("POST", "/v1/leases/0123456789abcdef0123456789abcdef:renew", ""),
                    one.call("DELETE", "/v1/leases/0123456789abcdef0123456789abcdef", ""))) {
                assertThat(each.status()).as(each.body()).isEqualTo(501);
                assertThat(each.body()).contains("not-on-a-fleet", "expires");
            }
            assertThat(one.call("GET", LONG, "").status()).as("nothing was written").isEqualTo(404);
        }
    }

    @Test
    void aClusterThatIsAwayIsSaid() throws Exception {
        try (FrontEnd one = new FrontEnd()) {
            one.call("PUT", LONG, places("192.0.2.1:1"));
            fleet.away(true);
            assertThat(one.call("PUT", LONG, places("192.0.2.1:2")).status()).isEqualTo(503);
            assertThat(one.call("GET", "/v1/names", "").status()).isEqualTo(503);
            fleet.away(false);
        }
    }
}
