package io.guidepost.alto.protocol;

import java.nio.charset.StandardCharsets;

/** Syntax of the identifiers of ALTO (RFC 7285 sections 10.1 to 10.8). */
public final class AltoIdentifiers {
    private static final int NAME_MAX = 64;
    private static final int METRIC_MAX = 32;
    private static final int HASH_LENGTH = 8;

    private AltoIdentifiers() {}

    /**
     * Returns whether a text is a valid name of a PID, a resource or a cost type: 1 to 64 letters, digits and
     * {@code - : @ _ .}
     */
    public static boolean isName(String text) {
        return made(text, NAME_MAX);
    }

    /** Returns whether a text is a valid cost metric: 1 to 32 of the same characters. */
    public static boolean isMetric(String text) {
        return made(text, METRIC_MAX);
    }

    /** Returns whether a text is a valid version tag: 1 to 64 printable ASCII characters without blanks. */
    public static boolean isTag(String text) {
        return !text.isEmpty() && text.length() <= NAME_MAX && text.chars().allMatch(each -> each > ' ' && each < 0x7f);
    }

    /**
     * Derives an identifier from another one. If the result is too long, the front part is truncated and a hash of it
     * is added.
     *
     * @param of identifier to derive from
     * @param what suffix, such as {@code -costs}
     * @param room characters to leave free for a further suffix
     */
    public static String derived(String of, String what, int room) {
        int lengthMax = NAME_MAX - room;
        if (of.length() + what.length() <= lengthMax) {
            return of + what;
        }
        String hash = '-' + ContentTag.of(of.getBytes(StandardCharsets.US_ASCII)).substring(0, HASH_LENGTH);
        return of.substring(0, lengthMax - what.length() - hash.length()) + hash + what;
    }

    private static boolean made(String text, int lengthMax) {
        return !text.isEmpty() && text.length() <= lengthMax && text.chars()
                .allMatch(each -> each < 0x80 && Character.isLetterOrDigit(each) || "-:@_.".indexOf(each) >= 0);
    }
}
