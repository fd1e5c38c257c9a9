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
import java.util.Arrays;
import javax.crypto.KeyAgreement;

/**
 * A pair of X25519 keys (RFC 7748): of a host for good, in which case its GUID is the hash of the public one, or for an hour.
 * Immutable.
 */
public final class HostKey {
    private static final String ALGORITHM = "X25519";

    /** The product of a private key with this point is its public key (RFC 7748 section 6.1). */
    private static final byte[] BASE_POINT = Arrays.copyOf(new byte[] {9}, RawKeys.BYTES);

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
            KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
            generator.initialize(NamedParameterSpec.X25519, random);
            KeyPair pair = generator.generateKeyPair();
            return new HostKey(pair.getPrivate(), RawKeys.bytes((XECPublicKey) pair.getPublic()));
        } catch (GeneralSecurityException e) {
            throw new AssertionError("the JDK's own provider has X25519", e);
        }
    }

    /**
     * Reads a pair that {@link #write} has written, or OpenSSL: PKCS #8 in PEM.
     *
     * @throws Malformed if that is no private key of X25519
     */
    public static HostKey read(byte[] file) throws Malformed {
        PrivateKey secret = PrivateKeyPem.read(file, ALGORITHM);
        return new HostKey(secret, agree(secret, BASE_POINT));
    }

    /** Returns the private key, of which the public one follows, as PKCS #8 in PEM. The caller keeps it secret. */
    public byte[] write() {
        return PrivateKeyPem.write(secret);
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
        return agree(secret, other);
    }

    private static byte[] agree(PrivateKey secret, byte[] other) throws Malformed {
        try {
            KeyAgreement agreement = KeyAgreement.getInstance(ALGORITHM);
            agreement.init(secret);
            agreement.doPhase(RawKeys.exchangeKey(other), true);
            return agreement.generateSecret();
        } catch (GeneralSecurityException e) {
            throw new Malformed("these bytes are no usable key of X25519", 0);
        }
    }
}
