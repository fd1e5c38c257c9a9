package io.guidepost.alto.protocol;

import io.guidepost.web.JsonWriter;
import java.util.Optional;

/**
 * An ALTO error response (RFC 7285 section 8.5): the error code, and the field and value at fault. It carries no stack
 * trace, as it describes the request and not the program.
 */
public final class AltoError extends Exception {
    /** Error codes of section 8.5.2. */
    public enum Code {
        E_SYNTAX,
        E_MISSING_FIELD,
        E_INVALID_FIELD_TYPE,
        E_INVALID_FIELD_VALUE
    }

    private final Code code;
    private final String field;
    private final String value;

    private AltoError(Code code, String message, String field, String value) {
        super(message, null, false, false);
        this.code = code;
        this.field = field;
        this.value = value;
    }

    /** Creates E_SYNTAX: the body is no JSON, or no object. The message names the place. */
    public static AltoError syntax(String message) {
        return new AltoError(Code.E_SYNTAX, message, "", "");
    }

    /** Creates E_MISSING_FIELD for the path of a member, such as {@code cost-type/cost-mode}. */
    public static AltoError missing(String field) {
        return new AltoError(Code.E_MISSING_FIELD, field + " is missing", field, "");
    }

    /** Creates E_INVALID_FIELD_TYPE. */
    public static AltoError type(String field, String message) {
        return new AltoError(Code.E_INVALID_FIELD_TYPE, message, field, "");
    }

    /** Creates E_INVALID_FIELD_VALUE. */
    public static AltoError value(String field, String value, String message) {
        return new AltoError(Code.E_INVALID_FIELD_VALUE, message, field, value);
    }

    /** Returns the path of the member, levels separated by slashes. */
    public Optional<String> field() {
        return field.isEmpty() ? Optional.empty() : Optional.of(field);
    }

    /** Returns the body of the response: {@code {"meta":{"code":...}}} with the members of that code (section 8.5.2). */
    public byte[] body() {
        return JsonWriter.bytes(JsonWriter.object("meta", JsonWriter.object(
                "code", code.name(),
                "syntax-error", code == Code.E_SYNTAX ? getMessage() : null,
                "field", field().orElse(null),
                "value", value().map(AltoError::cut).orElse(null))));
    }

    private static String cut(String text) {
        return text.length() <= AltoLimits.VALUE_TOLD_MAX ? text : text.substring(0, AltoLimits.VALUE_TOLD_MAX) + "...";
    }

    /** Returns the invalid value. */
    public Optional<String> value() {
        return value.isEmpty() ? Optional.empty() : Optional.of(value);
    }
}
