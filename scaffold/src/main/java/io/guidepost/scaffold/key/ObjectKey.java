package io.guidepost.scaffold.key;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.Signature;

/** The Ed25519 keys (RFC 8032) of an object: who has the secret one decides which hosts may serve it. Immutable. */
public final class ObjectKey extends RawKeyPair {
    private ObjectKey(KeyPair pair) {
        super(pair);
    }

    /** Makes a pair. */
    public static ObjectKey generate(SecureRandom random) {
        return new ObjectKey(generate(ED25519, random));
    }

    /**
     * Reads a pair that {@link #write} has written, or OpenSSL: PKCS #8 in PEM.
     *
     * @throws Malformed if that is no private key of Ed25519
     */
    public static ObjectKey read(byte[] file) throws Malformed {
        return new ObjectKey(read(file, ED25519));
    }

    /**
     * Lets a host serve the object. Takes some 0.65 ms.
     *
     * @param expirySeconds until when, in seconds since 1970
     */
    public Delegation delegate(Guid host, long expirySeconds) {
        try {
            Signature signature = Signature.getInstance(ED25519);
            signature.initSign(secret);
            return Delegation.sign(open(), host, expirySeconds, signature);
        } catch (GeneralSecurityException e) {
            throw new AssertionError("a key of Ed25519 signs any text", e);
        }
    }
}
