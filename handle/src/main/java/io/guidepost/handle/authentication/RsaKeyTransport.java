package io.guidepost.handle.authentication;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.random.RandomGenerator;
import javax.crypto.Cipher;

/** Carries a session's key from one to the other under an RSA key, with the padding of PKCS #1 v1.5. */
public final class RsaKeyTransport {
    private static final String TRANSFORMATION = "RSA/ECB/PKCS1Padding";

    private RsaKeyTransport() {}

    /**
     * The key, for whoever has the private key.
     *
     * @throws GeneralSecurityException if the public key is not for RSA, or too short
     */
    public static byte[] encrypt(byte[] secret, PublicKey key) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(TRANSFORMATION);
        cipher.init(Cipher.ENCRYPT_MODE, key);
        return cipher.doFinal(secret);
    }

    /**
     * The key that was sent. What cannot be decrypted gives a random one, as a server that tells which messages decrypt
     * tells, message by message, what others hold (RFC 8017 section 7.2): the first MAC will be wrong.
     *
     * @param random where that key comes from
     * @throws GeneralSecurityException if the private key is not for RSA
     */
    public static byte[] decrypt(byte[] encrypted, PrivateKey key, RandomGenerator random)
            throws GeneralSecurityException {
        byte[] substitute = new byte[SessionKey.BYTES];
        random.nextBytes(substitute);
        Cipher cipher = Cipher.getInstance(TRANSFORMATION);
        cipher.init(Cipher.DECRYPT_MODE, key);
        try {
            byte[] secret = cipher.doFinal(encrypted);
            return secret.length < SessionCipher.AES.keyBytes() ? substitute : secret;
        } catch (GeneralSecurityException e) {
            return substitute;
        }
    }
}
