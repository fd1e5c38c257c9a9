package io.guidepost.handle.authentication;

import io.guidepost.handle.WireWriter;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * PBKDF2: derives a key from a secret (RFC 8018 section 5.2, with HMAC-SHA1). Why not the JDK's? It takes a passphrase
 * of characters, but a secret key is bytes, which may not be text.
 */
final class Pbkdf2 {
    private static final int BLOCK_BYTES = 20;

    private Pbkdf2() {}

    /** Derives {@code length} bytes from a non-empty secret. */
    static byte[] derive(byte[] secret, byte[] salt, int iterations, int bytes) {
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(secret, "HmacSHA1"));
            byte[] derived = new byte[bytes];
            for (int block = 0; block * BLOCK_BYTES < bytes; block++) {
                byte[] one = block(mac, salt, iterations, block + 1);
                int at = block * BLOCK_BYTES;
                System.arraycopy(one, 0, derived, at, Math.min(BLOCK_BYTES, bytes - at));
            }
            return derived;
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every JDK has HMAC-SHA1", e);
        }
    }

    private static byte[] block(Mac mac, byte[] salt, int iterations, int number) throws GeneralSecurityException {
        mac.update(salt);
        byte[] round = mac.doFinal(new WireWriter().u32(number).toBytes());
        byte[] sum = Arrays.copyOf(round, BLOCK_BYTES);
        for (int i = 1; i < iterations; i++) {
            mac.update(round);
            mac.doFinal(round, 0);
            for (int j = 0; j < BLOCK_BYTES; j++) {
                sum[j] ^= round[j];
            }
        }
        return sum;
    }
}
