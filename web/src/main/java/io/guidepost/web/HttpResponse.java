package io.guidepost.web;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An answer.
 *
 * @param status of HTTP
 * @param headers in order, a name may come twice; the connection adds Content-Length or Transfer-Encoding, and Date
 * @param body what follows
 */
public record HttpResponse(int status, List<Map.Entry<String, String>> headers, Body body) {
    /** Copies the list. */
    public HttpResponse {
        headers = List.copyOf(headers);
    }

    /** What follows the headers. */
    public sealed interface Body {}

    /** Bytes that are there already; treated as immutable. */
    @SuppressWarnings("ArrayRecordComponent") // Rendered once, sent as they are.
    public record Bytes(byte[] bytes) implements Body {}

    /** Bytes that come as they are written, too many to hold. */
    @FunctionalInterface
    public interface Writing {
        /** Writes all of them; the stream waits while the receiver is slow. */
        void write(OutputStream out) throws IOException;
    }

    /** See {@link Writing}. */
    public record Stream(Writing writing) implements Body {}

    /**
     * The same for clients that know no chunks of HTTP/1.1: its end is that of the connection, unless it is short.
     *
     * @param writing writes it
     * @param heldMax bytes that are held back; what is no longer is sent with its length, and keeps the connection
     */
    public record Unchunked(Writing writing, int heldMax) implements Body {}

    /** An answer of bytes of a type. */
    public static HttpResponse of(int status, String type, byte[] body) {
        return new HttpResponse(status, List.of(Map.entry("Content-Type", type)), new Bytes(body));
    }

    /** An answer of text of a type, in UTF-8. */
    public static HttpResponse of(int status, String type, String body) {
        return of(status, type, body.getBytes(StandardCharsets.UTF_8));
    }

    /** An answer without body. */
    public static HttpResponse empty(int status) {
        return new HttpResponse(status, List.of(), new Bytes(new byte[0]));
    }

    /** Whether there is a header of a name, in any case. */
    public boolean has(String name) {
        return headers.stream().anyMatch(each -> each.getKey().equalsIgnoreCase(name));
    }

    /** The same with one more header. */
    public HttpResponse with(String name, String value) {
        List<Map.Entry<String, String>> more = new ArrayList<>(headers);
        more.add(Map.entry(name, value));
        return new HttpResponse(status, more, body);
    }
}
