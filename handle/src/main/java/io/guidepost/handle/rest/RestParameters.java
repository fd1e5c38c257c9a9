package io.guidepost.handle.rest;

import io.guidepost.base.Malformed;
import io.guidepost.web.FormUrlEncoded;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The parameters of a request: from its query string, and from a body that holds parameters. */
final class RestParameters {
    /** No parameters. */
    static final RestParameters NONE = new RestParameters();

    /** Parameters of one request, which bounds its cost. */
    private static final int PARAMETERS_MAX = 4096;

    private final Map<String, List<String>> values = new HashMap<>();
    private int count;

    private RestParameters() {}

    /** Parses the parameters of the query string. */
    static RestParameters of(HttpRequest request) throws Malformed {
        String query = request.query();
        if (query.isEmpty()) {
            return NONE;
        }
        RestParameters parameters = new RestParameters();
        FormUrlEncoded.parse(query, parameters::add);
        return parameters;
    }

    /** Parses the parameters of the query string and of a body, a form or a JSON object. */
    static RestParameters withBody(HttpRequest request) throws Malformed {
        RestParameters parameters = new RestParameters();
        FormUrlEncoded.parse(request.query(), parameters::add);
        if (request.body().length == 0) {
            return parameters;
        }
        if (isJson(request)) {
            parameters.addJson(JsonValue.read(request.body()).whole());
        } else if (mediaType(request).equals("application/x-www-form-urlencoded")) {
            FormUrlEncoded.parse(new String(request.body(), StandardCharsets.UTF_8), parameters::add);
        } else {
            throw unsupported(request);
        }
        return parameters;
    }

    /** Returns whether the body is JSON, or has no media type. */
    static boolean isJson(HttpRequest request) {
        String type = mediaType(request);
        return type.isEmpty() || type.equals("application/json") || type.endsWith("+json");
    }

    /** Returns the refusal of an unsupported media type. */
    static Malformed unsupported(HttpRequest request) {
        return new Malformed("Unsupported media type " + mediaType(request), 0);
    }

    private static String mediaType(HttpRequest request) {
        return request.header("content-type").orElse("").split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private void addJson(JsonField object) throws Malformed {
        for (String name : object.members().keySet()) {
            Optional<JsonField> field = object.find(name);
            if (field.isPresent() && field.get().json() instanceof JsonValue.Elements) {
                for (JsonField each : field.get().elements(PARAMETERS_MAX)) {
                    add(name, scalar(each));
                }
            } else if (field.isPresent()) {
                add(name, scalar(field.get()));
            }
        }
    }

    private static String scalar(JsonField field) throws Malformed {
        return switch (field.json()) {
            case JsonValue.Text(String text, long _) -> text;
            case JsonValue.Number(String digits, long _) -> digits;
            case JsonValue.Truth(boolean truth, long _) -> Boolean.toString(truth);
            default -> throw field.refused("is a string, a number, true or false");
        };
    }

    private void add(String name, String value) throws Malformed {
        if (++count > PARAMETERS_MAX) {
            throw new Malformed("a request has at most " + PARAMETERS_MAX + " parameters", 0);
        }
        values.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(value);
    }

    /** Returns the first value of a parameter, or null. */
    @Nullable String first(String name) {
        List<String> found = values.get(name);
        return found == null ? null : found.getFirst();
    }

    /** Returns all values of a parameter. */
    List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    /** Returns whether a parameter is true; one without a value is. */
    boolean flag(String name, boolean otherwise) {
        String value = first(name);
        return value == null ? otherwise : value.isEmpty() || value.equalsIgnoreCase("true") || value.equals("1");
    }

    /** Returns the values of an integer parameter. */
    List<Integer> integers(String name) throws Malformed {
        List<Integer> integers = new ArrayList<>();
        for (String each : all(name)) {
            integers.add((int) integer(name, each, Integer.MIN_VALUE, Integer.MAX_VALUE));
        }
        return integers;
    }

    /** Returns an integer parameter within bounds. */
    long integer(String name, long min, long max, long otherwise) throws Malformed {
        String value = first(name);
        return value == null ? otherwise : integer(name, value, min, max);
    }

    private static long integer(String name, String text, long min, long max) throws Malformed {
        try {
            long value = Long.parseLong(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Refused below, as a number out of bounds.
        }
        throw new Malformed(name + " is an integer from " + min + " to " + max, 0);
    }
}
