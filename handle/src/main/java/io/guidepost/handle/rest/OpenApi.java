package io.guidepost.handle.rest;

import io.guidepost.web.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The OpenAPI 3.1 description of the JSON interface, a resource next to this class. */
final class OpenApi {
    /** The response that holds it. */
    static final HttpResponse DOCUMENT = HttpResponse.of(200, JsonResponses.JSON, read());

    private OpenApi() {}

    private static byte[] read() {
        try (InputStream in = OpenApi.class.getResourceAsStream("openapi.json")) {
            return Objects.requireNonNull(in, "openapi.json").readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
