package io.guidepost.server.http;

import io.guidepost.web.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/** Writes an answer to a {@link Http11FastRequest} as the bytes that it has on a connection of HTTP/1.1. */
final class Http11FastResponse {
    private static final byte[] OK = latin("HTTP/1.1 200 OK\r\n");
    private static final byte[] COLON = latin(": ");
    private static final byte[] DATE = latin("date: ");
    private static final byte[] LENGTH = latin("content-length: ");
    private static final byte[] END = latin("\r\n");

    /** Bytes of the status line, the date, the length, and what separates them. */
    private static final int BYTES = 160;

    private final byte[] out;
    private int at;

    private Http11FastResponse(int bytes) {
        out = new byte[bytes];
    }

    static byte[] write(HttpResponse response, byte[] body) {
        int size = BYTES + body.length;
        for (Map.Entry<String, String> each : response.headers()) {
            size += each.getKey().length() + each.getValue().length() + 4;
        }
        Http11FastResponse answer = new Http11FastResponse(size);
        if (response.status() == 200) {
            answer.bytes(OK);
        } else {
            HttpResponseStatus status = HttpResponseStatus.valueOf(response.status());
            answer.line("HTTP/1.1 " + status.codeAsText() + " " + status.reasonPhrase());
        }
        for (Map.Entry<String, String> each : response.headers()) {
            answer.bytes(latin(each.getKey()));
            answer.bytes(COLON);
            answer.line(each.getValue());
        }
        answer.bytes(DATE);
        answer.line(HttpDate.now());
        if (response.status() != 204 && response.status() != 304) {
            answer.bytes(LENGTH);
            answer.line(Integer.toString(body.length));
        }
        answer.bytes(END);
        answer.bytes(body);
        return Arrays.copyOf(answer.out, answer.at);
    }

    private void line(String text) {
        if (text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("a header of an answer has more than one line");
        }
        bytes(latin(text));
        bytes(END);
    }

    private void bytes(byte[] bytes) {
        System.arraycopy(bytes, 0, out, at, bytes.length);
        at += bytes.length;
    }

    /** What has no place in one byte becomes a question mark. */
    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
