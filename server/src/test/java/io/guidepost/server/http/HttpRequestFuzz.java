package io.guidepost.server.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Bytes of HTTP/1.1, for {@code ./guidepost fuzz}: with plain requests read in front of the codec the same is seen as
 * without. The first byte says where they are cut in two.
 */
public final class HttpRequestFuzz {
    private HttpRequestFuzz() {}

    /** Reads them in both ways. */
    public static void fuzz(byte[] input) {
        if (input.length == 0) {
            return;
        }
        int cut = 1 + (input.length - 1) * (input[0] & 0xff) / 256;
        List<byte[]> pieces = List.of(Arrays.copyOfRange(input, 1, cut), Arrays.copyOfRange(input, cut, input.length));
        List<String> seen = Http11FastPathTest.requests(Http11FastPathTest.read(true, pieces));
        List<String> must = Http11FastPathTest.requests(Http11FastPathTest.read(false, pieces));
        if (!seen.equals(must)) {
            throw new AssertionError(seen + " instead of " + must);
        }
    }

    /** Requests as clients send them. */
    public static List<byte[]> seeds() {
        String get = "GET /api/handles/1234/1?pretty HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n";
        String post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: x\r\nContent-Length: 5\r\n\r\nGET /";
        String pieces = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
        String close = "GET http://a/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n";
        return List.of(get, post, pieces, close, get + post + get, post + pieces + get, "HEAD / HTTP/1.0\n\n").stream()
                .map(each -> ("\u0080" + each).getBytes(StandardCharsets.ISO_8859_1))
                .toList();
    }
}
