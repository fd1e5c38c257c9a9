package io.guidepost.handle.rest;

import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Cross-origin resource sharing (CORS; the Fetch standard, section 3.3). Never with credentials that a browser adds by
 * itself: a page can only send what its own script knows.
 */
final class CorsPolicy {
    /** Headers that a client needs to authenticate, to follow, and to wait. */
    private static final List<String> NEEDED = List.of("Allow", "Location", "Retry-After", "WWW-Authenticate");

    private CorsPolicy() {}

    /** Returns the response, readable by pages of other origins. */
    static HttpResponse with(HttpRequest request, HttpResponse response) {
        Optional<String> origin = request.header("origin");
        if (origin.isEmpty()) {
            return response;
        }
        HttpResponse open = response.with("Access-Control-Allow-Origin", origin.get());
        return request.method().equals("OPTIONS")
                ? open
                : open.with("Access-Control-Expose-Headers", exposed(response)).with("Vary", "Origin");
    }

    private static String exposed(HttpResponse response) {
        return Stream.concat(Stream.of("Content-Length"), NEEDED.stream().filter(response::has)).collect(Collectors.joining(","));
    }

    /** Answers OPTIONS: the permitted methods and headers, also for CORS preflight requests. */
    static HttpResponse options(HttpRequest request) {
        return request.header("access-control-request-method").isPresent()
                ? HttpResponse.empty(200)
                        .with("Access-Control-Max-Age", "86400")
                        .with("Access-Control-Allow-Methods", "GET,POST,HEAD,PUT,DELETE")
                        .with(
                                "Access-Control-Allow-Headers",
                                "X-Requested-With,Authorization,Origin,Accept,Content-Type")
                : HttpResponse.empty(200).with("Allow", "GET, HEAD, POST, PUT, DELETE, OPTIONS");
    }
}
