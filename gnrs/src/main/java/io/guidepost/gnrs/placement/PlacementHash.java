package io.guidepost.gnrs.placement;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The digests that hash GUIDs for placement, one row each. They spread GUIDs over addresses, which even the old ones do
 * well; no secret depends on them.
 */
public enum PlacementHash {
    MD2("MD2", 16),
    MD5("MD5", 16),
    SHA_1("SHA-1", 20),
    SHA_256("SHA-256", 32),
    SHA_384("SHA-384", 48),
    SHA_512("SHA-512", 64);

    private final String title;
    private final int bytes;

    PlacementHash(String title, int bytes) {
        this.title = title;
        this.bytes = bytes;
    }

    /** Returns the name that configuration files use, such as {@code SHA-1}. */
    public String title() {
        return title;
    }

    int bytes() {
        return bytes;
    }

    MessageDigest digest() {
        try {
            return MessageDigest.getInstance(title);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("the JDK's own provider has " + title, e);
        }
    }
}
