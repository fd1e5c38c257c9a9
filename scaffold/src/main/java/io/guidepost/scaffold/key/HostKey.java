package io.guidepost.scaffold.key;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.interfaces.XECPublicKey;
import java.security.spec.NamedParameterSpec;
import javax.crypto.KeyAgreement;

/**
 * A pair of X25519 keys (RFC 7748): of a host for good, in which case its GUID is the hash of the public one, or for an hour.
 * Immutable.
 */
public final class HostKey {
    private final PrivateKey secret;
    private final byte[] open;
    private final Guid guid;

    private HostKey(PrivateKey secret, byte[] open) {
        this.secret = secret;
        this.open = open;
        this.guid = RawKeys.guid(open);
    }

    /** Makes a pair. */
    public static HostKey generate(SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("X25519");
            generator.initialize(NamedParameterSpec.X25519, random);
            KeyPair pair = generator.generateKeyPair();
            return new HostKey(pair.getPrivate(), RawKeys.bytes((XECPublicKey) pair.getPublic()));
        } catch (GeneralSecurityException e) {
            throw new AssertionError("the JDK's own provider has X25519", e);
        }
    }

    /** Returns the pair of two keys that were stored. */
    static HostKey of(PrivateKey secret, byte[] open) {
        return new HostKey(secret, open.clone());
    }

    /** Returns the public key in its 32 bytes. */
    public byte[] open() {
        return open.clone();
    }

    /** Returns the first 20 bytes of the public key's SHA-256. */
    public Guid guid() {
        return guid;
    }

    /** Returns the GUID of a host with a public key. */
    public static Guid guid(byte[] open) {
        return RawKeys.guid(open);
    }

    /**
     * Returns the secret that this pair shares with another's public key. Takes some 170 us.
     *
     * @throws Malformed if the bytes are no key, or one of a small group, which shares nothing secret
     */
    byte[] agree(byte[] other) throws Malformed {
        try {
            KeyAgreement agreement = KeyAgreement.getInstance("X25519");
            agreement.init(secret);
            agreement.doPhase(RawKeys.exchangeKey(other), true);
            return agreement.generateSecret();
        } catch (GeneralSecurityException e) {
            throw new Malformed("these bytes are no usable key of X25519", 0);
        }
    }
}
