package io.guidepost.base;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The hash function SHA-256 (FIPS 180-4), which every JDK has. */
public final class Sha256 {
    private Sha256() {}

    /** Returns the 32 bytes of the hash. */
    public static byte[] of(byte[] bytes) {
        return begin().digest(bytes);
    }

    /** Returns a hash of nothing yet, for input that comes in pieces. */
    public static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
