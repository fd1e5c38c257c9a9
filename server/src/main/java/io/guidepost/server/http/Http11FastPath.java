package io.guidepost.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.util.concurrent.FastThreadLocal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Reads requests of HTTP/1.1 as nearly all are: a GET, or a POST or PUT that says its length, with short headers and without
 * anything that changes how a message is read or that its connection ends. With the first that is anything else it stands
 * aside for good, and the full codec behind it reads this one from its beginning, and all that follow: so each request is
 * read by one of both as a whole, and never has two ends.
 *
 * <pre>
 *  bytes -+- Http11FastPath --- Http11FastRequest ---------------------&gt; HttpExchanges   (called, as the codec would pass it on)
 *         +- whatever is not plain --- codec --- FullHttpRequest -&gt;
 * </pre>
 *
 * <p>Clients say the same headers again and again, so those that were read last are known by their bytes.
 */
final class Http11FastPath extends ByteToMessageDecoder {
    private static final byte[] GET = "GET ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] POST = "POST ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] PUT = "PUT ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VERSION = " HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NO_BODY = {};

    private static final FastThreadLocal<Reading> OF_LOOP = new FastThreadLocal<>() {
        @Override
        protected Reading initialValue() {
            return new Reading();
        }
    };

    private final int bodyBytesMax;
    private final Consumer<Http11FastRequest> requests;

    /** Bytes of the request that is coming, 0 as long as its head is not there. */
    private int awaited;

    /**
     * Reads requests of a connection.
     *
     * @param requests takes those that are plain
     */
    Http11FastPath(int bodyBytesMax, Consumer<Http11FastRequest> requests) {
        this.bodyBytesMax = Math.min(bodyBytesMax, HttpLimits.PLAIN_BODY_BYTES_MAX);
        this.requests = requests;
    }

    /** What the connections of one event loop share. */
    private static final class Reading {
        final byte[] head = new byte[HttpLimits.PLAIN_HEAD_BYTES_MAX];
        private final @Nullable Http11FastHeaders[] known = new Http11FastHeaders[HttpLimits.PLAIN_HEADERS_KNOWN];
        private final CRC32 sum = new CRC32();

        @Nullable Http11FastHeaders headers(int from, int to) {
            sum.reset();
            sum.update(head, from, to - from);
            int place = (int) sum.getValue() & known.length - 1;
            Http11FastHeaders there = known[place];
            if (there != null && Arrays.equals(there.lines(), 0, there.lines().length, head, from, to)) {
                return there;
            }
            Http11FastHeaders read = Http11FastHeaders.read(head, from, to);
            if (read != null) {
                known[place] = read;
            }
            return read;
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        int there = in.readableBytes();
        if (there < awaited) {
            return;
        }
        Reading reading = OF_LOOP.get();
        byte[] head = reading.head;
        int seen = Math.min(there, head.length);
        in.getBytes(in.readerIndex(), head, 0, seen);
        boolean get = begins(head, seen, GET);
        boolean put = begins(head, seen, PUT);
        if (!get && !put && !begins(head, seen, POST)) {
            detach(context);
            return;
        }
        int end = end(head, seen);
        if (end < 0) {
            if (seen == head.length) {
                detach(context);
            }
            return;
        }
        int from = get ? GET.length : put ? PUT.length : POST.length;
        int targetEnd = targetEnd(head, from, end);
        Http11FastHeaders headers = targetEnd < 0 ? null : reading.headers(targetEnd + VERSION.length, end);
        if (headers == null || get && headers.bodyBytes() > 0 || !get && headers.bodyBytes() < 0
                || headers.bodyBytes() > bodyBytesMax) {
            detach(context);
            return;
        }
        int bodyBytes = Math.max(0, headers.bodyBytes());
        int whole = end + 2 + bodyBytes;
        if (there < whole) {
            awaited = whole;
            return;
        }
        awaited = 0;
        byte[] body = bodyBytes == 0
                ? NO_BODY
                : ByteBufUtil.getBytes(in, in.readerIndex() + end + 2, bodyBytes);
        in.skipBytes(whole);
        String target = new String(head, from, targetEnd - from, StandardCharsets.ISO_8859_1);
        requests.accept(new Http11FastRequest(get ? "GET" : put ? "PUT" : "POST", target, headers.byName(), body, context));
    }

    /** Returns whether the head of a request is there, and its body is not. */
    boolean awaitsBody() {
        return awaited > 0;
    }

    /** Returns what was received of a request that is not whole. */
    byte[] rest() {
        return ByteBufUtil.getBytes(internalBuffer());
    }

    private static boolean begins(byte[] head, int seen, byte[] with) {
        int common = Math.min(seen, with.length);
        return Arrays.equals(head, 0, common, with, 0, common);
    }

    /** Where the empty line behind the headers is; negative if it has not come. */
    private static int end(byte[] head, int seen) {
        // Looks at the last byte of where it may be first: most bytes stand in no place of it, so it is four further on.
        for (int last = 3; last < seen; ) {
            if (head[last] == '\n') {
                if (head[last - 1] == '\r' && head[last - 2] == '\n' && head[last - 3] == '\r') {
                    return last - 1;
                }
                last += 2;
            } else {
                last += head[last] == '\r' ? 1 : 4;
            }
        }
        return -1;
    }

    /** Where a target ends that is a path, behind which is the version; negative if it is anything else. */
    private static int targetEnd(byte[] head, int from, int end) {
        int at = from;
        while (at < end && head[at] > ' ' && head[at] < 127) {
            at++;
        }
        boolean plain = at > from
                && head[from] == '/'
                && at + VERSION.length <= end
                && Arrays.equals(head, at, at + VERSION.length, VERSION, 0, VERSION.length);
        return plain ? at : -1;
    }

    private void detach(ChannelHandlerContext context) {
        // What was not read goes on to the codec.
        context.pipeline().remove(this);
    }

    @Override
    protected void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
        super.decodeLast(context, in, out);
        if (in.isReadable() && !context.isRemoved()) {
            detach(context);
        }
    }
}
