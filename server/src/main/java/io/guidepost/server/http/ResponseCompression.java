package io.guidepost.server.http;

import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;

/** Compresses answers of text for those who say that they take that. */
final class ResponseCompression {
    private ResponseCompression() {}

    /** Whether the answer would be compressed. */
    static boolean isWorth(HttpRequest request, HttpResponse response) {
        boolean small = response.body() instanceof HttpResponse.Bytes(byte[] bytes)
                && bytes.length < bytesMin(request);
        return !small && request.acceptsGzip() && isText(response) && !response.has("content-encoding");
    }

    /** The answer, compressed if that is worth it. */
    static HttpResponse of(HttpRequest request, HttpResponse response) {
        if (!isWorth(request, response)) {
            return response;
        }
        return switch (response.body()) {
            case HttpResponse.Bytes(byte[] bytes) -> with(response, new HttpResponse.Bytes(HttpResponse.gzip(bytes)));
            case HttpResponse.Stream(HttpResponse.Writing writing) ->
                with(response, new HttpResponse.Stream(out -> {
                    try (OutputStream zip = new GZIPOutputStream(out, true)) {
                        writing.write(zip);
                    }
                }));
            case HttpResponse.Unchunked _ -> response;
        };
    }

    /** No cache keeps the answer to an input, so it is compressed for one reader. */
    private static int bytesMin(HttpRequest request) {
        return request.method().equals("POST") ? HttpLimits.COMPRESSED_ANSWER_BYTES_MIN : HttpLimits.COMPRESSED_BYTES_MIN;
    }

    private static HttpResponse with(HttpResponse response, HttpResponse.Body compressed) {
        HttpResponse smaller =
                new HttpResponse(response.status(), response.headers(), compressed).with("Content-Encoding", "gzip");
        return response.has("vary") ? smaller : smaller.with("Vary", "Accept-Encoding");
    }

    private static boolean isText(HttpResponse response) {
        return response.headers().stream()
                .filter(each -> each.getKey().equalsIgnoreCase("content-type"))
                .anyMatch(each -> each.getValue().startsWith("text/") || each.getValue().contains("json")
                        || each.getValue().contains("javascript"));
    }
}
