package io.guidepost.alto.service;

import io.guidepost.base.Malformed;
import io.guidepost.web.HttpHandler;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonValue;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks a service as a client would, without a network. What is answered must be a request that a standard allows. */
public final class AltoTestCaller {
    private final HttpHandler service;
    private final InetAddress self;
    private final boolean anything;

    /** As somebody at the loop-back address. */
    public AltoTestCaller(HttpHandler service) {
        this(service, InetAddress.getLoopbackAddress());
    }

    /** As somebody at an address. */
    public AltoTestCaller(HttpHandler service, InetAddress self) {
        this(service, self, false);
    }

    private AltoTestCaller(HttpHandler service, InetAddress self, boolean anything) {
        this.service = service;
        this.self = self;
        this.anything = anything;
    }

    /** As somebody whose requests may be answered though no standard allows them, as names that nobody has are ignored. */
    public static AltoTestCaller anything(HttpHandler service) {
        return new AltoTestCaller(service, InetAddress.getLoopbackAddress(), true);
    }

    /** What came back. */
    public record Answer(int status, String type, String text) {
        /** As JSON. */
        public JsonValue.Members json() {
            return (JsonValue.Members) read(text);
        }

        /** The member at a path with slashes, as text; empty if it is not there. */
        public String at(String path) {
            JsonValue at = json();
            for (String each : path.split("/", -1)) {
                JsonValue next = at instanceof JsonValue.Members members ? members.members().get(each) : null;
                if (next == null) {
                    return "";
                }
                at = next;
            }
            return written(at);
        }
    }

    /** Reads JSON that must be right. */
    public static JsonValue read(String text) {
        try {
            return JsonValue.read(text.getBytes(StandardCharsets.UTF_8), 1 << 26);
        } catch (Malformed e) {
            throw new AssertionError("no JSON: " + text, e);
        }
    }

    /** A value as compact JSON; strings without escapes. */
    public static String written(JsonValue json) {
        return switch (json) {
            case JsonValue.Members(Map<String, JsonValue> members, long _) -> "{" + String.join(
                    ",", members.entrySet().stream().map(each -> '"' + each.getKey() + "\":" + written(each.getValue())).toList())
                    + "}";
            case JsonValue.Elements(List<JsonValue> elements, long _) ->
                "[" + String.join(",", elements.stream().map(AltoTestCaller::written).toList()) + "]";
            case JsonValue.Text(String text, long _) -> '"' + text + '"';
            case JsonValue.Number(String digits, long _) -> digits;
            case JsonValue.Truth(boolean truth, long _) -> String.valueOf(truth);
            case JsonValue.Null _ -> "null";
        };
    }

    /** Fetches a resource. */
    public Answer get(String path, String... headers) {
        return ask("GET", path, "", headers);
    }

    /** Posts an input, of the type that the resource takes. */
    public Answer post(String path, String accepts, String body) {
        return ask("POST", path, body, "content-type", accepts);
    }

    /** Sends a request with headers, names and values by turns. */
    public Answer ask(String method, String path, String body, String... headers) {
        Map<String, List<String>> lines = new HashMap<>();
        lines.put("host", List.of("alto.example"));
        for (int i = 0; i < headers.length; i += 2) {
            lines.put(headers[i], List.of(headers[i + 1]));
        }
        HttpResponse answer = service.answer(new HttpRequest(
                method, path, lines, body.getBytes(StandardCharsets.UTF_8), new InetSocketAddress(self, 9), false,
                Optional.empty()));
        String type = answer.headers().stream()
                .filter(each -> each.getKey().equals("Content-Type"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
        String asked = lines.getOrDefault("content-type", List.of("")).getFirst();
        if (!anything && method.equals("POST") && answer.status() < 300 && !path.matches(".*/ug(/.*)?")) {
            AltoSchemas.requestIsValid(asked, body);
        }
        return new Answer(
                answer.status(), type,
                new String(((HttpResponse.Bytes) answer.body()).bytes(), StandardCharsets.UTF_8));
    }
}
