package io.guidepost.handle.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.handle.authentication.SecretKeyProof;
import io.guidepost.handle.key.PublicKeyRecord;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.HandleValue;
import io.guidepost.web.JsonField;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who asks over HTTP: challenges, proofs of each kind, sessions. */
class RestSessionTest {
    private static final KeyPair DSA = RestStand.pair("DSA", 1024);
    private static final byte[] CNONCE = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final String VALUE = "{\"index\":1,\"type\":\"URL\",\"data\":\"http://e.x/\"}";

    private RestStand door;

    /** A session that waits for a proof. */
    private record Challenge(String id, byte[] nonce) {}

    @BeforeEach
    void open() throws IOException {
        door = RestStand.inMemory();
        door.administrators();
        door.put("1234/DSA", HandleValue.of(300, "HS_PUBKEY", PublicKeyRecord.of(DSA.getPublic()).write()));
    }

    @AfterEach
    void close() {
        door.close();
    }

    private Challenge challenge() throws IOException {
        RestStand.Answered answer = door.ask("PUT", "/api/handles/1234/x").json(VALUE).answer();
        assertThat(answer.status()).isEqualTo(401);
        Matcher each = Pattern.compile("Handle sessionId=\"([^\"]+)\", nonce=\"([^\"]+)\"")
                .matcher(answer.header("WWW-Authenticate"));
        assertThat(each.find()).isTrue();
        return new Challenge(each.group(1), Base64.getDecoder().decode(each.group(2)));
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static String signed(KeyPair keys, Challenge challenge, String algorithm) throws GeneralSecurityException {
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(keys.getPrivate());
        signature.update(challenge.nonce());
        signature.update(CNONCE);
        return base64(signature.sign());
    }

    private int put(String authorization) throws IOException {
        return door.ask("PUT", "/api/handles/1234/x")
                .json(VALUE)
                .with("Authorization", authorization)
                .answer()
                .status();
    }

    private static String header(Challenge challenge, String id, String type, String alg, String signature) {
        return "Handle version=\"0\", sessionId=\"%s\", id=\"%s\", type=\"%s\", cnonce=\"%s\", alg=\"%s\", signature=\"%s\""
                .formatted(challenge.id(), id, type, base64(CNONCE), alg, signature);
    }

    @Test
    void aSignatureProvesWhoItIsAndTheSessionGoesOn() throws IOException, GeneralSecurityException {
        Challenge challenge = challenge();
        String signature = signed(RestStand.RSA, challenge, "SHA256withRSA");
        assertThat(put(header(challenge, "300:1234/ADMIN", "HS_PUBKEY", "SHA256", signature))).isEqualTo(201);
        assertThat(put("Handle sessionId=\"" + challenge.id() + "\"")).isEqualTo(200);
        RestStand.Answered seen = door.get("/api/sessions/this")
                .with("Authorization", "Handle sessionId=" + challenge.id())
                .answer();
        assertThat(seen.text()).contains("\"authenticated\":true,\"id\":\"300:1234/ADMIN\"");
        assertThat(door.ask("DELETE", "/api/sessions/this")
                        .with("Authorization", "Handle sessionId=\"" + challenge.id() + "\"")
                        .answer()
                        .status())
                .isEqualTo(204);
        assertThat(put("Handle sessionId=\"" + challenge.id() + "\"")).isEqualTo(401);
    }

    @Test
    void aWrongProofIsRefused() throws IOException, GeneralSecurityException {
        Challenge challenge = challenge();
        Challenge other = challenge();
        String signature = signed(RestStand.RSA, other, "SHA256withRSA");
        RestStand.Answered answer = door.ask("PUT", "/api/handles/1234/x")
                .json(VALUE)
                .with("Authorization", header(challenge, "300:1234/ADMIN", "HS_PUBKEY", "SHA256", signature))
                .answer();
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.text()).isEmpty();
        assertThat(answer.header("WWW-Authenticate"))
                .contains("Handle sessionId=\"" + challenge.id() + "\"", "error=\"Identity not verified\"");
        assertThat(put("Handle sessionId=\"" + challenge.id() + "\"")).isEqualTo(401);
        for (String each : new String[] {"!", "", "AAAA"}) {
            assertThat(put(header(challenge, "300:1234/ADMIN", "HS_PUBKEY", "SHA256", each))).isEqualTo(401);
            assertThat(put(header(challenge, "301:1234/ADMIN", "HS_SECKEY", "PBKDF2-HMAC-SHA1", each))).isEqualTo(401);
            assertThat(put(header(challenge, each, "HS_PUBKEY", "SHA256", each))).isEqualTo(401);
        }
    }

    @Test
    void aDsaKeyAndASecretProveTheirOwners() throws IOException, GeneralSecurityException, Malformed {
        Challenge challenge = challenge();
        RestStand.Answered dsa = door.get("/api/sessions/this")
                .with(
                        "Authorization",
                        header(challenge, "300:1234/DSA", "HS_PUBKEY", "SHA1", signed(DSA, challenge, "SHA1withDSA")))
                .answer();
        assertThat(dsa.text()).contains("\"id\":\"300:1234/DSA\"");
        Challenge next = challenge();
        SecretKeyProof proof = SecretKeyProof.prove(
                SecretKeyProof.Kind.PBKDF2,
                RestStand.SECRET.getBytes(StandardCharsets.US_ASCII),
                next.nonce(),
                CNONCE,
                new SecureRandom());
        String header = header(next, "301:1234/ADMIN", "HS_SECKEY", "PBKDF2-HMAC-SHA1", base64(proof.proof()))
                + ", salt=\"" + base64(proof.salt()) + "\", iterations=\"" + proof.iterations() + "\", length=\""
                + proof.keyBits() + "\"";
        assertThat(put(header)).isEqualTo(201);
        assertThat(put(header.replaceAll("iterations=\"\\d+\"", "iterations=\"2000000000\""))).isEqualTo(401);
        String body = ("{\"id\":\"301:1234/ADMIN\",\"type\":\"HS_SECKEY\",\"alg\":\"PBKDF2-HMAC-SHA1\",\"nonce\":\"%s\","
                        + "\"cnonce\":\"%s\",\"signature\":\"%s\",\"salt\":\"%s\",\"iterations\":%d,\"length\":%d}")
                .formatted(
                        base64(next.nonce()),
                        base64(CNONCE),
                        base64(proof.proof()),
                        base64(proof.salt()),
                        proof.iterations(),
                        proof.keyBits());
        assertThat(door.ask("POST", "/api/verifications").json(body).answer().json().member("verified").truth())
                .isTrue();
        String wrong = body.replace(base64(CNONCE), base64(new byte[16]));
        assertThat(door.ask("POST", "/api/verifications").json(wrong).answer().json().member("verified").truth())
                .isFalse();
    }

    @Test
    void aSessionIsProvenInItsBody() throws IOException, GeneralSecurityException, Malformed {
        JsonField begun = door.ask("POST", "/api/sessions")
                .json("{\"cnonce\":\"" + base64(CNONCE) + "\"}")
                .answer()
                .json();
        byte[] nonce = Base64.getDecoder().decode(begun.member("nonce").text());
        assertThat(isSigned(RestStand.RSA.getPublic(), nonce, begun.member("serverSignature").text(), CNONCE)).isTrue();
        Challenge challenge = new Challenge(begun.member("sessionId").text(), nonce);
        String right = ("{\"id\":\"300:1234/ADMIN\",\"type\":\"HS_PUBKEY\",\"alg\":\"SHA-256\","
                        + "\"cnonce\":\"%s\",\"signature\":\"%s\"}")
                .formatted(base64(CNONCE), signed(RestStand.RSA, challenge, "SHA256withRSA"));
        assertThat(door.ask("PUT", "/api/sessions/this").json(right).answer().status()).isEqualTo(401);
        RestStand.Answered proven = door.ask("PUT", "/api/sessions/this")
                .with("Authorization", "Handle sessionId=\"" + challenge.id() + "\"")
                .json(right)
                .answer();
        assertThat(proven.status()).isEqualTo(200);
        assertThat(proven.text()).contains("\"authenticated\":true");
        assertThat(put("Handle sessionId=\"" + challenge.id() + "\"")).isEqualTo(201);
    }

    @Test
    void sessionsEnd() throws IOException, GeneralSecurityException {
        Challenge late = challenge();
        String answer = header(late, "300:1234/ADMIN", "HS_PUBKEY", "SHA256", signed(RestStand.RSA, late, "SHA256withRSA"));
        door.now = door.now.plusSeconds(61);
        assertThat(put(answer)).isEqualTo(401);
        Challenge challenge = challenge();
        assertThat(put(header(
                        challenge, "300:1234/ADMIN", "HS_PUBKEY", "SHA256", signed(RestStand.RSA, challenge, "SHA256withRSA"))))
                .isEqualTo(201);
        door.now = door.now.plusSeconds(86_399);
        assertThat(put("Handle sessionId=\"" + challenge.id() + "\"")).isEqualTo(200);
        door.now = door.now.plusSeconds(2);
        assertThat(put("Handle sessionId=\"" + challenge.id() + "\"")).isEqualTo(401);
    }

    @Test
    void manyChallengesPushOutNoProvenSession() throws IOException, GeneralSecurityException {
        Challenge challenge = challenge();
        put(header(challenge, "300:1234/ADMIN", "HS_PUBKEY", "SHA256", signed(RestStand.RSA, challenge, "SHA256withRSA")));
        for (int i = 0; i < 70_000; i++) {
            door.ask("DELETE", "/api/handles/1234/x").answer();
        }
        assertThat(door.api.count(RestCount.EVICTED_SESSIONS)).isPositive();
        assertThat(put("Handle sessionId=\"" + challenge.id() + "\"")).isEqualTo(200);
    }

    @Test
    void aGuesserWaitsAndOthersDoNot() throws IOException, GeneralSecurityException, Malformed {
        Challenge session = challenge();
        put(header(session, "300:1234/ADMIN", "HS_PUBKEY", "SHA256", signed(RestStand.RSA, session, "SHA256withRSA")));
        Challenge waiting = challenge();
        for (int i = 0; i < 300; i++) {
            door.get("/api/handles/1234/1").by("301%3A1234/ADMIN", "guess" + i).answer();
        }
        assertThat(door.api.count(RestCount.REFUSALS_PROOF)).isEqualTo(100);
        assertThat(door.api.count(RestCount.REFUSALS_QUOTA)).isEqualTo(200);
        RestStand.Answered right = door.get("/api/prefixes").byAdmin().answer();
        assertThat(right.status()).isEqualTo(429);
        assertThat(right.header("Retry-After")).isEqualTo("1");
        assertThat(right.all("WWW-Authenticate")).isEmpty();
        assertThat(right.json().member("responseCode").integer(0, 999)).isEqualTo(3);
        assertThat(right.json().member("message").text()).contains("Too many proofs from this address");
        assertThat(put(header(waiting, "300:1234/ADMIN", "HS_PUBKEY", "SHA256", signed(RestStand.RSA, waiting, "SHA256withRSA"))))
                .isEqualTo(429);
        assertThat(put("Handle sessionId=\"" + session.id() + "\"")).as("its own session").isEqualTo(200);
        assertThat(door.get("/api/prefixes").byAdmin().from("192.0.2.1").answer().status()).isEqualTo(200);
        door.changes.clear();
        door.ask("DELETE", "/api/handles/1234/x").byAdmin().answer();
        assertThat(door.changes).extracting(RestListener.Change::code).containsExactly(ResponseCode.BUSY);
        door.now = door.now.plusSeconds(1);
        assertThat(door.get("/api/prefixes").byAdmin().answer().status()).isEqualTo(200);
    }

    @Test
    void thatAllTogetherProveTooMuchIsNotTheFaultOfOne() throws IOException {
        assertThat(door.effort.charge(InetAddress.ofLiteral("192.0.2.1"), 43_000_000)).isEmpty();
        RestStand.Answered answer = door.get("/api/prefixes").byAdmin().answer();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isEqualTo("1");
    }

    @Test
    void malformedCredentialsAreWrongOnes() throws IOException {
        Challenge challenge = challenge();
        String session = "Handle sessionId=\"" + challenge.id() + "\"";
        for (String each : List.of(
                "Handle",
                "Handle nonsense",
                session + " nonsense",
                session + ", id=\"300:1234/ADMIN\"",
                session + ", cnonce=\"AAAA\", signature=\"AAAA\"",
                "Handle id=\"300:1234/ADMIN\", type=\"HS_PUBKEY\", alg=\"SHA256\", cnonce=\"AAAA\", signature=\"AAAA\"",
                header(challenge, "300%3", "HS_PUBKEY", "SHA256", "AAAA"),
                header(challenge, "300:1234/ADMIN", "HS_PUBKEY", "SHA256", "a".repeat(16_000)),
                "Basic",
                "Basic !",
                "Basic bm8=",
                "Bearer x",
                "x")) {
            RestStand.Answered answer = door.get("/api/handles/1234/ADMIN").with("Authorization", each).answer();
            assertThat(answer.status()).as(each).isEqualTo(401);
            assertThat(answer.text()).as(each).isEmpty();
            assertThat(answer.header("WWW-Authenticate")).as(each).contains("Handle sessionId=", ", error=\"");
            assertThat(door.get("/api/handles/1234/ADMIN").clear().with("Authorization", each).answer().status()).isEqualTo(200);
        }
        for (String each : List.of("Handle version=\"0\"", session, session + ", ,", session + " , new-one = x/y==")) {
            assertThat(door.get("/api/handles/1234/ADMIN").with("Authorization", each).answer().status()).as(each).isEqualTo(200);
        }
    }

    @Test
    void namesOfFieldsHaveNoCaseAndIdentitiesArePercentEncoded() throws IOException, GeneralSecurityException {
        Challenge challenge = challenge();
        String proof = header(
                challenge, "300%3A1234/ADMIN", "HS_PUBKEY", "SHA256", signed(RestStand.RSA, challenge, "SHA256withRSA"));
        assertThat(put(proof.replace("sessionId", "SESSIONID").replace("cnonce", "cNonce"))).isEqualTo(201);
    }

    @Test
    void basicIsOfferedWhereItMayBeUsed() throws IOException {
        String basic = "Basic realm=\"handle\"";
        assertThat(door.get("/api/prefixes").answer().all("WWW-Authenticate")).hasSize(2).contains(basic);
        assertThat(door.get("/api/prefixes").by("301%3A1234/ADMIN", "wrong").answer().all("WWW-Authenticate"))
                .hasSize(2).contains(basic);
        assertThat(door.get("/api/prefixes").with("X-Requested-With", "XMLHttpRequest").answer().all("WWW-Authenticate"))
                .hasSize(1).doesNotContain(basic);
        assertThat(door.get("/api/prefixes").with("Authorization", "Handle sessionId=\"x\"").answer().all("WWW-Authenticate"))
                .hasSize(1).doesNotContain(basic);
    }

    /** What a server of version 9.2.0 signed: its modulus, its nonce, and the signature of both nonces, all as it sent them. */
    private static final String SERVER_MODULUS =
            "vi4SjykTOt7yYS-hDgg3-gcaR5yWYRUcOdondiBGTb5FKhKehazfkJf7SVnn2cJJzZhVQ5QFcHdlFegZXudojrIcFYGI-8pG6yps"
            + "9UZ-FnF5198OhedbHvUgJfACulVm8-UEVShjvOzWa9GBxV5De3iEgSgcWgPSJ7B9PvmIqVU2TSNR5HlKKp2uNZ71hr9WkBc7NyYE"
            + "-hdaSRCRepq_YwwkjatYEp-9-P7koFU9gLFyFegRd7pRr-CvIs64_QynGLFqTSyETBl6OCLfadAocoJnhKQ037vhmfN-EPlbP-kF"
            + "fhPvpdY4iVnBE1KtgxT0Yh68QFB4xDJYmo3so8DWlQ";

    private static final String SERVER_NONCE = "mhSovKW2JVevmECaOF/puw==";
    private static final String CLIENT_NONCE = "jizZxJAR/hCGlovkvJXtjg==";
    private static final String SERVER_SIGNATURE =
            "Yv3D4yRgna81DOS2DrUsMx9UEURi24MGnq/sAijezuncbDTbXb5QNW+6PQdxviwy2hdyz4gPtxCbeztzlty+pxYHpSFta/SIPAm1"
            + "wu9ev6nd3N5rBLlWuibfnkt4Y21qov+0P126kOiwQ9R/hpVyTP+JO9FqJOnx6afl3+dCjLxYch0Mo3xFV20qO6u2riCqASvw6WdH"
            + "Mj7Po7e8dxUKXXAFrPGsuEM0GcK03IS4GpfZpp4uzH74g6+gTcq2KwAHthrd6I3bQiogqotqMcZvGaVbc8hqt3sJ+4SsuRu3qwqh"
            + "doDHweVNtbUKQJ3ImnmuOtqzeDOoxvEw03G0gyw9YQ==";

    @Test
    void aCapturedServerSignatureCoversBothNonces() throws GeneralSecurityException {
        BigInteger modulus = new BigInteger(1, Base64.getUrlDecoder().decode(SERVER_MODULUS));
        PublicKey key = KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(modulus, RSAKeyGenParameterSpec.F4));
        Base64.Decoder base64 = Base64.getDecoder();
        assertThat(isSigned(key, base64.decode(SERVER_NONCE), SERVER_SIGNATURE, base64.decode(CLIENT_NONCE))).isTrue();
    }

    private static boolean isSigned(PublicKey key, byte[] nonce, String signature, byte[] cnonce)
            throws GeneralSecurityException {
        Signature check = Signature.getInstance("SHA256withRSA");
        check.initVerify(key);
        check.update(nonce);
        check.update(cnonce);
        return check.verify(Base64.getDecoder().decode(signature));
    }
}
