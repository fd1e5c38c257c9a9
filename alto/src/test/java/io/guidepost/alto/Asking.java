package io.guidepost.alto;

import io.guidepost.names.Malformed;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.HttpService;
import io.guidepost.web.Json;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks a service as a client would, without a network. What is answered must be a request that a standard allows. */
public final class Asking {
    private final HttpService service;
    private final InetAddress self;
    private final boolean anything;

    /** As somebody at the loop-back address. */
    public Asking(HttpService service) {
        this(service, InetAddress.getLoopbackAddress());
    }

    /** As somebody at an address. */
    public Asking(HttpService service, InetAddress self) {
        this(service, self, false);
    }

    private Asking(HttpService service, InetAddress self, boolean anything) {
        this.service = service;
        this.self = self;
        this.anything = anything;
    }

    /** As somebody whose requests may be answered though no standard allows them, as names that nobody has are ignored. */
    public static Asking anything(HttpService service) {
        return new Asking(service, InetAddress.getLoopbackAddress(), true);
    }

    /** What came back. */
    public record Answer(int status, String type, String text) {
        /** As JSON. */
        public Json.Members json() {
            return (Json.Members) read(text);
        }

        /** The member at a path with slashes, as text; empty if it is not there. */
        public String at(String path) {
            Json at = json();
            for (String each : path.split("/", -1)) {
                Json next = at instanceof Json.Members members ? members.members().get(each) : null;
                if (next == null) {
                    return "";
                }
                at = next;
            }
            return written(at);
        }
    }

    /** Reads JSON that must be right. */
    public static Json read(String text) {
        try {
            return Json.read(text.getBytes(StandardCharsets.UTF_8), 1 << 26);
        } catch (Malformed e) {
            throw new AssertionError("no JSON: " + text, e);
        }
    }

    /** A value as compact JSON; strings without escapes. */
    public static String written(Json json) {
        return switch (json) {
            case Json.Members(Map<String, Json> members, long _) -> "{" + String.join(
                    ",", members.entrySet().stream().map(each -> '"' + each.getKey() + "\":" + written(each.getValue())).toList())
                    + "}";
            case Json.Elements(List<Json> elements, long _) ->
                "[" + String.join(",", elements.stream().map(Asking::written).toList()) + "]";
            case Json.Text(String text, long _) -> '"' + text + '"';
            case Json.Number(String digits, long _) -> digits;
            case Json.Truth(boolean truth, long _) -> String.valueOf(truth);
            case Json.Null _ -> "null";
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
            Schemas.requestIsValid(asked, body);
        }
        return new Answer(
                answer.status(), type,
                new String(((HttpResponse.Bytes) answer.body()).bytes(), StandardCharsets.UTF_8));
    }
}
