package io.guidepost.scaffold.key;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.NamedParameterSpec;

/** The Ed25519 keys (RFC 8032) of an object: who has the secret one decides which hosts may serve it. Immutable. */
public final class ObjectKey {
    private static final String ALGORITHM = "Ed25519";

    private final PrivateKey secret;
    private final byte[] open;
    private final Guid guid;

    private ObjectKey(PrivateKey secret, byte[] open) {
        this.secret = secret;
        this.open = open;
        this.guid = RawKeys.guid(open);
    }

    /** Randomness that is given: of it a generator makes the pair of a private key that is there. */
    private static final class GivenSeed extends SecureRandom {
        private static final long serialVersionUID = 1L;

        private final byte[] seed;

        GivenSeed(byte[] seed) {
            this.seed = seed;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            System.arraycopy(seed, 0, bytes, 0, bytes.length);
        }
    }

    /**
     * Reads a pair that {@link #write} has written, or OpenSSL: PKCS #8 in PEM.
     *
     * @throws Malformed if that is no private key of Ed25519
     */
    public static ObjectKey read(byte[] file) throws Malformed {
        PrivateKey secret = PrivateKeyPem.read(file, ALGORITHM);
        byte[] seed = secret instanceof EdECPrivateKey key ? key.getBytes().orElse(new byte[0]) : new byte[0];
        if (seed.length != RawKeys.BYTES) {
            throw PrivateKeyPem.refusal("this is no private key of " + ALGORITHM, ALGORITHM);
        }
        // The JDK has no way from a private key to its public one but its generator, whose seed is the private key (RFC 8032, 5.1.5).
        ObjectKey pair = generate(new GivenSeed(seed));
        if (!new ObjectKey(secret, pair.open).delegate(pair.guid, 0).isSigned()) {
            throw new AssertionError("the JDK's generator makes another key of a seed");
        }
        return pair;
    }

    /** Returns the private key, of which the public one follows, as PKCS #8 in PEM. The caller keeps it secret. */
    public byte[] write() {
        return PrivateKeyPem.write(secret);
    }

    /** Makes a pair. */
    public static ObjectKey generate(SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
            generator.initialize(NamedParameterSpec.ED25519, random);
            KeyPair pair = generator.generateKeyPair();
            return new ObjectKey(pair.getPrivate(), RawKeys.bytes((EdECPublicKey) pair.getPublic()));
        } catch (GeneralSecurityException e) {
            throw new AssertionError("the JDK's own provider has Ed25519", e);
        }
    }

    /** Returns the public key in its 32 bytes. */
    public byte[] open() {
        return open.clone();
    }

    /** Returns the object's GUID: the first 20 bytes of the public key's SHA-256. */
    public Guid guid() {
        return guid;
    }

    /**
     * Lets a host serve the object. Takes some 0.65 ms.
     *
     * @param expirySeconds until when, in seconds since 1970
     */
    public Delegation delegate(Guid host, long expirySeconds) {
        byte[] text = Delegation.text(open, host, expirySeconds);
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(secret);
            signature.update(text);
            return new Delegation(guid, open, host, expirySeconds, signature.sign());
        } catch (GeneralSecurityException e) {
            throw new AssertionError("a key of Ed25519 signs any text", e);
        }
    }
}
