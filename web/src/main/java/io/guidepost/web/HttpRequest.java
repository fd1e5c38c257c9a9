package io.guidepost.web;

import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An HTTP request, read completely.
 *
 * @param method in upper case
 * @param target as on the request line: path and query, percent-encoded
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
        return headers.getOrDefault(name, List.of()).stream().findFirst();
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
