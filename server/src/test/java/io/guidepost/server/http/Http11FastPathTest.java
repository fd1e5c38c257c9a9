package io.guidepost.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read of bytes with plain requests in front of the codec is what the codec alone reads of them. */
class Http11FastPathTest {
    private static final int BODY_MAX = 1 << 20;

    /** What the exchanges would see of one request; {@code plain} = it was not the codec that read it. */
    record Seen(String request, boolean plain) {}

    /** Takes it that a connection ends in the midst of a request. */
    private static final class Ended extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            assertThat(cause).isInstanceOf(PrematureChannelClosureException.class);
        }
    }

    static List<Seen> read(boolean plain, List<byte[]> pieces) {
        EmbeddedChannel channel =
                new EmbeddedChannel(new HttpRequestDecoder(), new HttpObjectAggregator(BODY_MAX), new Ended());
        if (plain) {
            channel.pipeline().addFirst(new Http11FastPath(BODY_MAX, each -> each.at().fireChannelRead(each)));
        }
        pieces.forEach(each -> channel.writeInbound(Unpooled.copiedBuffer(each)));
        // Of a head without an end the codec may know sooner that it is none; at the end of the connection both know.
        channel.finish();
        List<Seen> seen = new ArrayList<>();
        for (Object each = channel.readInbound(); each != null; each = channel.readInbound()) {
            if (each instanceof Http11FastRequest request) {
                Map<String, List<String>> headers = new TreeMap<>(request.headers());
                seen.add(new Seen(text(request.method(), request.target(), headers, request.body()), true));
            } else {
                FullHttpRequest request = (FullHttpRequest) each;
                Map<String, List<String>> headers = new TreeMap<>();
                request.headers().forEach(header -> headers.computeIfAbsent(
                                header.getKey().toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                        .add(header.getValue()));
                String text = request.decoderResult().isFailure()
                        ? "no request"
                        : text(request.method().name(), request.uri(), headers, ByteBufUtil.getBytes(request.content()));
                seen.add(new Seen(text, false));
                request.release();
            }
        }
        channel.releaseOutbound();
        return seen;
    }

    private static String text(String method, String target, Map<String, List<String>> headers, byte[] body) {
        // What puts the codec's requests together says this of those that say nothing of a body.
        headers.remove("content-length", List.of("0"));
        return method + " " + target + " " + headers + " " + Arrays.toString(body);
    }

    private static List<Seen> read(boolean plain, String text) {
        return read(plain, List.of(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    static List<String> requests(List<Seen> seen) {
        return seen.stream().map(Seen::request).toList();
    }

    @Test
    void plainRequestsAreReadOneBehindTheOther() {
        String get = "GET /api/handles/1234/1?pretty HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n";
        String post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: x\r\nContent-Length: 5\r\n\r\nGET /";
        String all = get + post + post.replace("POST", "PUT") + get;
        List<Seen> seen = read(true, all);
        assertThat(seen).extracting(Seen::plain).containsExactly(true, true, true, true);
        assertThat(requests(seen)).isEqualTo(requests(read(false, all)));
    }

    @Test
    void whatComesByteByByteIsReadToo() {
        String post = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc";
        byte[] bytes = (post + post).getBytes(StandardCharsets.US_ASCII);
        List<byte[]> pieces = IntStream.range(0, bytes.length)
                .mapToObj(each -> new byte[] {bytes[each]})
                .toList();
        assertThat(read(true, pieces)).extracting(Seen::plain).containsExactly(true, true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.0\r\nHost: a\r\n\r\n",
                "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                "GET / HTTP/1.1\nHost: a\n\n",
                "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\u0001\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX: \u00fc\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx",
                "POST / HTTP/1.1\r\nHost: a\r\n\r\n",
                "PUT / HTTP/1.1\r\nHost: a\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\nx",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx",
            })
    void whateverIsUnusualIsForTheCodecAndAllBehindIt(String unusual) {
        String get = "GET /plain HTTP/1.1\r\nHost: a\r\n\r\n";
        List<Seen> seen = read(true, get + unusual + get);
        assertThat(requests(seen)).isEqualTo(requests(read(false, get + unusual + get)));
        assertThat(seen).filteredOn(Seen::plain).hasSize(1);
    }

    @Test
    void aHeadTooLongToBePlainIsForTheCodec() {
        String head = "GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(HttpLimits.PLAIN_HEAD_BYTES_MAX);
        assertThat(read(true, head + "\r\n\r\n")).extracting(Seen::plain).containsExactly(false);
    }

    /** Whatever the plain reader takes as a request, the codec would have taken as the same one. */
    @Test
    void bothReadTheSameOutOfWhatIsMutated() {
        Random random = new Random(20261122);
        List<String> parts = List.of(
                "GET ", "POST ", "/a", "/api?x=%20", " HTTP/1.1\r\n", "Host: a\r\n", "Content-Length: 3\r\n", "\r\n",
                "abc", "X-Forwarded-For: 192.0.2.1\r\n", "Connection: keep-alive\r\n", "Transfer-Encoding: chunked\r\n",
                " ", "\n", "\r", ":", "\t", "3\r\nabc\r\n0\r\n\r\n");
        int plain = 0;
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(3) + 1; i > 0; i--) {
                boolean post = random.nextBoolean();
                text.append(post ? "POST " : "GET ").append("/a HTTP/1.1\r\nHost: a\r\n");
                text.append(post ? "Content-Length: 3\r\n\r\nabc" : "\r\n");
            }
            for (int i = random.nextInt(3); i > 0; i--) {
                int at = random.nextInt(text.length());
                text.insert(at, parts.get(random.nextInt(parts.size())));
            }
            byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
            int cut = random.nextInt(bytes.length);
            List<byte[]> pieces =
                    List.of(Arrays.copyOf(bytes, cut), Arrays.copyOfRange(bytes, cut, bytes.length));
            List<Seen> seen = read(true, pieces);
            assertThat(requests(seen)).as("round %d: %s", round, text).isEqualTo(requests(read(false, pieces)));
            plain += (int) seen.stream().filter(Seen::plain).count();
        }
        assertThat(plain).as("requests that were plain").isGreaterThan(5_000);
    }
}
