package io.guidepost.web;

import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * An HTTP request, read completely.
 *
 * @param method in upper case
 * @param target path and query, percent-encoded but for unreserved characters of the path; or {@code *}
 * @param headers by name in lower case, each value a line
 * @param body its bytes, empty if none; treated as immutable
 * @param peer address of the client, with trusted proxies resolved
 * @param secure whether it came over TLS
 * @param certificate of the client, if it sent one
 */
@SuppressWarnings("ArrayRecordComponent") // One body, handed on.
public record HttpRequest(
        String method,
        String target,
        Map<String, List<String>> headers,
        byte[] body,
        InetSocketAddress peer,
        boolean secure,
        Optional<X509Certificate> certificate) {
    /** Returns the first value of a header, by its name in lower case. */
    public Optional<String> header(String name) {
        List<String> values = headers.get(name);
        return values == null || values.isEmpty() ? Optional.empty() : Optional.of(values.getFirst());
    }

    /** Returns whether the method is GET or HEAD. */
    public boolean isGet() {
        return method.equals("GET") || method.equals("HEAD");
    }

    /** Returns the media type of the body in lower case, without parameters; empty if none is given. */
    public String mediaType() {
        String said = header("content-type").orElse("");
        int end = said.indexOf(';');
        return (end < 0 ? said : said.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    /** Returns whether the client accepts gzip (RFC 9110 section 12.5.3). */
    public boolean acceptsGzip() {
        for (String each : header("accept-encoding").orElse("").toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = each.split(";", 2);
            if (parts[0].strip().equals("gzip")) {
                return parts.length == 1 || !parts[1].strip().matches("q=0(\\.0*)?");
            }
        }
        return false;
    }

    /** Returns whether the client has the content with an ETag, by weak comparison (RFC 9110 section 13.1.2). */
    public boolean has(String tag) {
        return isGet() && Arrays.stream(header("if-none-match").orElse("").split(",", -1))
                .map(String::strip)
                .anyMatch(each -> each.equals("*") || opaque(each).equals(opaque(tag)));
    }

    private static String opaque(String tag) {
        return tag.startsWith("W/") ? tag.substring(2) : tag;
    }

    /** Returns the path, percent-encoded, without the query. */
    public String path() {
        int mark = target.indexOf('?');
        return mark < 0 ? target : target.substring(0, mark);
    }

    /** Returns the query string; empty if there is none. */
    public String query() {
        int mark = target.indexOf('?');
        return mark < 0 ? "" : target.substring(mark + 1);
    }
}
