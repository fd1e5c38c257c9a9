package io.guidepost.naming;

import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import java.util.Map;
import java.util.Optional;

/** A refusal: the kind of problem, and what was wrong and would be right. It has no stack trace. */
final class Problem extends Exception {
    private static final long serialVersionUID = 1L;

    /** Media type of problem details (RFC 9457). */
    static final String MEDIA_TYPE = "application/problem+json";

    /** The kinds, one row each; the name in lower case is the last part of the type. */
    enum Kind {
        MALFORMED_REQUEST(400, "Malformed request"),
        MALFORMED_NAME(400, "Malformed name"),
        MALFORMED_JSON(400, "Malformed JSON"),
        MALFORMED_POSITION(400, "Malformed position"),
        UNAUTHORIZED(401, "A token is needed"),
        FORBIDDEN(403, "Not allowed"),
        NO_SUCH_NAME(404, "No such name"),
        NO_SUCH_LEASE(404, "No such lease"),
        NO_SUCH_RESOURCE(404, "No such resource"),
        METHOD_NOT_ALLOWED(405, "Method not allowed"),
        DERIVED_NAME(409, "The record follows from another"),
        VERSION_MISMATCH(412, "The record has another version"),
        TOO_LARGE(413, "Too large"),
        UNSUPPORTED_MEDIA_TYPE(415, "Unsupported media type"),
        SERVER_FAILED(500, "The server failed"),
        NOT_ON_A_FLEET(501, "Not on a fleet"),
        UNAVAILABLE(503, "Unavailable");

        private final int status;
        private final String title;

        Kind(int status, String title) {
            this.status = status;
            this.title = title;
        }
    }

    private final Kind kind;

    Problem(Kind kind, String detail) {
        super(detail, null, false, false);
        this.kind = kind;
    }

    int status() {
        return kind.status;
    }

    /** Returns the members of problem details. */
    Map<String, Object> json() {
        return JsonWriter.object(
                "type", "urn:guidepost:problem:" + kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'),
                "title", kind.title,
                "status", kind.status,
                "detail", Optional.ofNullable(getMessage()).orElse(kind.title));
    }

    /** Returns it as a response. */
    HttpResponse response() {
        HttpResponse response = HttpResponse.of(kind.status, MEDIA_TYPE, JsonWriter.bytes(json()));
        return switch (kind) {
            case UNAUTHORIZED -> response.with("WWW-Authenticate", "Bearer");
            case UNAVAILABLE -> response.with("Retry-After", "1");
            default -> response;
        };
    }
}
