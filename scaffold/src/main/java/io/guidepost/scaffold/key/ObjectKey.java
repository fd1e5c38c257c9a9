package io.guidepost.scaffold.key;

import io.guidepost.names.Guid;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.NamedParameterSpec;

/** The Ed25519 keys (RFC 8032) of an object: who has the secret one decides which hosts may serve it. Immutable. */
public final class ObjectKey {
    private final PrivateKey secret;
    private final byte[] open;
    private final Guid guid;

    private ObjectKey(PrivateKey secret, byte[] open) {
        this.secret = secret;
        this.open = open;
        this.guid = RawKeys.guid(open);
    }

    /** Makes a pair. */
    public static ObjectKey generate(SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
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
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(secret);
            signature.update(text);
            return new Delegation(guid, open, host, expirySeconds, signature.sign());
        } catch (GeneralSecurityException e) {
            throw new AssertionError("a key of Ed25519 signs any text", e);
        }
    }
}
