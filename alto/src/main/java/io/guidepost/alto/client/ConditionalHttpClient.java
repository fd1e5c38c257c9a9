package io.guidepost.alto.client;

import io.guidepost.alto.protocol.AltoMediaType;
import io.guidepost.base.Malformed;
import io.guidepost.web.JsonField;
import io.guidepost.web.JsonValue;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests over HTTP. Content with a tag is cached and revalidated by conditional requests. One thread at a time.
 */
final class ConditionalHttpClient {
    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;

    private final HttpClient http;
    private final Duration timeout;
    private final Map<URI, CachedResource> kept = new LinkedHashMap<>();
    private int notModified;

    private record CachedResource(String tag, JsonValue json) {}

    ConditionalHttpClient(HttpClient http, Duration timeout) {
        this.http = http;
        this.timeout = timeout;
    }

    int notModified() {
        return notModified;
    }

    JsonValue get(URI uri, String type) throws IOException {
        HttpRequest.Builder request = request(uri, type);
        CachedResource before = kept.get(uri);
        if (before != null) {
            request.header("If-None-Match", before.tag);
        }
        HttpResponse<byte[]> response = send(request.GET().build());
        if (response.statusCode() == NOT_MODIFIED && before != null) {
            notModified++;
            return before.json;
        }
        JsonValue json = json(response, uri);
        Optional<String> tag = response.headers().firstValue("ETag");
        if (tag.isPresent()) {
            kept.put(uri, new CachedResource(tag.get(), json));
            if (kept.size() > AltoClientLimits.KEPT_MAX) {
                kept.remove(kept.keySet().iterator().next());
            }
        }
        return json;
    }

    JsonValue post(URI uri, String type, String inputType, byte[] input) throws IOException {
        return json(
                send(request(uri, type)
                        .header("Content-Type", inputType)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(input))
                        .build()),
                uri);
    }

    private HttpRequest.Builder request(URI uri, String type) throws IOException {
        try {
            return HttpRequest.newBuilder(uri).timeout(timeout).header("Accept", type + "," + AltoMediaType.ERROR);
        } catch (IllegalArgumentException e) {
            throw new IOException("'" + uri + "' is not the URI of a server: write one such as http://127.0.0.1:5082", e);
        }
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws IOException {
        try {
            return http.send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), AltoClientLimits.ANSWER_BYTES_MAX));
        } catch (HttpTimeoutException e) {
            throw new IOException(request.uri() + " did not answer within " + timeout.toMillis() + " ms", e);
        } catch (IOException e) {
            throw new IOException(request.uri() + " cannot be reached: " + reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + request.uri() + " was asked");
        }
    }

    private static String reason(IOException e) {
        @Nullable String message = e.getMessage();
        return message == null ? "connection refused" : message;
    }

    private static JsonValue json(HttpResponse<byte[]> response, URI uri) throws IOException {
        JsonValue json;
        try {
            json = JsonValue.read(response.body(), AltoClientLimits.ANSWER_BYTES_MAX);
        } catch (Malformed e) {
            throw new IOException(
                    response.statusCode() == OK
                            ? uri + " does not speak ALTO: " + e.getMessage()
                            : uri + " says " + response.statusCode(),
                    e);
        }
        if (response.statusCode() != OK) {
            throw new IOException(uri + " says " + response.statusCode() + fault(json));
        }
        return json;
    }

    /** Formats a server's error response (RFC 7285 section 8.5.2). */
    private static String fault(JsonValue json) {
        StringBuilder text = new StringBuilder();
        try {
            JsonField meta = json.whole().member("meta");
            for (String each : new String[] {"code", "syntax-error", "field", "value"}) {
                Optional<JsonField> found = meta.find(each);
                if (found.isPresent()) {
                    text.append(text.isEmpty() ? ": " : ", ").append(found.get().text());
                }
            }
        } catch (Malformed e) {
            // The body is no ALTO error, so the status is reported alone.
        }
        text.setLength(Math.min(text.length(), AltoClientLimits.FAULT_CHARACTERS_MAX));
        return text.toString();
    }
}
