package io.guidepost.handle.redirector;

import io.guidepost.base.Malformed;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The parameters of a query string or of a submitted form, in order. Immutable. */
final class FormParameters {
    /** Parameters of one request: the longest legitimate ones name a dozen types and indexes. */
    static final int PARAMETERS_MAX = 256;

    /** Bytes of a form: a handle and its parameters, each byte percent-encoded. */
    static final int BYTES_MAX = 32_768;

    /** One parameter. */
    record Parameter(String name, String value) {}

    private final List<Parameter> parameters;

    private FormParameters(List<Parameter> parameters) {
        this.parameters = parameters;
    }

    /**
     * Parses a query string, or the body of a form.
     *
     * @throws Malformed if it is not percent-encoded UTF-8, or too long
     */
    static FormParameters read(String text) throws Malformed {
        if (text.length() > BYTES_MAX) {
            throw new Malformed("a form has at most " + BYTES_MAX + " bytes, not " + text.length(), 0);
        }
        List<Parameter> found = new ArrayList<>();
        for (String each : text.split("&", -1)) {
            if (each.isEmpty()) {
                continue;
            }
            if (found.size() == PARAMETERS_MAX) {
                throw new Malformed("a form has at most " + PARAMETERS_MAX + " parameters", 0);
            }
            int equals = each.indexOf('=');
            String name = equals < 0 ? each : each.substring(0, equals);
            String value = equals < 0 ? "" : each.substring(equals + 1);
            found.add(new Parameter(
                    decoded(name.replace('+', ' ')), decoded(value.replace('+', ' '))));
        }
        return new FormParameters(List.copyOf(found));
    }

    /** Returns the first value of a parameter. */
    Optional<String> first(String name) {
        return all(name).stream().findFirst();
    }

    /** Returns all values of a parameter. */
    List<String> all(String name) {
        return parameters.stream()
                .filter(each -> each.name.equals(name))
                .map(Parameter::value)
                .toList();
    }

    /** Returns whether a parameter is present, with any value. */
    boolean has(String name) {
        return first(name).isPresent();
    }

    /**
     * Decodes percent-encoded UTF-8.
     *
     * @throws Malformed if it is malformed
     */
    static String decoded(String text) throws Malformed {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '%') {
                out.write(bytes[i]);
                continue;
            }
            int high = i + 1 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
            if (high < 0 || low < 0) {
                throw new Malformed("behind a percent sign stand two hexadecimal digits", i);
            }
            out.write(high << 4 | low);
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(out.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Malformed("the text is not UTF-8", 0);
        }
    }
}
