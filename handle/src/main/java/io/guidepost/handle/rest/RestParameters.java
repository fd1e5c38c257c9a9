package io.guidepost.handle.rest;

import io.guidepost.base.Malformed;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a request asks for beside its path: from its query, and where the body holds parameters, from that too. */
final class RestParameters {
    /** No parameters. */
    static final RestParameters NONE = new RestParameters();

    /** More are not asked for by anyone: bounds what a query costs. */
    private static final int PARAMETERS_MAX = 4096;

    private final Map<String, List<String>> values = new HashMap<>();
    private int count;

    private RestParameters() {}

    /** The parameters of a query. */
    static RestParameters of(HttpRequest request) throws Malformed {
        String query = request.query();
        if (query.isEmpty()) {
            return NONE;
        }
        RestParameters parameters = new RestParameters();
        parameters.addForm(query);
        return parameters;
    }

    /** The parameters of a query and of a body, which is a form or a JSON object. */
    static RestParameters withBody(HttpRequest request) throws Malformed {
        RestParameters parameters = new RestParameters();
        parameters.addForm(request.query());
        if (request.body().length == 0) {
            return parameters;
        }
        if (isJson(request)) {
            parameters.addJson(JsonValue.read(request.body()).whole());
        } else if (mediaType(request).equals("application/x-www-form-urlencoded")) {
            parameters.addForm(new String(request.body(), StandardCharsets.UTF_8));
        } else {
            throw unsupported(request);
        }
        return parameters;
    }

    /** Whether the body is JSON, or does not say what it is. */
    static boolean isJson(HttpRequest request) {
        String type = mediaType(request);
        return type.isEmpty() || type.equals("application/json") || type.endsWith("+json");
    }

    /** Says that the body is of a type that is not taken. */
    static Malformed unsupported(HttpRequest request) {
        return new Malformed("Unsupported media type " + mediaType(request), 0);
    }

    private static String mediaType(HttpRequest request) {
        return request.header("content-type").orElse("").split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    private void addForm(String form) throws Malformed {
        for (String each : form.split("&", -1)) {
            if (!each.isEmpty()) {
                int equals = each.indexOf('=');
                String name = equals < 0 ? each : each.substring(0, equals);
                String value = equals < 0 ? "" : each.substring(equals + 1);
                add(decode(name.replace('+', ' ')), decode(value.replace('+', ' ')));
            }
        }
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

    /** The text behind percent signs (RFC 3986 section 2.1), which is UTF-8. */
    static String decode(String encoded) throws Malformed {
        if (encoded.indexOf('%') < 0) {
            return encoded;
        }
        byte[] in = encoded.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream(in.length);
        for (int i = 0; i < in.length; i++) {
            if (in[i] != '%') {
                out.write(in[i]);
            } else {
                boolean whole = i + 2 < in.length;
                int high = whole ? Character.digit(in[i + 1], 16) : -1;
                int low = whole ? Character.digit(in[i + 2], 16) : -1;
                if (high < 0 || low < 0) {
                    throw new Malformed("behind a percent sign stand two hexadecimal digits", i);
                }
                out.write(high << 4 | low);
                i += 2;
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(out.toByteArray())).toString();
        } catch (CharacterCodingException e) {
            throw new Malformed("what stands behind percent signs is not UTF-8", 0);
        }
    }

    /** The first value of a parameter, or null. */
    @Nullable String first(String name) {
        List<String> found = values.get(name);
        return found == null ? null : found.getFirst();
    }

    /** All values of a parameter. */
    List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    /** Whether a parameter is set: one without a value is. */
    boolean flag(String name, boolean otherwise) {
        String value = first(name);
        return value == null ? otherwise : value.isEmpty() || value.equalsIgnoreCase("true") || value.equals("1");
    }

    /** The values of a parameter, which are integers. */
    List<Integer> integers(String name) throws Malformed {
        List<Integer> integers = new ArrayList<>();
        for (String each : all(name)) {
            integers.add((int) integer(name, each, Integer.MIN_VALUE, Integer.MAX_VALUE));
        }
        return integers;
    }

    /** A parameter that is an integer within bounds. */
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
            // Told below, as a number out of bounds is.
        }
        throw new Malformed(name + " is an integer from " + min + " to " + max, 0);
    }
}
