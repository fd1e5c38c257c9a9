package io.guidepost.server.http;

import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.nio.charset.StandardCharsets;

/** What answers over HTTP where no port is one of HTTP. */
enum NoHttp implements RequestHandler {
    INSTANCE;

    private static final HttpResponse NOT_FOUND =
            HttpResponse.of(404, "text/plain", "HTTP is not spoken here".getBytes(StandardCharsets.US_ASCII));

    @Override
    public HttpResponse answer(HttpRequest request) {
        return NOT_FOUND;
    }

    @Override
    public HttpResponse busy(HttpRequest request) {
        return NOT_FOUND;
    }

    @Override
    public HttpResponse failed(HttpRequest request) {
        return NOT_FOUND;
    }
}
