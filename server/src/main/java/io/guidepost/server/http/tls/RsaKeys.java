package io.guidepost.server.http.tls;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.RSAPublicKeySpec;

/** RSA keys that a server makes for itself. */
public final class RsaKeys {
    private static final int KEY_BITS = 2048;

    private RsaKeys() {}

    /** Makes a pair. */
    public static KeyPair generate(SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(KEY_BITS, random);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has RSA", e);
        }
    }

    /**
     * Returns the pair of which the private key is given.
     *
     * @throws GeneralSecurityException if it is not an RSA key with its primes
     */
    public static KeyPair pairOf(PrivateKey key) throws GeneralSecurityException {
        if (!(key instanceof RSAPrivateCrtKey own)) {
            throw new GeneralSecurityException("its public key does not follow from a private key for " + key.getAlgorithm());
        }
        return new KeyPair(
                KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(own.getModulus(), own.getPublicExponent())), own);
    }
}
