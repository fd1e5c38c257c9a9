package io.guidepost.client;

import java.util.Map;

/** Thrown for a request that failed. */
public final class GuidepostException extends RuntimeException {
    /** Why it failed. */
    public enum Kind {
        /** No server could be reached. A write was not done, unless the message says that its outcome is unknown. */
        UNREACHABLE,
        /** No server answered in time. */
        TIMEOUT,
        /** The token is missing, unknown, or not for this name (401, 403). */
        DENIED,
        /** The request is wrong: a malformed name, place, lifetime or event id (400, 413, 422). */
        INVALID,
        /** The record has another version than the one that the write demands (409, 412). */
        CONFLICT,
        /** The server has reached a bound, or has no room (429, 503, 507); nothing was changed. */
        OVERLOADED,
        /** Something else. */
        OTHER
    }

    private final Kind kind;
    private final int status;
    private final transient Map<String, Object> problem;

    GuidepostException(Kind kind, String message) {
        this(kind, message, 0, Map.of());
    }

    private GuidepostException(Kind kind, String message, int status, Map<String, Object> problem) {
        super(message);
        this.kind = kind;
        this.status = status;
        this.problem = problem;
    }

    /** Returns the exception of a response above 399, with what the server says about it. */
    static GuidepostException of(int status, String body) {
        Map<String, Object> problem = Map.of();
        try {
            problem = JsonText.object(JsonText.parse(body));
        } catch (GuidepostException noJson) {
            // A proxy may answer in plain text.
        }
        Object said = problem.getOrDefault("detail", problem.getOrDefault("title", body.substring(0, Math.min(200, body.length()))));
        Kind kind = switch (status) {
            case 401, 403 -> Kind.DENIED;
            case 409, 412 -> Kind.CONFLICT;
            case 429, 503, 507 -> Kind.OVERLOADED;
            case 400, 405, 406, 413, 414, 415, 422 -> Kind.INVALID;
            default -> Kind.OTHER;
        };
        return new GuidepostException(kind, status + ": " + said, status, problem);
    }

    /** Returns one of the same kind for the thread that waited, whose stack trace it has. */
    GuidepostException here() {
        GuidepostException here = new GuidepostException(kind, String.valueOf(getMessage()), status, problem);
        here.initCause(this);
        return here;
    }

    /** Returns why it failed. */
    public Kind kind() {
        return kind;
    }

    /** Returns the status of HTTP; 0 if no server answered. */
    public int status() {
        return status;
    }

    /** Returns the server's problem details (RFC 9457); empty if there are none. */
    public Map<String, Object> problem() {
        return problem == null ? Map.of() : problem;
    }
}
