package io.guidepost.alto.protocol;

import io.guidepost.base.Sha256;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Version tags derived from content by SHA-256: equal for equal bytes, so that conditional requests hit. */
public final class ContentTag {
    private static final int BYTES = 20;

    private ContentTag() {}

    /** Returns the tag of a text, 40 characters. */
    public static String of(byte[] body) {
        MessageDigest digest = digest();
        digest.update(body);
        return of(digest);
    }

    /** Returns a digest for content that is produced piece by piece. */
    public static MessageDigest digest() {
        return Sha256.begin();
    }

    /** Returns the tag of a digest. */
    public static String of(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    }
}
