package io.guidepost.naming;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every example of the API's document is run, in the order that it says, against one server. */
final class OpenApiExamplesTest {
    /** What stands in examples for what a server chooses. */
    private static final String VERSION = "117034862018985984";
    private static final String LEASE = "3b1f9a4c5d6e7f80a1b2c3d4e5f60718";
    private static final String POSITION = "7d1c5a90-1042";
    private static final Set<String> METHODS = Set.of("get", "put", "patch", "delete", "post");

    private record Operation(String path, String method, Map<String, Object> body, List<Object> parameters) {}

    private final Map<String, Operation> operations = new TreeMap<>();
    private final Map<String, String> versions = new TreeMap<>();
    private String lease = LEASE;
    private String position = POSITION;

    @SuppressWarnings("unchecked") // JSON.
    private static Map<String, Object> object(Object of, String... path) {
        Object at = of;
        for (String each : path) {
            at = ((Map<String, Object>) at).getOrDefault(each, Map.of());
        }
        return (Map<String, Object>) at;
    }

    @SuppressWarnings("unchecked") // JSON.
    private static List<Object> list(Object of, String member) {
        return (List<Object>) ((Map<String, Object>) of).getOrDefault(member, List.of());
    }

    private static String text(Object of, String member) {
        return requireNonNull((String) object(of).get(member), member);
    }

    private static Map<String, Object> document() throws Malformed {
        return JsonValue.read(NamesApi.document()).whole().object();
    }

    private void read(Map<String, Object> document) {
        object(document, "paths").forEach((path, item) -> object(item).forEach((method, body) -> {
            if (METHODS.contains(method)) {
                List<Object> parameters = new ArrayList<>(list(item, "parameters"));
                parameters.addAll(list(body, "parameters"));
                operations.put(text(body, "operationId"), new Operation(path, method, object(body), parameters));
            }
        }));
    }

    /** The examples of an operation's answers, by status. */
    private static Map<String, String> examples(Operation operation) {
        Map<String, String> examples = new TreeMap<>();
        object(operation.body, "responses").forEach((status, response) -> {
            object(response, "x-examples").keySet().forEach(each -> examples.put(each, status));
            object(response, "content").values().forEach(
                    content -> object(content, "examples").keySet().forEach(each -> examples.put(each, status)));
        });
        return examples;
    }

    @Test
    void everyExampleIsWhatTheServerAnswers() throws Exception {
        Map<String, Object> document = document();
        read(document);
        Set<String> left = new TreeSet<>();
        operations.forEach((id, each) -> examples(each).keySet().forEach(example -> left.add(id + "." + example)));
        try (LocalApi api = LocalApi.inMemory()) {
            for (Object each : list(document, "x-walk")) {
                assertThat(left.remove(each)).as("%s of x-walk is an example", each).isTrue();
                String[] parts = ((String) each).split("\\.", 2);
                run(api, requireNonNull(operations.get(parts[0]), parts[0]), parts[1], (String) each);
            }
        }
        assertThat(left).as("examples that x-walk leaves out").isEmpty();
    }

    private void run(LocalApi api, Operation operation, String example, String what) throws Exception {
        String path = operation.path;
        List<String> query = new ArrayList<>();
        List<String> headers = new ArrayList<>();
        String name = "";
        for (Object each : operation.parameters) {
            Object value = object(each, "examples", example).get("value");
            if (value == null) {
                continue;
            }
            String parameter = text(each, "name");
            String text = chosen(String.valueOf(value), name);
            switch (text(each, "in")) {
                case "path" -> {
                    name = text;
                    path = path.replace("{" + parameter + "}", text);
                }
                case "query" -> query.add(parameter + "=" + URLEncoder.encode(text, StandardCharsets.UTF_8));
                default -> headers.addAll(List.of(parameter.toLowerCase(java.util.Locale.ROOT), text));
            }
        }
        Object body = object(operation.body, "requestBody", "content", "application/json", "examples", example).get("value");
        String status = requireNonNull(examples(operation).get(example), what);
        String target = query.isEmpty() ? path : path + "?" + String.join("&", query);
        Object expected = expected(operation, status, example);
        if (expected instanceof String events) {
            watch(api, target, events, what);
            return;
        }
        LocalApi.Answer answer = api.call(
                operation.method.toUpperCase(java.util.Locale.ROOT),
                target,
                body == null ? "" : JsonWriter.line(body),
                headers.toArray(String[]::new));
        assertThat(answer.status()).as(what + ": " + answer.body()).isEqualTo(Integer.parseInt(status));
        if (expected == null) {
            assertThat(answer.body()).as(what).isEmpty();
        } else {
            learn(answer);
            assertThat(usual(answer.json())).as(what).isEqualTo(usual(expected));
        }
    }

    private static @Nullable Object expected(Operation operation, String status, String example) {
        for (Object each : object(operation.body, "responses", status, "content").values()) {
            Map<String, Object> found = object(each, "examples", example);
            if (!found.isEmpty()) {
                return found.get("value");
            }
        }
        return null;
    }

    private static void watch(LocalApi api, String target, String events, String what) throws Exception {
        try (Watcher watcher = api.watch(target.replaceFirst("[^?]*[?]", "&").replace("&watch=1", ""))) {
            for (String each : events.split("\n\n", -1)) {
                if (!each.isEmpty()) {
                    Watcher.Event event = watcher.next();
                    String id = event.id().isEmpty() ? "" : "id: " + POSITION + "\n";
                    String told = id + "event: " + event.type() + "\ndata: " + event.data();
                    assertThat(told.replaceAll("(\"version\":)\"[0-9]+\"", "$1\"" + VERSION + "\"")).as(what).isEqualTo(each);
                }
            }
        }
    }

    /** Puts what the server chose into a request. */
    private String chosen(String text, String name) {
        String version = versions.getOrDefault(name, VERSION);
        return text.replace(LEASE, lease).replace(POSITION, position).replace(VERSION, version);
    }

    private void learn(LocalApi.Answer answer) {
        Map<String, Object> json = answer.json();
        if (json.get("version") instanceof String version) {
            versions.put(text(json, "name"), version);
            assertThat(answer.headers()).containsEntry("ETag", '"' + version + '"');
        }
        if (json.get("lease") instanceof Map<?, ?> given) {
            lease = text(given, "id");
        }
        if (json.get("position") instanceof String told) {
            position = told;
        }
    }

    /** Returns JSON with the placeholders in place of what the server chose. */
    private static Object usual(Object json) {
        return switch (json) {
            case Map<?, ?> map -> {
                Map<String, Object> usual = new TreeMap<>();
                map.forEach((key, value) -> usual.put((String) key, switch ((String) key) {
                    case "version" -> VERSION;
                    case "position" -> POSITION;
                    case "id" -> LEASE;
                    case "lease" -> value instanceof String ? LEASE : usual(value);
                    case "detail" -> ((String) value).replaceAll("version [0-9]+", "version " + VERSION);
                    default -> usual(value);
                }));
                yield usual;
            }
            case List<?> list -> list.stream().map(OpenApiExamplesTest::usual).toList();
            default -> json;
        };
    }

    @Test
    void eachOperationAndStatusIsOneThatTheServerHas() throws Malformed, IOException {
        read(document());
        Set<String> kinds = new HashSet<>();
        operations.values().forEach(each -> object(each.body, "responses").keySet().forEach(kinds::add));
        assertThat(kinds).contains("200", "201", "204", "304", "400", "401", "403", "404", "409", "412", "413", "415", "503");
        try (LocalApi api = LocalApi.inMemory()) {
            for (Operation each : operations.values()) {
                LocalApi.Answer answer = api.call("OPTIONS", each.path.replace("{name}", "a").replace("{id}", "b"), "");
                assertThat(answer.headers().get("Allow")).as(each.path).contains(each.method.toUpperCase(java.util.Locale.ROOT));
            }
        }
    }
}
