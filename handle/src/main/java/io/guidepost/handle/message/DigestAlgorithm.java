package io.guidepost.handle.message;

import io.guidepost.base.Malformed;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The digests of requests, one row each, in the order of their numbers on the wire. */
public enum DigestAlgorithm {
    /** MD5, in the layout of 2.0. */
    MD5_OLD("MD5", 16),
    /** MD5. */
    MD5("MD5", 16),
    /** SHA-1. */
    SHA1("SHA-1", 20),
    /** SHA-256. */
    SHA256("SHA-256", 32);

    private final String algorithm;
    private final int bytes;

    DigestAlgorithm(String algorithm, int bytes) {
        this.algorithm = algorithm;
        this.bytes = bytes;
    }

    /** Returns the length of a digest in bytes. */
    public int bytes() {
        return bytes;
    }

    /** Returns a new digest. */
    public MessageDigest start() {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has " + algorithm, e);
        }
    }

    @SuppressWarnings("EnumOrdinal") // The order of the constants is the order of their numbers.
    int code() {
        return ordinal();
    }

    static DigestAlgorithm ofCode(int code, int at) throws Malformed {
        if (code >= values().length) {
            throw new Malformed("the digest of a request is MD5 (0, 1), SHA-1 (2) or SHA-256 (3), not " + code, at);
        }
        return values()[code];
    }
}
