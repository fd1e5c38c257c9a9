package io.guidepost.bench.names;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Events of a stream of server-sent events over HTTP/1.1, in chunks. */
final class EventStreamDecoder implements EventDecoder {
    private static final byte[] PUT = "event: put".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] READY = "event: ready".getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD_END = '\r' << 24 | '\n' << 16 | '\r' << 8 | '\n';

    private boolean inBody;
    private int last;
    private int chunkLeft;
    private int size;
    private boolean inSize;
    private int put;
    private int ready;
    private boolean watching;

    @Override
    public int take(ByteBuffer bytes) {
        int events = 0;
        while (bytes.hasRemaining()) {
            byte each = bytes.get();
            if (!inBody) {
                last = last << Byte.SIZE | each;
                inBody = last == HEAD_END;
                inSize = inBody;
            } else if (chunkLeft > 0) {
                chunkLeft--;
                events += body(each);
            } else {
                chunkHead(each);
            }
        }
        return events;
    }

    /** Takes what stands between the data of chunks: the end of the line before, digits, the end of this line. */
    private void chunkHead(byte each) {
        int digit = Character.digit(each, 16);
        if (digit >= 0) {
            size = size * 16 + digit;
            inSize = true;
        } else if (each == '\n' && inSize && size > 0) {
            chunkLeft = size;
            size = 0;
            inSize = false;
        }
    }

    private int body(byte each) {
        put = each == PUT[put] ? put + 1 : each == PUT[0] ? 1 : 0;
        ready = each == READY[ready] ? ready + 1 : each == READY[0] ? 1 : 0;
        if (ready == READY.length) {
            watching = true;
            ready = 0;
        }
        if (put < PUT.length) {
            return 0;
        }
        put = 0;
        return watching ? 1 : 0;
    }

    @Override
    public boolean isWatching() {
        return watching;
    }
}
