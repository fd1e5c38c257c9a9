package io.guidepost.alto.service;

import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;

/** ALTO for pages of any origin (CORS; the Fetch standard, section 3.3). Without credentials: there are none in ALTO. */
public final class CrossOrigin {
    private CrossOrigin() {}

    /** Returns a response, readable by the page that asked; with what it may ask, if the browser asks that first. */
    public static HttpResponse readable(HttpRequest request, HttpResponse response) {
        if (!request.headers().containsKey("origin")) {
            return response;
        }
        HttpResponse open = response.with("Access-Control-Allow-Origin", "*");
        return request.headers().containsKey("access-control-request-method")
                ? open.with("Access-Control-Allow-Methods", "GET, HEAD, POST, DELETE")
                        .with("Access-Control-Allow-Headers", "Content-Type")
                        .with("Access-Control-Max-Age", "86400")
                : open.with("Access-Control-Expose-Headers", "ETag");
    }
}
