package io.guidepost.handle.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.handle.Handle;
import io.guidepost.handle.json.ValueJson;
import io.guidepost.handle.value.AdminRecord;
import io.guidepost.handle.value.AdminRight;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Exchanges that were seen with an existing server, asked again here: status, header and body of the answer are the same. */
class CapturedExchangesTest {
    /** Its first lines say how it is written. */
    private static final Path RECORDED = Path.of("src/test/resources/exchanges/http-9.2.txt");

    /** A request and its answer: the lines of each kind. */
    private record Exchange(List<String> lines) {
        List<String> all(String kind) {
            return lines.stream().filter(each -> each.startsWith(kind + " ")).map(each -> each.substring(kind.length() + 1)).toList();
        }

        boolean secure() {
            return lines.getFirst().startsWith("asks ");
        }

        String method() {
            return lines.getFirst().split(" ", -1)[1];
        }

        String target() {
            return lines.getFirst().split(" ", -1)[2];
        }

        String body() {
            return String.join("\n", all("<"));
        }
    }

    private static List<Exchange> exchanges() throws IOException {
        List<Exchange> exchanges = new ArrayList<>();
        for (String line : Files.readAllLines(RECORDED)) {
            if (line.startsWith("ask")) {
                exchanges.add(new Exchange(new ArrayList<>()));
            }
            if (!exchanges.isEmpty()) {
                exchanges.getLast().lines().add(line);
            }
        }
        return exchanges;
    }

    private static RestStand door(List<Exchange> exchanges) throws IOException, Malformed {
        RestStand door = RestStand.inMemory();
        door.homes.home(Handle.of("0.NA/20.500.99999"));
        door.put("0.NA/1234", HandleValue.of(100, "HS_ADMIN", new AdminRecord(AdminRight.ALL, RestStand.KEY_ADMIN).write()));
        for (Exchange each : exchanges) {
            if (each.lines().getFirst().matches("ask GET /api/handles/1234/(1|SITE|ADMIN)")
                    && each.body().startsWith("{\"responseCode\":1,")) {
                JsonField body = JsonValue.read(each.body().getBytes(StandardCharsets.UTF_8)).whole();
                List<HandleValue> values = new ArrayList<>(ValueJson.readValues(body));
                if (each.target().endsWith("ADMIN")) {
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
        RestStand.Asking asking = door.ask(exchange.method(), exchange.target());
        if (!exchange.secure()) {
            asking.clear();
        }
        for (String each : exchange.all("by")) {
            int space = each.indexOf(' ');
            asking.by(each.substring(0, space), each.substring(space + 1));
        }
        boolean typed = false;
        for (String each : exchange.all("field")) {
            int colon = each.indexOf(':');
            asking.with(each.substring(0, colon), each.substring(colon + 1).strip());
            typed |= each.startsWith("Content-Type");
        }
        for (String each : exchange.all("body")) {
            asking.body(typed ? "" : "application/x-www-form-urlencoded", each);
        }
        return asking.answer();
    }

    @Test
    void everyExchangeIsTheSameHere() throws IOException, Malformed {
        List<Exchange> exchanges = exchanges();
        try (RestStand door = door(exchanges)) {
            for (Exchange each : exchanges) {
                RestStand.Answered answer = ask(door, each);
                String asked = each.lines().getFirst();
                assertThat(answer.status()).as(asked + " " + answer.text()).isEqualTo(Integer.parseInt(each.all("status").getFirst()));
                each.all("told").forEach(told -> assertField(asked, told, answer));
                if (!each.body().isEmpty()) {
                    assertThat(answer.text()).as(asked).matches(pattern(each.body()));
                }
            }
        }
        assertThat(exchanges).hasSizeGreaterThan(45);
    }

    private static void assertField(String asked, String told, RestStand.Answered answer) {
        String name = told.substring(0, told.indexOf(':'));
        String value = told.substring(name.length() + 1).strip();
        switch (name) {
            case "Content-Length" -> assertThat(answer.text()).as(asked).hasSize(Integer.parseInt(value));
            // Nothing here answers TRACE.
            case "Allow" -> assertThat(answer.header(name)).isEqualTo(value.replace("TRACE, ", ""));
            default ->
                assertThat(answer.all(name)).as(asked + " " + name).anySatisfy(mine -> assertThat(mine).matches(pattern(value)));
        }
    }

    private static Pattern pattern(String recorded) {
        return Pattern.compile(Arrays.stream(recorded.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }
}
