package io.guidepost.handle.redirector;

import io.guidepost.base.Malformed;
import io.guidepost.web.FormUrlEncoded;
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
        FormUrlEncoded.parse(text, (name, value) -> {
            if (found.size() == PARAMETERS_MAX) {
                throw new Malformed("a form has at most " + PARAMETERS_MAX + " parameters", 0);
            }
            found.add(new Parameter(name, value));
        });
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
}
