package io.guidepost.naming;

import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import io.guidepost.base.SharedCounters;
import io.guidepost.names.NameForm;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * Who may read and write. A client shows a token or a certificate, or comes from an address that needs none. Pages of other origins
 * are read by browsers on machines whose addresses may be trusted, so a request that names its origin always needs a token to write.
 * Immutable; a reload makes another one.
 */
final class NameAccess {
    private final List<Prefix> readers;
    private final List<Prefix> writers;
    private final WriterTokens tokens;
    private final SharedCounters<NamingCount> counts;

    NameAccess(NameSettings settings, SharedCounters<NamingCount> counts) {
        this.readers = settings.readers();
        this.writers = settings.writers();
        this.tokens = settings.tokens();
        this.counts = counts;
    }

    private static boolean contains(List<Prefix> prefixes, InetAddress address) {
        long high = Addresses.high(address);
        long low = Addresses.low(address);
        for (Prefix each : prefixes) {
            if (each.contains(high, low)) {
                return true;
            }
        }
        return false;
    }

    private Optional<String> shown(HttpRequest request) throws Problem {
        Optional<String> header = request.header("authorization");
        if (header.isEmpty()) {
            // A browser shows a certificate for any page.
            return request.headers().containsKey("origin") ? Optional.empty() : request.certificate().flatMap(tokens::prefix);
        }
        String[] parts = header.get().strip().split(" +", 2);
        Optional<String> prefix = parts.length == 2 && parts[0].equalsIgnoreCase("Bearer") ? tokens.prefix(parts[1]) : Optional.empty();
        if (prefix.isEmpty()) {
            counts.add(NamingCount.DENIED_UNAUTHORIZED);
            throw new Problem(Problem.Kind.UNAUTHORIZED, "the token is not known here: guidepost token new makes one");
        }
        return prefix;
    }

    /** Refuses a client that may not read. */
    void checkRead(HttpRequest request) throws Problem {
        if (shown(request).isEmpty() && !contains(readers, request.peer().getAddress())) {
            counts.add(NamingCount.DENIED_UNAUTHORIZED);
            throw new Problem(Problem.Kind.UNAUTHORIZED, "your address is not in names.readers: show a token");
        }
    }

    /** Refuses a client that may not write at all; returns the prefix that it may. */
    String checkWriter(HttpRequest request) throws Problem {
        Optional<String> prefix = shown(request);
        if (prefix.isPresent()) {
            return prefix.get();
        }
        boolean page = request.headers().containsKey("origin");
        if (page || !contains(writers, request.peer().getAddress())) {
            counts.add(NamingCount.DENIED_UNAUTHORIZED);
            throw new Problem(Problem.Kind.UNAUTHORIZED, page
                    ? "pages need a token to write: Authorization: Bearer TOKEN"
                    : "your address is not in names.writers: show a token, Authorization: Bearer TOKEN");
        }
        return "";
    }

    /** Refuses a client that may not write a name. */
    void checkWrite(HttpRequest request, NameForm name) throws Problem {
        String prefix = checkWriter(request);
        if (!WriterTokens.covers(prefix, name)) {
            counts.add(NamingCount.DENIED_FORBIDDEN);
            String may = "the token or certificate may write names that begin with '" + prefix + "', not ";
            throw new Problem(Problem.Kind.FORBIDDEN, may + name);
        }
    }

    /** Lets pages of any origin read what everyone may (CORS; the Fetch standard, section 3.3). */
    HttpResponse readable(HttpRequest request, HttpResponse response) {
        if (!request.headers().containsKey("origin") || readers.stream().noneMatch(each -> each.length() == 0)) {
            return response;
        }
        HttpResponse open = response.with("Access-Control-Allow-Origin", "*");
        return request.headers().containsKey("access-control-request-method")
                ? open.with("Access-Control-Allow-Methods", "GET, HEAD, PUT, PATCH, POST, DELETE")
                        .with("Access-Control-Allow-Headers", "Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID")
                        .with("Access-Control-Max-Age", "86400")
                : open.with("Access-Control-Expose-Headers", "ETag");
    }
}
