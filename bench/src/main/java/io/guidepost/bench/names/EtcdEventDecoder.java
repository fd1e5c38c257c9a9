package io.guidepost.bench.names;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Events of a stream of etcd's watches, over HTTP/2. */
final class EtcdEventDecoder implements EventDecoder {
    private final byte[] head = new byte[Http2Frames.HEAD_BYTES];
    private int headBytes;
    private int payloadLeft;
    private byte[] messages = new byte[512];
    private int messageBytes;
    private boolean watching;

    @Override
    public int take(ByteBuffer bytes) {
        int events = 0;
        while (bytes.hasRemaining()) {
            if (headBytes < head.length) {
                head[headBytes++] = bytes.get();
                payloadLeft = (head[0] & 0xff) << 16 | (head[1] & 0xff) << 8 | head[2] & 0xff;
            } else {
                int taken = Math.min(payloadLeft, bytes.remaining());
                if (head[3] == Http2Frames.DATA) {
                    append(bytes, taken);
                    events += messages();
                } else {
                    bytes.position(bytes.position() + taken);
                }
                payloadLeft -= taken;
            }
            if (headBytes == head.length && payloadLeft == 0) {
                headBytes = 0;
            }
        }
        return events;
    }

    private void append(ByteBuffer bytes, int length) {
        if (messageBytes + length > messages.length) {
            messages = Arrays.copyOf(messages, 2 * (messageBytes + length));
        }
        bytes.get(messages, messageBytes, length);
        messageBytes += length;
    }

    private int messages() {
        int events = 0;
        int at = 0;
        while (messageBytes - at >= Http2Frames.MESSAGE_HEAD_BYTES) {
            int length = ByteBuffer.wrap(messages, at + 1, Integer.BYTES).getInt();
            int end = at + Http2Frames.MESSAGE_HEAD_BYTES + length;
            if (end > messageBytes) {
                break;
            }
            int found = EtcdMessages.events(ByteBuffer.wrap(messages, at + Http2Frames.MESSAGE_HEAD_BYTES, length));
            watching |= found < 0;
            events += Math.max(0, found);
            at = end;
        }
        System.arraycopy(messages, at, messages, 0, messageBytes - at);
        messageBytes -= at;
        return events;
    }

    @Override
    public boolean isWatching() {
        return watching;
    }
}
