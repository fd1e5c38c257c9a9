package io.guidepost.scaffold.key;

import io.guidepost.base.Malformed;
import io.guidepost.base.Pem;
import io.guidepost.base.Sha256;
import io.guidepost.names.Guid;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.XECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * A private key and its public one, which stands on the wire in 32 bytes (RFC 7748 section 5, RFC 8032 section 5.1.2). In a file it
 * is PKCS #8 in PEM (RFC 7468 section 10), as {@code openssl genpkey} writes it too.
 */
abstract sealed class RawKeyPair permits HostKey, ObjectKey {
    static final String X25519 = "X25519";
    static final String ED25519 = "Ed25519";

    /** Length of a public key in bytes. */
    static final int BYTES = 32;

    private static final String LABEL = "PRIVATE KEY";

    final PrivateKey secret;
    private final byte[] open;
    private final Guid guid;

    RawKeyPair(KeyPair pair) {
        secret = pair.getPrivate();
        byte[] encoded = pair.getPublic().getEncoded();
        open = Arrays.copyOfRange(encoded, encoded.length - BYTES, encoded.length);
        guid = guid(open);
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

    static KeyPair generate(String algorithm, SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(new NamedParameterSpec(algorithm), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError("the JDK's own provider has " + algorithm, e);
        }
    }

    static KeyPair read(byte[] file, String algorithm) throws Malformed {
        byte[] seed;
        try {
            seed = seed(KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(Pem.read(LABEL, file))));
        } catch (Malformed | GeneralSecurityException e) {
            String what = e instanceof Malformed fault ? fault.reason() : "this is no private key of " + algorithm;
            throw new Malformed(what + ": make one by openssl genpkey -algorithm " + algorithm, 0);
        }
        // The JDK has no way from a private key to its public one but its generator, which takes the private key as it is drawn.
        KeyPair pair = generate(algorithm, new GivenSeed(seed));
        if (!Arrays.equals(seed(pair.getPrivate()), seed)) {
            throw new AssertionError("the JDK's generator makes another key of a seed");
        }
        return pair;
    }

    private static byte[] seed(PrivateKey key) {
        Optional<byte[]> bytes = key instanceof XECPrivateKey exchange ? exchange.getScalar() : ((EdECPrivateKey) key).getBytes();
        return bytes.orElseThrow();
    }

    /** Returns the key of its bytes; what stands before these in its encoding is of RFC 8410 section 4. */
    static PublicKey publicKey(String algorithm, byte[] raw) throws Malformed {
        if (raw.length != BYTES) {
            throw new Malformed("a key has 32 bytes, not " + raw.length, 0);
        }
        String head = "302a300506032b65" + (algorithm.equals(X25519) ? "6e" : "70") + "032100";
        try {
            byte[] encoded = HexFormat.of().parseHex(head + HexFormat.of().formatHex(raw));
            return KeyFactory.getInstance(algorithm).generatePublic(new X509EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new Malformed("these bytes are no key of " + algorithm, 0);
        }
    }

    /** Returns the private key, of which the public one follows, as PKCS #8 in PEM. The caller keeps it secret. */
    public byte[] write() {
        return Pem.write(LABEL, secret.getEncoded());
    }

    /** Returns the public key in its 32 bytes. */
    public byte[] open() {
        return open.clone();
    }

    /** Returns the first 20 bytes of the public key's SHA-256. */
    public Guid guid() {
        return guid;
    }

    /** Returns the GUID of who has a public key. */
    public static Guid guid(byte[] open) {
        return Guid.of(Arrays.copyOf(Sha256.of(open), Guid.BYTES));
    }
}
