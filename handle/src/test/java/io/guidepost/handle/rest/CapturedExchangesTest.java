package io.guidepost.handle.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleVectorFiles;
import io.guidepost.handle.json.ValueJson;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Exchanges that were seen with an existing server, asked again here: status, headers and every field of the answer are
 * the same, but for what is random, times of changes, and accidental texts.
 */
class CapturedExchangesTest {
    /** A request as curl was told, and the answer that came. */
    private record Exchange(List<String> words, int status, List<String> headers, String body) {
        String url() {
            return words.getLast();
        }

        List<String> options(String flag) {
            List<String> found = new ArrayList<>();
            for (int i = 0; i < words.size() - 1; i++) {
                if (words.get(i).equals(flag)) {
                    int end = i + 1;
                    while (end < words.size() - 1 && !words.get(end).matches("-[XuHdIoD]")) {
                        end++;
                    }
                    found.add(String.join(" ", words.subList(i + 1, end)));
                }
            }
            return found;
        }
    }

    private static List<Exchange> exchanges() throws IOException {
        List<Exchange> exchanges = new ArrayList<>();
        List<String> lines = HandleVectorFiles.lines("http.txt");
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).startsWith("$ curl ") || !lines.get(i).contains("/api/")) {
                continue;
            }
            List<String> words = Arrays.asList(lines.get(i).substring(7).split(" ", -1));
            int status = Integer.parseInt(lines.get(i + 1).split(" ", -1)[1]);
            int at = i + 2;
            List<String> headers = new ArrayList<>();
            while (!lines.get(at).isEmpty()) {
                headers.add(lines.get(at++));
            }
            StringBuilder body = new StringBuilder();
            at++;
            while (at < lines.size() && !lines.get(at).startsWith("$ curl ")) {
                body.append(lines.get(at++)).append('\n');
            }
            exchanges.add(new Exchange(words, status, headers, body.toString().strip()));
        }
        return exchanges;
    }

    private static RestStand door(List<Exchange> exchanges) throws IOException, Malformed {
        RestStand door = RestStand.inMemory();
        door.homes.home(Handle.of("0.NA/20.500.99999"));
        door.put("0.NA/1234", HandleValue.of(100, "HS_ADMIN", new AdminRecord(AdminRight.ALL, RestStand.KEY_ADMIN).write()));
        for (Exchange each : exchanges) {
            if (each.words().size() == 1 && each.url().matches(".*/1234/(1|SITE|ADMIN)")
                    && each.body().startsWith("{\"responseCode\":1,")) {
                JsonField body = JsonValue.read(each.body().getBytes(StandardCharsets.UTF_8)).whole();
                List<HandleValue> values = new ArrayList<>(ValueJson.readValues(body));
                if (each.url().endsWith("ADMIN")) {
                    values.add(RestStand.secret(301, RestStand.SECRET).changedAt(1_700_000_000L));
                }
                door.put(body.member("handle").text(), values.toArray(HandleValue[]::new));
            }
        }
        for (String each : List.of("10", "100", "1000", "10000", "100000")) {
            door.put("1234/" + each, HandleValue.of(1, "URL", "http://www.example.org/"));
        }
        return door;
    }

    private static RestStand.Answered ask(RestStand door, Exchange exchange) throws IOException {
        URI url = URI.create(exchange.url().replace("\"", "%22"));
        boolean head = exchange.words().contains("-I");
        boolean data = !exchange.options("-d").isEmpty();
        String method = exchange.options("-X").isEmpty() ? head ? "HEAD" : data ? "POST" : "GET"
                : exchange.options("-X").getFirst();
        RestStand.Asking asking = door.ask(method, exchange.url().replaceFirst("https?://[^/]*", ""));
        if (url.getScheme().equals("http")) {
            asking.clear();
        }
        for (String each : exchange.options("-u")) {
            int colon = each.indexOf(':');
            asking.by(each.substring(0, colon), each.substring(colon + 1));
        }
        boolean typed = false;
        for (String each : exchange.options("-H")) {
            int colon = each.indexOf(':');
            asking.with(each.substring(0, colon), each.substring(colon + 1).strip());
            typed |= each.startsWith("Content-Type");
        }
        for (String each : exchange.options("-d")) {
            String type = typed ? "" : "application/x-www-form-urlencoded";
            asking.body(type, each);
        }
        return asking.answer();
    }

    @Test
    void everyExchangeIsTheSameHere() throws IOException, Malformed {
        List<Exchange> exchanges = exchanges();
        try (RestStand door = door(exchanges)) {
            for (Exchange each : exchanges) {
                RestStand.Answered answer = ask(door, each);
                String asked = String.join(" ", each.words());
                assertThat(answer.status()).as(asked + " " + answer.text()).isEqualTo(each.status());
                assertHeaders(asked, each, answer);
                assertBody(asked, each, answer);
            }
        }
        assertThat(exchanges).hasSizeGreaterThan(45);
    }

    private static void assertHeaders(String asked, Exchange exchange, RestStand.Answered answer) {
        for (String each : exchange.headers()) {
            String name = each.substring(0, each.indexOf(':'));
            String value = each.substring(name.length() + 1).strip();
            switch (name) {
                case "Transfer-Encoding", "Content-Encoding", "Date" -> {}
                case "Content-Length" -> {
                    if (asked.startsWith("-I") || exchange.body().isEmpty()) {
                        assertThat(answer.text()).as(asked).hasSize(Integer.parseInt(value));
                    }
                }
                case "Allow" -> assertThat(answer.header(name)).isEqualTo(value.replace("TRACE, ", ""));
                case "WWW-Authenticate" ->
                    assertThat(answer.all(name)).as(asked).anySatisfy(mine -> assertThat(withoutRandom(mine))
                            .isEqualTo(withoutRandom(value)));
                default -> assertThat(answer.all(name)).as(asked + " " + name).contains(value);
            }
        }
    }

    private static String withoutRandom(String text) {
        return text.replaceAll("(sessionId|nonce)=\"[^\"]*\"", "$1");
    }

    private static void assertBody(String asked, Exchange exchange, RestStand.Answered answer) throws Malformed {
        if (asked.startsWith("-I") || exchange.body().isEmpty()) {
            return;
        }
        if (!exchange.body().startsWith("{") || asked.contains("pretty")) {
            assertThat(answer.text()).as(asked).isEqualTo(exchange.body());
            return;
        }
        JsonField theirs = JsonValue.read(exchange.body().getBytes(StandardCharsets.UTF_8)).whole();
        assertSame(asked, theirs.json(), answer.json().json(), "");
        if (!exchange.body().contains("java") && !asked.contains("api/site") && !asked.endsWith("1234/ADMIN")) {
            assertThat(withoutValues(answer.text())).as(asked).isEqualTo(withoutValues(exchange.body()));
        }
    }

    private static int index(JsonValue value) {
        JsonValue index = ((JsonValue.Members) value).members().getOrDefault("index", value);
        return Integer.parseInt(((JsonValue.Number) index).digits());
    }

    /** The text without what differs from one server to another, so that the order of members can be compared. */
    private static String withoutValues(String text) {
        return text.replaceAll("\"(timestamp|totalCount|sessionId|nonce|serverSignature)\":\"[^\"]*\"", "$1")
                .replaceAll("1234/x-[0-9a-f-]{36}", "x");
    }

    private static void assertSame(String asked, JsonValue theirs, JsonValue mine, String name) {
        switch (theirs) {
            case JsonValue.Members(Map<String, JsonValue> members, long _) -> {
                Map<String, JsonValue> my = ((JsonValue.Members) mine).members();
                assertThat(my.keySet()).as(asked).isEqualTo(members.keySet());
                if (!name.equals("site")) {
                    members.forEach((key, value) -> assertSame(asked, value, my.getOrDefault(key, mine), key));
                }
            }
            case JsonValue.Elements(List<JsonValue> elements, long _) -> {
                List<JsonValue> my = ((JsonValue.Elements) mine).elements();
                assertThat(my).as(asked + " " + name).hasSameSizeAs(elements);
                List<JsonValue> sorted = new ArrayList<>(elements);
                if (name.equals("values")) {
                    // Values are in the order of their indexes here, and in that of their creation there.
                    sorted.sort(Comparator.comparingInt(CapturedExchangesTest::index));
                }
                for (int i = 0; i < sorted.size(); i++) {
                    assertSame(asked, sorted.get(i), my.get(i), name);
                }
            }
            case JsonValue.Text(String text, long _) -> {
                String my = ((JsonValue.Text) mine).text();
                boolean random = List.of("timestamp", "totalCount", "sessionId", "nonce", "serverSignature").contains(name);
                if (!random && !text.startsWith("java.") && !text.startsWith("com.") && !text.matches("1234/x-.{36}")) {
                    assertThat(my).as(asked + " " + name).isEqualTo(text);
                }
            }
            case JsonValue.Number(String digits, long _) ->
                assertThat(((JsonValue.Number) mine).digits()).as(asked + " " + name).isEqualTo(digits);
            case JsonValue.Truth(boolean truth, long _) ->
                assertThat(((JsonValue.Truth) mine).truth()).as(asked + " " + name).isEqualTo(truth);
            case JsonValue.Null _ -> assertThat(mine).isInstanceOf(JsonValue.Null.class);
        }
    }
}
