package io.guidepost.handle.rest;

import io.guidepost.base.Malformed;
import io.guidepost.handle.authentication.PublicKeyProof;
import io.guidepost.handle.authentication.SecretKeyProof;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.operation.Authenticator;
import io.guidepost.handle.operation.Principal;
import io.guidepost.handle.service.CpuQuota;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.web.FormUrlEncoded;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.JsonField;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates HTTP requests, over TLS only: credentials sent in clear are ignored. Proofs are verified before
 * anything else, as in existing servers. Nonces, salts and signatures are in base64.
 *
 * <pre>
 *  Authorization: Basic base64(index%3Ahandle:secret)
 *  Authorization: Handle sessionId="…", id="300:1234/ADMIN", type="HS_PUBKEY", cnonce="…", alg="SHA256", signature="…"
 *  Authorization: Handle …, type="HS_SECKEY", alg="PBKDF2-HMAC-SHA1", salt="…", iterations="…", length="bits", …
 *  Authorization: Handle sessionId="…"               after one of these was accepted
 *  Authorization: Handle clientCert="true"           UID, or else CN, of the certificate is index:handle
 * </pre>
 *
 * A signature covers the session's nonce and the client's.
 */
final class RestAuthenticator {
    /** The text of existing servers for a wrong proof, verbatim. */
    private static final String NOT_VERIFIED = "Identity not verified";

    private static final String UNKNOWN_SESSION = "The session is unknown or has ended";

    private static final String UNREADABLE = "The Authorization header cannot be read";

    /** One {@code auth-param} with the comma behind it (RFC 9110 section 11.2). */
    private static final Pattern FIELD = Pattern.compile("\\s*+([!#$%&'*+.^_`|~0-9A-Za-z-]++)\\s*+=\\s*+"
            + "(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\\s,\"]*+))\\s*+(?:(?:,\\s*+)++|$)");

    /** Fields of which each says that a header is a proof, as for existing servers. */
    private static final Set<String> SIGNS_OF_A_PROOF = Set.of("id", "type", "alg", "signature");

    private static final int COMPARISON_MICROS = 10;
    private static final int VERIFICATION_MICROS = 300;

    /** Signals that a request's credentials are wrong, or are not looked at for a while. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient RestSessions.@Nullable Session session;
        private final transient CpuQuota.@Nullable Wait wait;

        Refused(String reason, RestSessions.@Nullable Session session) {
            super(reason, null, false, false);
            this.session = session;
            this.wait = null;
        }

        Refused(CpuQuota.Wait wait) {
            super(wait.ofSender() ? "Too many proofs from this address" : "The server verifies too many proofs", null, false, false);
            this.session = null;
            this.wait = wait;
        }

        /** Returns when the client may try again, if nothing is said about its credentials. */
        Optional<CpuQuota.Wait> toWait() {
            return Optional.ofNullable(wait);
        }

        String reason() {
            return String.valueOf(getMessage());
        }

        RestSessions.@Nullable Session session() {
            return session;
        }
    }

    /**
     * A claimed identity and its proof.
     *
     * @param fields id, type, cnonce, alg, signature, and for secrets salt, iterations, length
     */
    record Claim(Map<String, String> fields) {
        static Claim of(JsonField object) throws Malformed {
            Map<String, String> fields = new HashMap<>();
            for (String name : object.members().keySet()) {
                Optional<JsonField> field = object.find(name);
                if (field.isPresent()) {
                    fields.put(name, name.equals("iterations") || name.equals("length")
                            ? Long.toString(field.get().integer(0, Integer.MAX_VALUE))
                            : field.get().text());
                }
            }
            return new Claim(fields);
        }

        private byte[] bytes(String name) {
            return Base64.getDecoder().decode(fields.getOrDefault(name, ""));
        }
    }

    record Known(Principal caller, RestSessions.@Nullable Session session) {
        static final Known ANONYMOUS = new Known(Principal.ANONYMOUS, null);
    }

    private final Authenticator identities;
    private final RestSessions sessions;
    private final CpuQuota effort;

    RestAuthenticator(Authenticator identities, RestSessions sessions, CpuQuota effort) {
        this.identities = identities;
        this.sessions = sessions;
        this.effort = effort;
    }

    Known of(HttpRequest request) throws IOException, Refused {
        String header = request.header("authorization").orElse("");
        if (header.isEmpty() || !request.secure()) {
            return Known.ANONYMOUS;
        }
        int blank = header.indexOf(' ');
        String scheme = blank < 0 ? header : header.substring(0, blank);
        String rest = blank < 0 ? "" : header.substring(blank + 1);
        return switch (scheme.toLowerCase(Locale.ROOT)) {
            case "basic" -> new Known(new Principal.Proven(basic(rest.strip(), request.peer())), null);
            case "handle" -> handle(fields(rest).orElseThrow(() -> new Refused(UNREADABLE, null)), request);
            default -> throw new Refused("Only Basic and Handle are known here", null);
        };
    }

    /** Returns the session that a request names, with or without an identity. */
    Optional<RestSessions.Session> session(HttpRequest request) {
        String header = request.header("authorization").orElse("");
        if (!request.secure() || !header.regionMatches(true, 0, "handle ", 0, 7)) {
            return Optional.empty();
        }
        return fields(header.substring(7)).map(each -> each.get("sessionid")).flatMap(sessions::find);
    }

    private ValueReference basic(String encoded, InetSocketAddress peer) throws IOException, Refused {
        try {
            String text = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
            int colon = text.indexOf(':');
            String user = FormUrlEncoded.decode(colon < 0 ? text : text.substring(0, colon));
            ValueReference who = ValueReference.parse(user);
            byte[] secret = text.substring(colon < 0 ? text.length() : colon + 1).getBytes(StandardCharsets.UTF_8);
            charge(peer, COMPARISON_MICROS);
            if (right(identities.checkSecret(who, secret), peer)) {
                return who;
            }
        } catch (IllegalArgumentException | Malformed e) {
            throw new Refused("The user is index:handle, percent-encoded", null);
        }
        throw new Refused(NOT_VERIFIED, null);
    }

    /** Parses the fields of a header, with names in lower case; empty if there are none, or what is there is malformed. */
    private static Optional<Map<String, String>> fields(String text) {
        Map<String, String> fields = new HashMap<>();
        Matcher each = FIELD.matcher(text);
        int end = 0;
        while (each.lookingAt()) {
            String quoted = each.group(2);
            fields.put(
                    each.group(1).toLowerCase(Locale.ROOT),
                    quoted == null ? each.group(3) : quoted.replaceAll("\\\\(.)", "$1"));
            end = each.end();
            each.region(end, text.length());
        }
        return fields.isEmpty() || end < text.length() ? Optional.empty() : Optional.of(fields);
    }

    private Known handle(Map<String, String> fields, HttpRequest request) throws IOException, Refused {
        if (fields.getOrDefault("clientcert", "").equals("true")) {
            return new Known(new Principal.Proven(certified(request)), null);
        }
        boolean proof = !Collections.disjoint(fields.keySet(), SIGNS_OF_A_PROOF);
        String id = fields.get("sessionid");
        if (id == null && proof) {
            throw new Refused("A proof names the session of its nonce", null);
        }
        if (id == null) {
            return Known.ANONYMOUS;
        }
        Optional<RestSessions.Session> session = sessions.find(id);
        if (session.isEmpty()) {
            throw new Refused(UNKNOWN_SESSION, null);
        }
        if (proof) {
            RestSessions.Session proven = prove(session.get(), claim(fields, session.get()), request.peer());
            return new Known(caller(proven), proven);
        }
        return new Known(caller(session.get()), session.get());
    }

    private static Claim claim(Map<String, String> fields, RestSessions.Session session) throws Refused {
        if (!fields.containsKey("cnonce") || !fields.keySet().containsAll(SIGNS_OF_A_PROOF)) {
            throw new Refused("A proof has id, type, alg, cnonce and signature", session);
        }
        Map<String, String> decoded = new HashMap<>(fields);
        try {
            decoded.put("id", FormUrlEncoded.decode(fields.getOrDefault("id", "")));
        } catch (Malformed e) {
            throw new Refused(UNREADABLE, session);
        }
        return new Claim(decoded);
    }

    private static Principal caller(RestSessions.Session session) {
        ValueReference identity = session.identity();
        return identity == null ? Principal.ANONYMOUS : new Principal.Proven(identity);
    }

    /** Authenticates a session if the claim's proof is right. */
    RestSessions.Session prove(RestSessions.Session session, Claim claim, InetSocketAddress peer)
            throws IOException, Refused {
        try {
            ValueReference who = ValueReference.parse(claim.fields().getOrDefault("id", ""));
            if (verifies(who, claim, session.nonce(), peer)) {
                return sessions.prove(session, who);
            }
        } catch (IllegalArgumentException | Malformed e) {
            throw new Refused("The proof cannot be read", session);
        }
        throw new Refused(NOT_VERIFIED, session);
    }

    /**
     * Verifies a proof over two nonces.
     *
     * @throws IllegalArgumentException if a field is not base64
     * @throws Malformed if it is not a proof, or asks for too much work
     */
    boolean verifies(ValueReference who, Claim claim, byte[] nonce, InetSocketAddress peer)
            throws IOException, Malformed, Refused {
        String algorithm = claim.fields().getOrDefault("alg", "");
        byte[] signature = claim.bytes("signature");
        byte[] cnonce = claim.bytes("cnonce");
        return switch (claim.fields().getOrDefault("type", "")) {
            case "HS_PUBKEY" -> {
                charge(peer, VERIFICATION_MICROS);
                yield right(identities.check(who, new PublicKeyProof(algorithm, signature), nonce, cnonce), peer);
            }
            case "HS_SECKEY" -> {
                SecretKeyProof answer = SecretKeyProof.read(secretKeyAnswer(algorithm, claim, signature).write());
                charge(peer, COMPARISON_MICROS + (long) answer.iterations() * (1 + answer.keyBits() / 160));
                yield right(identities.check(who, answer, nonce, cnonce), peer);
            }
            default -> false;
        };
    }

    /** Refuses a sender that has exhausted its CPU quota, or while all together have. */
    void charge(InetSocketAddress peer, long micros) throws Refused {
        Optional<CpuQuota.Wait> wait = effort.charge(peer.getAddress(), micros);
        if (wait.isPresent()) {
            throw new Refused(wait.get());
        }
    }

    private boolean right(ResponseCode code, InetSocketAddress peer) {
        if (code != ResponseCode.SUCCESS) {
            effort.wrongProof(peer.getAddress());
        }
        return code == ResponseCode.SUCCESS;
    }

    private static SecretKeyProof secretKeyAnswer(String algorithm, Claim claim, byte[] signature) throws Malformed {
        SecretKeyProof.Kind kind = switch (algorithm.toUpperCase(Locale.ROOT)) {
            case "PBKDF2-HMAC-SHA1", "PBKDF2WITHHMACSHA1" -> SecretKeyProof.Kind.PBKDF2;
            case "HMAC-SHA1" -> SecretKeyProof.Kind.HMAC_SHA1;
            case "HMAC-SHA256" -> SecretKeyProof.Kind.HMAC_SHA256;
            case "SHA256", "SHA-256" -> SecretKeyProof.Kind.SHA256;
            case "SHA1", "SHA-1" -> SecretKeyProof.Kind.SHA1;
            case "MD5" -> SecretKeyProof.Kind.MD5;
            default -> throw new Malformed("the algorithm of a secret is not known", 0);
        };
        boolean derived = kind == SecretKeyProof.Kind.PBKDF2;
        return new SecretKeyProof(
                kind,
                derived ? claim.bytes("salt") : new byte[0],
                derived ? Integer.parseInt(claim.fields().getOrDefault("iterations", "")) : 0,
                derived ? Integer.parseInt(claim.fields().getOrDefault("length", "")) : 0,
                signature);
    }

    private ValueReference certified(HttpRequest request) throws IOException, Refused {
        if (request.certificate().isEmpty()) {
            throw new Refused("There is no client certificate", null);
        }
        X509Certificate certificate = request.certificate().get();
        try {
            ValueReference who = ValueReference.parse(subject(certificate));
            charge(request.peer(), VERIFICATION_MICROS);
            Optional<PublicKey> key = identities.publicKey(who);
            if (key.isPresent()
                    && Arrays.equals(key.get().getEncoded(), certificate.getPublicKey().getEncoded())) {
                return who;
            }
        } catch (Malformed | InvalidNameException e) {
            throw new Refused("The subject of the certificate is not index:handle", null);
        }
        throw new Refused(NOT_VERIFIED, null);
    }

    /** Returns the UID of the subject, or else its CN. */
    private static String subject(X509Certificate certificate) throws InvalidNameException {
        String common = "";
        for (Rdn each : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
            if (each.getType().equalsIgnoreCase("UID")) {
                return each.getValue().toString();
            }
            if (each.getType().equalsIgnoreCase("CN")) {
                common = each.getValue().toString();
            }
        }
        return common;
    }
}
