package io.guidepost.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * An HTTP response.
 *
 * @param status code
 * @param headers in order, a name may come twice; the connection adds Content-Length or Transfer-Encoding, and Date
 * @param body after the headers
 */
public record HttpResponse(int status, List<Map.Entry<String, String>> headers, Body body) {
    /** Copies the list. */
    public HttpResponse {
        headers = List.copyOf(headers);
    }

    /** The body of a response. */
    public sealed interface Body {}

    /** Bytes in memory; treated as immutable. */
    @SuppressWarnings("ArrayRecordComponent") // Rendered once, sent as they are.
    public record Bytes(byte[] bytes) implements Body {}

    /** Writes a streamed body, too long to hold in memory. */
    @FunctionalInterface
    public interface Writing {
        /** Writes all bytes; a slow receiver blocks the stream (backpressure). */
        void write(OutputStream out) throws IOException;
    }

    /** See {@link Writing}. */
    public record Stream(Writing writing) implements Body {}

    /**
     * A stream for clients without the chunks of HTTP/1.1: the end of the connection ends it, unless it is short.
     *
     * @param writing writes it
     * @param heldMax bytes that are buffered; a body that is no longer is sent with its length, and the connection
     *     stays open
     */
    public record Unchunked(Writing writing, int heldMax) implements Body {}

    /** Returns a response of bytes with a media type. */
    public static HttpResponse of(int status, String type, byte[] body) {
        return new HttpResponse(status, List.of(Map.entry("Content-Type", type)), new Bytes(body));
    }

    /** Returns a response of text with a media type, in UTF-8. */
    public static HttpResponse of(int status, String type, String body) {
        return of(status, type, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a response without a body. */
    public static HttpResponse empty(int status) {
        return new HttpResponse(status, List.of(), new Bytes(new byte[0]));
    }

    /** Returns whether there is a header with a name, ignoring case. */
    public boolean has(String name) {
        return headers.stream().anyMatch(each -> each.getKey().equalsIgnoreCase(name));
    }

    /** Returns bytes compressed with gzip. */
    public static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 4);
        try (OutputStream zip = new GZIPOutputStream(out, 8192)) {
            zip.write(bytes);
        } catch (IOException e) {
            throw new AssertionError("memory takes what is written", e);
        }
        return out.toByteArray();
    }

    /** Returns a copy with one more header. */
    public HttpResponse with(String name, String value) {
        List<Map.Entry<String, String>> more = new ArrayList<>(headers);
        more.add(Map.entry(name, value));
        return new HttpResponse(status, more, body);
    }
}
