package io.guidepost.handle.rest;

import io.guidepost.base.Malformed;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.HandleSettings;
import io.guidepost.handle.operation.Principal;
import io.guidepost.handle.service.CpuQuota;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import io.guidepost.web.JsonWriter;
import io.guidepost.web.RequestParameters;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Routes of sessions over HTTP: begin, authenticate, show and end; and verification of proofs for other servers. */
final class SessionRoutes {
    private static final String SIGNED_WITH = "SHA-256";

    private final HandleSettings settings;
    private final RestSessions sessions;
    private final RestAuthenticator authorization;

    SessionRoutes(HandleSettings settings, RestSessions sessions, RestAuthenticator authorization) {
        this.settings = settings;
        this.sessions = sessions;
        this.authorization = authorization;
    }

    /** Begins a session; if the client sends a nonce, the server signs both. */
    HttpResponse begin(HttpRequest request, RequestParameters parameters)
            throws IOException, Malformed, RestAuthenticator.Refused {
        if (!request.secure()) {
            return HttpResponse.empty(403);
        }
        Principal caller = authorization.of(request).caller();
        Optional<JsonField> cnonce = body(request).flatMap(each -> find(each, "cnonce"));
        RestSessions.Session session = sessions.begin(caller instanceof Principal.Proven proven ? proven.identity() : null);
        String signature = cnonce.isEmpty() ? null : sign(session, cnonce.get(), request);
        ValueReference identity = session.identity();
        Map<String, Object> answer = JsonWriter.object(
                "sessionId", session.id(),
                "nonce", Base64.getEncoder().encodeToString(session.nonce()),
                "serverAlg", signature == null ? null : SIGNED_WITH,
                "serverSignature", signature,
                "authenticated", identity == null ? null : true,
                "id", identity);
        return JsonResponses.of(parameters, 201, answer).with("Location", "/api/sessions/this");
    }

    private String sign(RestSessions.Session session, JsonField cnonce, HttpRequest request)
            throws Malformed, RestAuthenticator.Refused {
        authorization.charge(request.peer(), CpuQuota.SIGNATURE_MICROS);
        try {
            Signature signature =
                    Signature.getInstance("SHA256with" + settings.keys().getPrivate().getAlgorithm());
            signature.initSign(settings.keys().getPrivate());
            signature.update(session.nonce());
            signature.update(Base64.getDecoder().decode(cnonce.text()));
            return Base64.getEncoder().encodeToString(signature.sign());
        } catch (IllegalArgumentException e) {
            throw cnonce.refused("is base64");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the server's own key does not sign", e);
        }
    }

    HttpResponse see(HttpRequest request, RequestParameters parameters) throws IOException, RestAuthenticator.Refused {
        if (!request.secure()) {
            return HttpResponse.empty(403);
        }
        RestAuthenticator.Known known = authorization.of(request);
        return state(parameters, known.session(), known.caller() instanceof Principal.Proven proven ? proven.identity() : null);
    }

    HttpResponse prove(HttpRequest request, RequestParameters parameters)
            throws IOException, Malformed, RestAuthenticator.Refused {
        if (!request.secure()) {
            return HttpResponse.empty(403);
        }
        JsonField body = body(request).orElseThrow(() -> new Malformed("a proof is a JSON object", 0));
        Optional<JsonField> id = body.find("sessionId");
        Optional<RestSessions.Session> session =
                id.isPresent() ? sessions.find(id.get().text()) : authorization.session(request);
        if (session.isEmpty()) {
            throw new RestAuthenticator.Refused("The session is unknown or has ended", null);
        }
        RestSessions.Session proven =
                authorization.prove(session.get(), RestAuthenticator.Claim.of(body), request.peer());
        return state(parameters, proven, proven.identity());
    }

    HttpResponse end(HttpRequest request) {
        if (!request.secure()) {
            return HttpResponse.empty(403);
        }
        authorization.session(request).ifPresent(session -> sessions.end(session.id()));
        return HttpResponse.empty(204);
    }

    /** Verifies a proof with a secret key for another server, which received it. */
    HttpResponse verify(HttpRequest request, RequestParameters parameters)
            throws IOException, Malformed, RestAuthenticator.Refused {
        JsonField body = body(request).orElseThrow(() -> new Malformed("a proof is a JSON object", 0));
        RestAuthenticator.Claim claim = RestAuthenticator.Claim.of(body);
        boolean right;
        try {
            byte[] nonce = Base64.getDecoder().decode(body.member("nonce").text());
            ValueReference who = ValueReference.parse(body.member("id").text());
            right = authorization.verifies(who, claim, nonce, request.peer());
        } catch (IllegalArgumentException e) {
            throw new Malformed("nonces and signature are base64", 0);
        }
        return JsonResponses.of(
                parameters, 200, JsonWriter.object("responseCode", ResponseCode.SUCCESS.number(), "verified", right));
    }

    private static Optional<JsonField> body(HttpRequest request) throws Malformed {
        return request.body().length == 0
                ? Optional.empty()
                : Optional.of(JsonValue.read(request.body()).whole());
    }

    private static Optional<JsonField> find(JsonField object, String name) {
        try {
            return object.find(name);
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    private static HttpResponse state(
            RequestParameters parameters, RestSessions.@Nullable Session session, @Nullable ValueReference identity) {
        return JsonResponses.of(parameters, 200, JsonWriter.object(
                "sessionId", session == null ? null : session.id(),
                "nonce", session == null ? null : Base64.getEncoder().encodeToString(session.nonce()),
                "authenticated", identity != null,
                "id", identity));
    }
}
