package io.guidepost.web;

import io.guidepost.base.Malformed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parameters of a request: from its query string, and from a body that holds parameters. */
public final class RequestParameters {
    /** No parameters. */
    public static final RequestParameters NONE = new RequestParameters(0);

    /** Parameters of one request, which bounds its cost. */
    private static final int PARAMETERS_MAX = 4096;

    private static final Set<String> TRUE = Set.of("true", "yes", "1");

    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private final int most;
    private int count;

    private RequestParameters(int most) {
        this.most = most;
    }

    /** Parses the parameters of the query string. */
    public static RequestParameters of(HttpRequest request) throws Malformed {
        return request.query().isEmpty() ? NONE : of(request.query(), PARAMETERS_MAX);
    }

    /** Parses at most {@code most} parameters of a query string or of the body of a form. */
    public static RequestParameters of(String form, int most) throws Malformed {
        RequestParameters parameters = new RequestParameters(most);
        FormUrlEncoded.parse(form, parameters::add);
        return parameters;
    }

    /** Parses the parameters of the query string and of a body, a form or a JSON object; other bodies have none. */
    public static RequestParameters withBody(HttpRequest request) throws Malformed {
        RequestParameters parameters = of(request.query(), PARAMETERS_MAX);
        if (request.body().length == 0) {
            return parameters;
        }
        if (isJson(request)) {
            parameters.addJson(JsonValue.read(request.body()).whole());
        } else if (request.mediaType().equals("application/x-www-form-urlencoded")) {
            FormUrlEncoded.parse(new String(request.body(), StandardCharsets.UTF_8), parameters::add);
        }
        return parameters;
    }

    /** Returns whether the body is JSON, or has no media type. */
    public static boolean isJson(HttpRequest request) {
        String type = request.mediaType();
        return type.isEmpty() || type.equals("application/json") || type.endsWith("+json");
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
        if (++count > most) {
            throw new Malformed("a request has at most " + most + " parameters", 0);
        }
        values.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(value);
    }

    /** Returns the names of the parameters that are present, in order. */
    public Set<String> names() {
        return Collections.unmodifiableSet(values.keySet());
    }

    /** Returns the first value of a parameter, or null. */
    public @Nullable String first(String name) {
        List<String> found = values.get(name);
        return found == null ? null : found.getFirst();
    }

    /** Returns the first value of a parameter, or another text if it is absent. */
    public String first(String name, String otherwise) {
        String value = first(name);
        return value == null ? otherwise : value;
    }

    /** Returns all values of a parameter. */
    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** Returns whether a parameter is present, with any value. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Returns whether a parameter is true; one without a value is. */
    public boolean flag(String name, boolean otherwise) {
        String value = first(name);
        return value == null ? otherwise : value.isEmpty() || TRUE.contains(value.toLowerCase(Locale.ROOT));
    }

    /** Returns the values of an integer parameter. */
    public List<Integer> integers(String name) throws Malformed {
        List<Integer> integers = new ArrayList<>();
        for (String each : all(name)) {
            integers.add((int) integer(name, each, Integer.MIN_VALUE, Integer.MAX_VALUE));
        }
        return integers;
    }

    /** Returns an integer parameter within bounds. */
    public long integer(String name, long min, long max, long otherwise) throws Malformed {
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
