package io.guidepost.alto.protocol;

import java.nio.charset.StandardCharsets;

/** What names of the protocol may look like (RFC 7285 sections 10.1 to 10.8). */
public final class AltoIdentifiers {
    private static final int NAME_MAX = 64;
    private static final int METRIC_MAX = 32;
    private static final int HASH_LENGTH = 8;

    private AltoIdentifiers() {}

    /** Whether a text may name a PID, a resource or a cost type: 1 to 64 of letters, digits and {@code - : @ _ .} */
    public static boolean isName(String text) {
        return made(text, NAME_MAX);
    }

    /** Whether a text may name a cost metric: 1 to 32 of the same characters. */
    public static boolean isMetric(String text) {
        return made(text, METRIC_MAX);
    }

    /** Whether a text may be a tag: 1 to 64 printable characters of ASCII without blanks. */
    public static boolean isTag(String text) {
        return !text.isEmpty() && text.length() <= NAME_MAX && text.chars().allMatch(each -> each > ' ' && each < 0x7f);
    }

    /**
     * The name of what belongs to a thing, with room for more behind it. Of a name that would be too long, what stands in
     * front is cut, and a hash of it says what it was.
     *
     * @param of name of the thing
     * @param what follows it, such as {@code -costs}
     * @param room characters that somebody else puts behind it
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
        if (text.isEmpty() || text.length() > lengthMax) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            boolean letter = each >= 'a' && each <= 'z' || each >= 'A' && each <= 'Z' || each >= '0' && each <= '9';
            if (!letter && "-:@_.".indexOf(each) < 0) {
                return false;
            }
        }
        return true;
    }
}
