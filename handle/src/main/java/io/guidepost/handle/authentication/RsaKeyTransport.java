package io.guidepost.handle.authentication;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.random.RandomGenerator;
import javax.crypto.Cipher;

/** RSA key transport: encrypts a session's key with an RSA key, with PKCS #1 v1.5 padding. */
public final class RsaKeyTransport {
    private static final String TRANSFORMATION = "RSA/ECB/PKCS1Padding";

    private RsaKeyTransport() {}

    /**
     * Encrypts the key for the holder of the private key.
     *
     * @throws GeneralSecurityException if the public key is not for RSA, or too short
     */
    public static byte[] encrypt(byte[] secret, PublicKey key) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(TRANSFORMATION);
        cipher.init(Cipher.ENCRYPT_MODE, key);
        return cipher.doFinal(secret);
    }

    /**
     * Decrypts a key. An undecryptable message gives a random key, so that the server is no padding oracle (RFC 8017
     * section 7.2): the first MAC will be wrong.
     *
     * @param random source of that key
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
