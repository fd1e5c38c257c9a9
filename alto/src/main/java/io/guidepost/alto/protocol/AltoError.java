package io.guidepost.alto.protocol;

import java.util.Optional;

/**
 * A request that cannot be answered, in the words of the standard (RFC 7285 section 8.5). It carries no stack trace: it
 * describes the request, not the program.
 */
public final class AltoError extends Exception {
    private static final long serialVersionUID = 1L;

    /** Codes of section 8.5.2. */
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

    /** The body is not JSON, or not what it should be; the message says where. */
    public static AltoError syntax(String message) {
        return new AltoError(Code.E_SYNTAX, message, "", "");
    }

    /** A member is missing, by its path such as {@code cost-type/cost-mode}. */
    public static AltoError missing(String field) {
        return new AltoError(Code.E_MISSING_FIELD, field + " is missing", field, "");
    }

    /** A member is of another type of JSON. */
    public static AltoError type(String field, String message) {
        return new AltoError(Code.E_INVALID_FIELD_TYPE, message, field, "");
    }

    /** A member has a value that is not possible here. */
    public static AltoError value(String field, String value, String message) {
        return new AltoError(Code.E_INVALID_FIELD_VALUE, message, field, value);
    }

    /** Which of the four it is. */
    public Code code() {
        return code;
    }

    /** Path of the member, levels separated by slashes. */
    public Optional<String> field() {
        return field.isEmpty() ? Optional.empty() : Optional.of(field);
    }

    /** The value that is not possible. */
    public Optional<String> value() {
        return value.isEmpty() ? Optional.empty() : Optional.of(value);
    }
}
