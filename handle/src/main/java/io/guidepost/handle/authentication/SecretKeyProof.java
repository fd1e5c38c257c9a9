package io.guidepost.handle.authentication;

import io.guidepost.base.Malformed;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A response to a challenge: proves knowledge of the secret in an HS_SECKEY value.
 *
 * <pre>
 *  kind (1 byte)    then
 *  01 MD5           digest of secret, nonce, digest of the request, secret; 16 bytes, weak
 *  02 SHA-1         the same; 20 bytes
 *  03 SHA-256       the same; 32 bytes
 *  12 HMAC-SHA1     MAC of nonce and digest of the request, keyed with the secret; 20 bytes
 *  13 HMAC-SHA256   the same; 32 bytes
 *  22 PBKDF2        salt, iterations 32, bits of the key 32, HMAC-SHA1 with the derived key; salt and MAC
 *                   behind their lengths
 * </pre>
 *
 * @param kind algorithm of the proof
 * @param salt for PBKDF2, else empty; treated as immutable
 * @param iterations for PBKDF2, else 0
 * @param keyBits for PBKDF2, else 0
 * @param proof treated as immutable
 */
public record SecretKeyProof(Kind kind, byte[] salt, int iterations, int keyBits, byte[] proof)
        implements WireRecord {
    /** The algorithms of proofs, one row each. */
    public enum Kind {
        /** MD5; weak: accepted only if the caller allows it. */
        MD5(0x01, "MD5", 16),
        /** SHA-1. */
        SHA1(0x02, "SHA-1", 20),
        /** SHA-256. */
        SHA256(0x03, "SHA-256", 32),
        /** A MAC with SHA-1. */
        HMAC_SHA1(0x12, "HmacSHA1", 20),
        /** A MAC with SHA-256. */
        HMAC_SHA256(0x13, "HmacSHA256", 32),
        /** A MAC with SHA-1, keyed with PBKDF2 of the secret: current clients send this. */
        PBKDF2(0x22, "HmacSHA1", 20);

        private final int code;
        private final String algorithm;
        private final int proofBytes;

        Kind(int code, String algorithm, int proofBytes) {
            this.code = code;
            this.algorithm = algorithm;
            this.proofBytes = proofBytes;
        }

        static Kind ofCode(int code) throws Malformed {
            for (Kind each : values()) {
                if (each.code == code) {
                    return each;
                }
            }
            throw new Malformed(
                    "the proof of a secret key is of kind 1, 2, 3, 12, 13 or 22 (hexadecimal), not "
                            + Integer.toHexString(code),
                    0);
        }
    }

    /** Iterations of current clients. */
    private static final int ITERATIONS = 10_000;

    private static final int KEY_BITS = 160;
    private static final int SALT_BYTES = 16;

    /** Accepted iterations: any client can cause this work, so ten times the usual number. */
    static final int ITERATIONS_MAX = 100_000;

    /** Accepted bits of a derived key: each 160 cost all iterations again. */
    static final int KEY_BITS_MAX = 320;

    private static final int KEY_BITS_MIN = 80;
    private static final int SALT_BYTES_MAX = 64;

    /**
     * Reads a response.
     *
     * @throws Malformed with the first reason and its offset, also if it asks for too much work
     */
    public static SecretKeyProof read(byte[] bytes) throws Malformed {
        WireReader in = new WireReader(bytes);
        Kind kind = Kind.ofCode(in.u8());
        SecretKeyProof answer = kind == Kind.PBKDF2
                ? new SecretKeyProof(kind, in.bytes(SALT_BYTES_MAX), in.u32(), in.u32(), in.bytes(kind.proofBytes))
                : new SecretKeyProof(kind, new byte[0], 0, 0, in.raw(kind.proofBytes));
        in.end();
        if (kind == Kind.PBKDF2) {
            answer.checkWork();
        }
        return answer;
    }

    private void checkWork() throws Malformed {
        boolean work = iterations >= 1 && iterations <= ITERATIONS_MAX;
        boolean key = keyBits >= KEY_BITS_MIN && keyBits <= KEY_BITS_MAX && keyBits % 8 == 0;
        if (!work || !key || proof.length != kind.proofBytes) {
            throw new Malformed(
                    "PBKDF2 takes 1 to " + ITERATIONS_MAX + " iterations, a key of " + KEY_BITS_MIN + " to " + KEY_BITS_MAX
                            + " bits and a proof of 20 bytes, not " + iterations + ", " + keyBits + ", " + proof.length,
                    1);
        }
    }

    /**
     * Answers a challenge.
     *
     * @param secret the bytes of the value; not empty
     * @param nonce of the challenge
     * @param requestDigest of the request that was challenged
     * @param random source of the salt
     */
    public static SecretKeyProof prove(
            Kind kind, byte[] secret, byte[] nonce, byte[] requestDigest, RandomGenerator random) {
        if (secret.length == 0) {
            throw new IllegalArgumentException("an empty secret proves nothing");
        }
        byte[] salt = new byte[kind == Kind.PBKDF2 ? SALT_BYTES : 0];
        random.nextBytes(salt);
        int iterations = kind == Kind.PBKDF2 ? ITERATIONS : 0;
        int keyBits = kind == Kind.PBKDF2 ? KEY_BITS : 0;
        return new SecretKeyProof(
                kind,
                salt,
                iterations,
                keyBits,
                proof(kind, customary(kind, secret), salt, iterations, keyBits, nonce, requestDigest));
    }

    /**
     * Verifies that the response was made for this challenge with a secret. Takes the same time for each wrong proof of
     * a kind.
     *
     * <p>Existing Java clients take each byte of a secret for a character and derive the key from their UTF-8 form;
     * others derive it from the bytes. Both are accepted for secrets that are not ASCII.
     *
     * @param weakToo whether to accept MD5
     */
    public boolean verifies(byte[] secret, byte[] nonce, byte[] requestDigest, boolean weakToo) {
        if (secret.length == 0 || kind == Kind.MD5 && !weakToo) {
            return false;
        }
        byte[] customary = customary(kind, secret);
        boolean right = MessageDigest.isEqual(
                proof(kind, customary, salt, iterations, keyBits, nonce, requestDigest), proof);
        if (Arrays.equals(secret, customary)) {
            return right;
        }
        boolean rightOtherwise =
                MessageDigest.isEqual(proof(kind, secret, salt, iterations, keyBits, nonce, requestDigest), proof);
        return right || rightOtherwise;
    }

    private static byte[] customary(Kind kind, byte[] secret) {
        return kind == Kind.PBKDF2
                ? new String(secret, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.UTF_8)
                : secret;
    }

    private static byte[] proof(
            Kind kind, byte[] secret, byte[] salt, int iterations, int keyBits, byte[] nonce, byte[] requestDigest) {
        try {
            return switch (kind) {
                case MD5, SHA1, SHA256 -> {
                    MessageDigest digest = MessageDigest.getInstance(kind.algorithm);
                    digest.update(secret);
                    digest.update(nonce);
                    digest.update(requestDigest);
                    yield digest.digest(secret);
                }
                case HMAC_SHA1, HMAC_SHA256 -> mac(kind.algorithm, secret, nonce, requestDigest);
                case PBKDF2 ->
                    mac(
                            kind.algorithm,
                            Pbkdf2.derive(secret, salt, iterations, keyBits / 8),
                            nonce,
                            requestDigest);
            };
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every JDK has " + kind.algorithm, e);
        }
    }

    private static byte[] mac(String algorithm, byte[] key, byte[] nonce, byte[] requestDigest)
            throws GeneralSecurityException {
        Mac mac = Mac.getInstance(algorithm);
        mac.init(new SecretKeySpec(key, algorithm));
        mac.update(nonce);
        return mac.doFinal(requestDigest);
    }

    @Override
    public void write(WireWriter out) {
        out.u8(kind.code);
        if (kind == Kind.PBKDF2) {
            out.bytes(salt).u32(iterations).u32(keyBits).bytes(proof);
        } else {
            out.raw(proof);
        }
    }
}
