package io.guidepost.handle.redirector;

import io.guidepost.handle.Handle;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Permitted redirect targets. Any user who may create handles controls the text of a value: a {@code Location} header
 * from here is visible ASCII, of a scheme that runs no code in the browser.
 */
final class RedirectTargets {
    private static final String UNSAFE = "\"<>\\^`{|}";
    private static final String OPEN_IN_PATHS = "-._~!$&'()*+,;=:@/";
    private static final char[] DIGITS = "0123456789ABCDEF".toCharArray();

    /** Schemes that run no code in a browser. */
    private static final Set<String> SCHEMES = Set.of("http", "https", "ftp", "ftps", "sftp", "mailto");

    private RedirectTargets() {}

    /** Returns a value's text as a safe URL; empty if it is not a URL, or of another scheme. */
    static Optional<String> safe(String text) {
        String url = encoded(text.strip());
        int colon = url.indexOf(':');
        if (colon < 1 || !SCHEMES.contains(url.substring(0, colon).toLowerCase(Locale.ROOT))) {
            return Optional.empty();
        }
        return Optional.of(url);
    }

    /**
     * Appends the client's {@code urlappend} to a URL. Drops an appendix that would change the host: otherwise any link
     * to a handle would be an open redirect.
     */
    static String appended(String url, String more) {
        String longer = url + encoded(more);
        return authority(longer).equals(authority(url)) ? longer : url;
    }

    private static String authority(String url) {
        int start = url.indexOf("//");
        if (start < 0) {
            return "";
        }
        int end = start + 2;
        while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        return url.substring(0, end);
    }

    /**
     * Returns the path of a handle on this server; never one that begins with two slashes, which would be another host.
     */
    static String path(Handle handle) {
        StringBuilder out = new StringBuilder("/");
        byte[] bytes = handle.bytes();
        for (int i = 0; i < bytes.length; i++) {
            boolean letter = bytes[i] >= '0' && bytes[i] <= '9'
                    || bytes[i] >= 'A' && bytes[i] <= 'Z'
                    || bytes[i] >= 'a' && bytes[i] <= 'z';
            boolean open = letter || bytes[i] > 0 && OPEN_IN_PATHS.indexOf(bytes[i]) >= 0;
            if (open && !(bytes[i] == '/' && i == 0)) {
                out.append((char) bytes[i]);
            } else {
                percent(out, bytes[i]);
            }
        }
        return out.toString();
    }

    /** Percent-encodes all characters that are not visible ASCII or not allowed in a URL. */
    private static String encoded(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            if (each > ' ' && each < 0x7f && UNSAFE.indexOf(each) < 0) {
                out.append((char) each);
            } else {
                percent(out, each);
            }
        }
        return out.toString();
    }

    private static void percent(StringBuilder out, byte each) {
        out.append('%').append(DIGITS[each >> 4 & 15]).append(DIGITS[each & 15]);
    }
}
