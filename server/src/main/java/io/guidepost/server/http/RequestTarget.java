package io.guidepost.server.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a request is for, whichever form its target has (RFC 9112 section 3.2).
 *
 * @param origin path and query, or {@code *} for OPTIONS of the server
 * @param authority host and port of a target in absolute form, which take the place of Host; null if there are none
 */
record RequestTarget(String origin, @Nullable String authority) {
    /** Of RFC 3986 section 3.2.2, with a port; possessive, as any length may come. */
    private static final String HOST_PORT = "(?:\\[[0-9A-Fa-f:.]++\\]|[A-Za-z0-9._~%!$&'()*+,;=-]*+)(?::[0-9]*+)?";

    private static final Pattern HOST = Pattern.compile(HOST_PORT);
    private static final Pattern ABSOLUTE = Pattern.compile("(?i:https?)://(?=[^/?:])(" + HOST_PORT + ")(/[^?]*+)?(\\?.*+)?");

    /** Returns whether a header Host has this value: a host with or without a port, or nothing. */
    static boolean isHost(String value) {
        return HOST.matcher(value).matches();
    }

    /** Reads a target as it is on the request line; null if a request of the method has none such. */
    static @Nullable RequestTarget of(String method, String target) {
        if (target.startsWith("/")) {
            return new RequestTarget(normal(target), null);
        }
        if (target.equals("*")) {
            return method.equals("OPTIONS") ? new RequestTarget(target, null) : null;
        }
        Matcher parts = ABSOLUTE.matcher(target);
        if (!parts.matches()) {
            return null;
        }
        String path = parts.group(2) == null ? "/" : parts.group(2);
        String query = parts.group(3) == null ? "" : parts.group(3);
        return new RequestTarget(normal(path + query), parts.group(1));
    }

    /** Decodes what needs no encoding in the path, so that equivalent paths are equal (RFC 3986 section 6.2.2.2). */
    static String normal(String origin) {
        int query = origin.indexOf('?');
        String path = query < 0 ? origin : origin.substring(0, query);
        return path.indexOf('%') < 0 ? origin : unreserved(path) + origin.substring(path.length());
    }

    private static String unreserved(String path) {
        StringBuilder out = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            char each = path.charAt(i);
            int decoded = each == '%' && i + 2 < path.length()
                    ? Character.digit(path.charAt(i + 1), 16) << 4 | Character.digit(path.charAt(i + 2), 16)
                    : -1;
            if (decoded > 0 && decoded < 128 && (Character.isLetterOrDigit(decoded) || "-._~".indexOf(decoded) >= 0)) {
                out.append((char) decoded);
                i += 2;
            } else {
                out.append(each);
            }
        }
        return out.toString();
    }
}
