package io.guidepost.handle.key;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.interfaces.DSAParams;
import java.security.interfaces.DSAPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.DSAPrivateKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPrivateKeySpec;
import java.util.Optional;

/**
 * A private key: the clear text of the file {@code privkey.bin}, see {@link PrivateKeyFile}.
 *
 * <pre>
 *  +0    4+n  label, text
 *  +4+n    .  integers, each big-endian two's complement behind its length (there are no flags here):
 *
 *  RSA_PRIVCRT_KEY  n, e, d, p, q, d mod (p-1), d mod (q-1), 1/q mod p
 *  RSA_PRIV_KEY     n, d
 *  DSA_PRIV_KEY     x, p, q, g
 * </pre>
 */
public sealed interface PrivateKeyRecord extends WireRecord {
    /** An RSA key with its primes; the names are those of RFC 8017 section 3.2. */
    record RsaCrt(
            BigInteger n,
            BigInteger e,
            BigInteger d,
            BigInteger p,
            BigInteger q,
            BigInteger dP,
            BigInteger dQ,
            BigInteger qInv)
            implements PrivateKeyRecord {
        static final String LABEL = "RSA_PRIVCRT_KEY";

        @Override
        public void write(WireWriter out) {
            KeyIntegers.write(out.text(LABEL), n, e, d, p, q, dP, dQ, qInv);
        }

        /** Returns the kind of key, but no secret. */
        @Override
        public String toString() {
            return LABEL;
        }
    }

    /**
     * An RSA key without its primes.
     *
     * @param n modulus
     * @param d private exponent
     */
    record Rsa(BigInteger n, BigInteger d) implements PrivateKeyRecord {
        static final String LABEL = "RSA_PRIV_KEY";

        @Override
        public void write(WireWriter out) {
            KeyIntegers.write(out.text(LABEL), n, d);
        }

        /** Returns the kind of key, but no secret. */
        @Override
        public String toString() {
            return LABEL;
        }
    }

    /**
     * A DSA key.
     *
     * @param x the key
     * @param p prime
     * @param q order of the subgroup
     * @param g generator
     */
    record Dsa(BigInteger x, BigInteger p, BigInteger q, BigInteger g) implements PrivateKeyRecord {
        static final String LABEL = "DSA_PRIV_KEY";

        @Override
        public void write(WireWriter out) {
            KeyIntegers.write(out.text(LABEL), x, p, q, g);
        }

        /** Returns the kind of key, but no secret. */
        @Override
        public String toString() {
            return LABEL;
        }
    }

    /** Reads the clear text of a file. */
    static PrivateKeyRecord read(byte[] clear) throws Malformed {
        WireReader in = new WireReader(clear);
        String label = in.text(HandleLimits.TYPE_BYTES_MAX);
        PrivateKeyRecord record = switch (label) {
            case RsaCrt.LABEL ->
                new RsaCrt(
                        KeyIntegers.read(in),
                        KeyIntegers.read(in),
                        KeyIntegers.read(in),
                        KeyIntegers.read(in),
                        KeyIntegers.read(in),
                        KeyIntegers.read(in),
                        KeyIntegers.read(in),
                        KeyIntegers.read(in));
            case Rsa.LABEL -> new Rsa(KeyIntegers.read(in), KeyIntegers.read(in));
            case Dsa.LABEL -> new Dsa(KeyIntegers.read(in), KeyIntegers.read(in), KeyIntegers.read(in), KeyIntegers.read(in));
            default ->
                throw new Malformed(
                        "a private key is RSA_PRIVCRT_KEY, RSA_PRIV_KEY or DSA_PRIV_KEY, not '" + KeyIntegers.shown(label)
                                + "'",
                        0);
        };
        in.end();
        return record;
    }

    /**
     * Returns the record of a key.
     *
     * @throws IllegalArgumentException if it is for neither RSA nor DSA, or does not expose its integers
     */
    static PrivateKeyRecord of(PrivateKey key) {
        return switch (key) {
            case RSAPrivateCrtKey rsa ->
                new RsaCrt(
                        rsa.getModulus(),
                        rsa.getPublicExponent(),
                        rsa.getPrivateExponent(),
                        rsa.getPrimeP(),
                        rsa.getPrimeQ(),
                        rsa.getPrimeExponentP(),
                        rsa.getPrimeExponentQ(),
                        rsa.getCrtCoefficient());
            case RSAPrivateKey rsa -> new Rsa(rsa.getModulus(), rsa.getPrivateExponent());
            case DSAPrivateKey dsa -> {
                DSAParams params = dsa.getParams();
                if (params == null) {
                    throw new IllegalArgumentException("a DSA key without its parameters cannot be written");
                }
                yield new Dsa(dsa.getX(), params.getP(), params.getQ(), params.getG());
            }
            default ->
                throw new IllegalArgumentException(
                        "a private key record is for RSA or DSA keys, not for " + key.getAlgorithm());
        };
    }

    /** Returns the public key that follows from this one; none of an RSA key without its primes, which lacks the exponent. */
    default Optional<PublicKeyRecord> publicKey() {
        return switch (this) {
            case RsaCrt it -> Optional.of(new PublicKeyRecord.Rsa(it.e, it.n));
            case Rsa _ -> Optional.empty();
            case Dsa it -> Optional.of(new PublicKeyRecord.Dsa(it.q, it.p, it.g, it.g.modPow(it.x, it.p)));
        };
    }

    /**
     * Returns the JDK's key.
     *
     * @throws Malformed if the JDK refuses these integers
     */
    default PrivateKey key() throws Malformed {
        try {
            return switch (this) {
                case RsaCrt it ->
                    KeyFactory.getInstance("RSA")
                            .generatePrivate(new RSAPrivateCrtKeySpec(it.n, it.e, it.d, it.p, it.q, it.dP, it.dQ, it.qInv));
                case Rsa it -> KeyFactory.getInstance("RSA").generatePrivate(new RSAPrivateKeySpec(it.n, it.d));
                case Dsa it -> KeyFactory.getInstance("DSA").generatePrivate(new DSAPrivateKeySpec(it.x, it.p, it.q, it.g));
            };
        } catch (InvalidKeySpecException e) {
            throw new Malformed("these integers are no key: " + e.getMessage(), 0);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has RSA, DSA and Diffie-Hellman", e);
        }
    }
}
