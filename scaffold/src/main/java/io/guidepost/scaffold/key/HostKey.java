package io.guidepost.scaffold.key;

import io.guidepost.base.Malformed;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import javax.crypto.KeyAgreement;

/**
 * A pair of X25519 keys (RFC 7748): of a host for good, in which case its GUID is the hash of the public one, or for an hour.
 * Immutable.
 */
public final class HostKey extends RawKeyPair {
    private HostKey(KeyPair pair) {
        super(pair);
    }

    /** Makes a pair. */
    public static HostKey generate(SecureRandom random) {
        return new HostKey(generate(X25519, random));
    }

    /**
     * Reads a pair that {@link #write} has written, or OpenSSL: PKCS #8 in PEM.
     *
     * @throws Malformed if that is no private key of X25519
     */
    public static HostKey read(byte[] file) throws Malformed {
        return new HostKey(read(file, X25519));
    }

    /**
     * Returns the secret that this pair shares with another's public key. Takes some 170 us.
     *
     * @throws Malformed if the bytes are no key, or one of a small group, which shares nothing secret
     */
    byte[] agree(byte[] other) throws Malformed {
        try {
            KeyAgreement agreement = KeyAgreement.getInstance(X25519);
            agreement.init(secret);
            agreement.doPhase(publicKey(X25519, other), true);
            return agreement.generateSecret();
        } catch (GeneralSecurityException e) {
            throw new Malformed("these bytes are no usable key of X25519", 0);
        }
    }
}
