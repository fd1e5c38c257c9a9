package io.guidepost.alto.protocol;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Tags of versions: equal for equal bytes, so that what has not changed need not be sent again. */
public final class ContentTag {
    private static final int BYTES = 20;

    private ContentTag() {}

    /** The tag of a text, 40 characters. */
    public static String of(byte[] body) {
        MessageDigest digest = digest();
        digest.update(body);
        return of(digest);
    }

    /** What a tag is made of bit by bit. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    /** The tag of what was digested. */
    public static String of(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    }
}
