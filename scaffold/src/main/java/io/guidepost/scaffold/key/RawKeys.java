package io.guidepost.scaffold.key;

import io.guidepost.base.Malformed;
import io.guidepost.base.Sha256;
import io.guidepost.names.Guid;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.XECPublicKey;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.KeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Arrays;

/** Keys as the 32 bytes that stand on the wire: little-endian (RFC 7748 section 5, RFC 8032 section 5.1.2). */
final class RawKeys {
    static final int BYTES = 32;

    private static final int SIGN = 0x80;

    private RawKeys() {}

    static byte[] bytes(XECPublicKey key) {
        return littleEndian(key.getU());
    }

    static PublicKey exchangeKey(byte[] raw) throws Malformed {
        byte[] u = checked(raw).clone();
        u[BYTES - 1] &= (byte) ~SIGN;
        return key("X25519", new XECPublicKeySpec(NamedParameterSpec.X25519, new BigInteger(1, reversed(u))));
    }

    static byte[] bytes(EdECPublicKey key) {
        byte[] raw = littleEndian(key.getPoint().getY());
        if (key.getPoint().isXOdd()) {
            raw[BYTES - 1] |= (byte) SIGN;
        }
        return raw;
    }

    static PublicKey signatureKey(byte[] raw) throws Malformed {
        byte[] y = checked(raw).clone();
        boolean odd = (y[BYTES - 1] & SIGN) != 0;
        y[BYTES - 1] &= (byte) ~SIGN;
        return key("Ed25519", new EdECPublicKeySpec(NamedParameterSpec.ED25519, new EdECPoint(odd, new BigInteger(1, reversed(y)))));
    }

    /** Returns the GUID of a key: the first 20 bytes of its SHA-256. */
    static Guid guid(byte[] raw) {
        return Guid.of(Arrays.copyOf(Sha256.of(raw), Guid.BYTES));
    }

    private static PublicKey key(String algorithm, KeySpec spec) throws Malformed {
        try {
            return KeyFactory.getInstance(algorithm).generatePublic(spec);
        } catch (GeneralSecurityException e) {
            throw new Malformed("these bytes are no key of " + algorithm, 0);
        }
    }

    private static byte[] checked(byte[] raw) throws Malformed {
        if (raw.length != BYTES) {
            throw new Malformed("a key has 32 bytes, not " + raw.length, 0);
        }
        return raw;
    }

    private static byte[] littleEndian(BigInteger number) {
        byte[] big = number.toByteArray();
        byte[] raw = new byte[BYTES];
        for (int i = 0; i < BYTES && i < big.length; i++) {
            raw[i] = big[big.length - 1 - i];
        }
        return raw;
    }

    private static byte[] reversed(byte[] bytes) {
        byte[] copy = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            copy[i] = bytes[bytes.length - 1 - i];
        }
        return copy;
    }
}
