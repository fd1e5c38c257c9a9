package io.guidepost.server.web;

import io.guidepost.web.HttpResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Map;

/** Writes an answer to a {@link PlainRequest} as the bytes that it has on a connection of HTTP/1.1. */
final class PlainAnswer {
    /** Bytes of the status line, the date, the length, and what separates them. */
    private static final int BYTES = 160;

    private PlainAnswer() {}

    /** The bytes of an answer whose body is there. */
    static ByteBuf write(ByteBufAllocator buffers, HttpResponse response, byte[] body) {
        int size = BYTES + body.length;
        for (Map.Entry<String, String> each : response.headers()) {
            size += each.getKey().length() + each.getValue().length() + 4;
        }
        ByteBuf out = buffers.directBuffer(size);
        HttpResponseStatus status = HttpResponseStatus.valueOf(response.status());
        ByteBufUtil.writeAscii(out, "HTTP/1.1 ");
        ByteBufUtil.writeAscii(out, status.codeAsText());
        out.writeByte(' ');
        line(out, status.reasonPhrase());
        for (Map.Entry<String, String> each : response.headers()) {
            ByteBufUtil.writeAscii(out, each.getKey());
            ByteBufUtil.writeAscii(out, ": ");
            line(out, each.getValue());
        }
        ByteBufUtil.writeAscii(out, "date: ");
        line(out, HttpDate.now());
        if (response.status() != 204 && response.status() != 304) {
            ByteBufUtil.writeAscii(out, "content-length: ");
            line(out, Integer.toString(body.length));
        }
        line(out, "");
        return out.writeBytes(body);
    }

    private static void line(ByteBuf out, String text) {
        if (text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0) {
            out.release();
            throw new IllegalArgumentException("a header of an answer has more than one line");
        }
        ByteBufUtil.writeAscii(out, text);
        ByteBufUtil.writeShortBE(out, '\r' << 8 | '\n');
    }
}
