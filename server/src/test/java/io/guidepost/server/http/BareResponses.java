package io.guidepost.server.http;

import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;

/** Answers of tests that refuse with a code and no more. */
interface BareResponses extends RequestHandler {
    @Override
    default HttpResponse busy(HttpRequest request) {
        return HttpResponse.empty(503);
    }

    @Override
    default HttpResponse failed(HttpRequest request) {
        return HttpResponse.empty(500);
    }
}
