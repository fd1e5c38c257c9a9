package io.guidepost.handle.rest;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.json.ValueJson;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleResult;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonWriter;
import io.guidepost.web.RequestParameters;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Responses in JSON: their shapes, HTTP status, indentation and JSONP. */
final class JsonResponses {
    static final String JSON = "application/json;charset=UTF-8";

    static final String SCRIPT = "application/javascript;charset=UTF-8";

    /** A JavaScript name, or several with dots: no other text is sent as a script. */
    private static final Pattern CALLBACK =
            Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*(?:\\.[A-Za-z_$][A-Za-z0-9_$]*)*");

    private JsonResponses() {}

    /** Refuses a JSONP callback that is not a name. */
    static void checkCallback(RequestParameters parameters) throws Malformed {
        String callback = parameters.first("callback");
        if (callback != null
                && (callback.length() > HandleLimits.CALLBACK_MAX || !CALLBACK.matcher(callback).matches())) {
            throw new Malformed("a callback is a JavaScript name", 0);
        }
    }

    /** Returns a JSON response, indented or as the argument of a callback if the parameters ask for it. */
    static HttpResponse of(RequestParameters parameters, int status, Consumer<JsonGenerator> writing) {
        byte[] body = JsonWriter.bytes(parameters.flag("pretty", false), writing);
        String callback = parameters.first("callback");
        if (callback == null) {
            return HttpResponse.of(status, JSON, body).with("Vary", "Accept-Encoding");
        }
        String script = callback + "(" + new String(body, StandardCharsets.UTF_8) + ");";
        return HttpResponse.of(status, SCRIPT, script)
                .with("Vary", "Accept-Encoding")
                .with("X-Content-Type-Options", "nosniff");
    }

    /** Returns a JSON response, as above, of a value as {@link JsonWriter#write} takes it. */
    static HttpResponse of(RequestParameters parameters, int status, Map<String, Object> answer) {
        return of(parameters, status, out -> JsonWriter.write(out, answer));
    }

    /** Returns an error with a code, and a text and the handle where there are any. */
    static HttpResponse error(
            RequestParameters parameters, int status, ResponseCode code, String text, @Nullable String handle) {
        return of(parameters, status, JsonWriter.object(
                "responseCode", code.number(), "message", text.isEmpty() ? null : text, "handle", handle));
    }

    static HttpResponse resolved(RequestParameters parameters, HandleResult outcome) {
        return switch (outcome.code()) {
            case SUCCESS, SERVICE_REFERRAL, PREFIX_REFERRAL ->
                of(parameters, status(outcome.code(), false), out -> {
                    out.writeStartObject();
                    out.writeNumberProperty("responseCode", outcome.code().number());
                    out.writeStringProperty("handle", outcome.handle().toString());
                    out.writeName("values");
                    ValueJson.write(outcome.values(), out);
                    out.writeEndObject();
                });
            case VALUES_NOT_FOUND ->
                of(parameters, 200, JsonWriter.object(
                        "responseCode", outcome.code().number(), "values", List.of(), "handle", outcome.handle().toString()));
            default -> failed(parameters, outcome, outcome.handle().toString());
        };
    }

    static HttpResponse changed(RequestParameters parameters, HandleResult outcome, boolean creates) {
        if (!outcome.success()) {
            return failed(parameters, outcome, outcome.handle().toString());
        }
        int status = creates && !outcome.replaced() ? 201 : 200;
        return error(parameters, status, ResponseCode.SUCCESS, "", outcome.handle().toString());
    }

    /** Returns the error of an outcome that is no success, with the handle where there is one. */
    static HttpResponse failed(RequestParameters parameters, HandleResult outcome, @Nullable String handle) {
        return error(parameters, status(outcome.code(), false), outcome.code(), outcome.text(), handle);
    }

    /**
     * Returns the HTTP status of a code.
     *
     * @param secure whether a challenged client can authenticate on this connection
     */
    static int status(ResponseCode code, boolean secure) {
        return switch (code) {
            case SUCCESS -> 200;
            case HANDLE_NOT_FOUND -> 404;
            case HANDLE_EXISTS, VALUE_EXISTS -> 409;
            case PROTOCOL_ERROR, INVALID_HANDLE, INVALID_VALUE, VALUES_NOT_FOUND, NOT_RESPONSIBLE -> 400;
            case CHALLENGE -> secure ? 401 : 403;
            case NOT_ADMIN, NOT_PERMITTED, AUTHENTICATION_FAILED, BAD_CREDENTIAL -> 403;
            case OPERATION_NOT_SUPPORTED -> 501;
            case BUSY, READ_ONLY -> 503;
            case SERVICE_REFERRAL, PREFIX_REFERRAL -> 300;
            default -> 500;
        };
    }
}
