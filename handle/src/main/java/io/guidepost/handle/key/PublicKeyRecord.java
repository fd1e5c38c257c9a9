package io.guidepost.handle.key;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.interfaces.DSAParams;
import java.security.interfaces.DSAPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.DSAPublicKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.RSAPublicKeySpec;
import javax.crypto.interfaces.DHPublicKey;
import javax.crypto.spec.DHPublicKeySpec;

/**
 * A public key: data of HS_PUBKEY, and the file {@code pubkey.bin}.
 *
 * <pre>
 *  +0    4+n  label, text
 *  +4+n    2  flags, 0
 *  +6+n    .  integers, each big-endian two's complement behind its length:
 *
 *  RSA_PUB_KEY  exponent, modulus, and an empty one, which some writers omit
 *  DSA_PUB_KEY  q, p, g, y
 *  DH_PUB_KEY   y, p, g
 * </pre>
 *
 * All integers are positive; one whose highest bit is set without a leading zero byte is read as positive too.
 */
public sealed interface PublicKeyRecord extends WireRecord {
    /**
     * An RSA key.
     *
     * @param exponent public exponent
     * @param modulus product of the primes
     */
    record Rsa(BigInteger exponent, BigInteger modulus) implements PublicKeyRecord {
        /** The first bytes of its record. */
        static final String LABEL = "RSA_PUB_KEY";

        @Override
        public void write(WireWriter out) {
            KeyIntegers.label(out, LABEL, exponent, modulus).u32(0);
        }
    }

    /**
     * A DSA key.
     *
     * @param q order of the subgroup
     * @param p prime
     * @param g generator
     * @param y the key
     */
    record Dsa(BigInteger q, BigInteger p, BigInteger g, BigInteger y) implements PublicKeyRecord {
        /** The first bytes of its record. */
        static final String LABEL = "DSA_PUB_KEY";

        @Override
        public void write(WireWriter out) {
            KeyIntegers.label(out, LABEL, q, p, g, y);
        }
    }

    /**
     * A Diffie-Hellman key with its group.
     *
     * @param y the key
     * @param p prime
     * @param g generator
     */
    record Dh(BigInteger y, BigInteger p, BigInteger g) implements PublicKeyRecord {
        /** The first bytes of its record. */
        static final String LABEL = "DH_PUB_KEY";

        @Override
        public void write(WireWriter out) {
            KeyIntegers.label(out, LABEL, y, p, g);
        }
    }

    /** Reads the data of a value or a file. */
    static PublicKeyRecord read(byte[] data) throws Malformed {
        WireReader in = new WireReader(data);
        String label = in.text(HandleLimits.TYPE_BYTES_MAX);
        in.u16();
        PublicKeyRecord record = switch (label) {
            case Rsa.LABEL -> new Rsa(KeyIntegers.read(in), KeyIntegers.read(in));
            case Dsa.LABEL -> new Dsa(KeyIntegers.read(in), KeyIntegers.read(in), KeyIntegers.read(in), KeyIntegers.read(in));
            case Dh.LABEL -> new Dh(KeyIntegers.read(in), KeyIntegers.read(in), KeyIntegers.read(in));
            default ->
                throw new Malformed(
                        "a public key is RSA_PUB_KEY, DSA_PUB_KEY or DH_PUB_KEY, not '" + KeyIntegers.shown(label) + "'", 0);
        };
        if (record instanceof Rsa && in.remaining() == 4) {
            int at = in.position();
            if (in.u32() != 0) {
                throw new Malformed("the third integer of an RSA key is empty", at);
            }
        }
        in.end();
        return record;
    }

    /**
     * Returns the record of a key.
     *
     * @throws IllegalArgumentException if it is not for RSA, DSA or Diffie-Hellman
     */
    static PublicKeyRecord of(PublicKey key) {
        return switch (key) {
            case RSAPublicKey rsa -> new Rsa(rsa.getPublicExponent(), rsa.getModulus());
            case DSAPublicKey dsa -> {
                DSAParams params = dsa.getParams();
                if (params == null) {
                    throw new IllegalArgumentException("a DSA key without its parameters cannot be written");
                }
                yield new Dsa(params.getQ(), params.getP(), params.getG(), dsa.getY());
            }
            case DHPublicKey dh -> new Dh(dh.getY(), dh.getParams().getP(), dh.getParams().getG());
            default ->
                throw new IllegalArgumentException(
                        "a key record is for RSA, DSA or DH keys, not for " + key.getAlgorithm());
        };
    }

    /**
     * Returns the JDK's key.
     *
     * @throws Malformed if the JDK refuses these integers
     */
    default PublicKey key() throws Malformed {
        try {
            return switch (this) {
                case Rsa rsa -> KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(rsa.modulus, rsa.exponent));
                case Dsa dsa -> KeyFactory.getInstance("DSA").generatePublic(new DSAPublicKeySpec(dsa.y, dsa.p, dsa.q, dsa.g));
                case Dh dh -> KeyFactory.getInstance("DH").generatePublic(new DHPublicKeySpec(dh.y, dh.p, dh.g));
            };
        } catch (InvalidKeySpecException e) {
            throw new Malformed("these integers are no key: " + e.getMessage(), 0);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has RSA, DSA and Diffie-Hellman", e);
        }
    }
}
