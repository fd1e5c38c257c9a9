package io.guidepost.handle.client;

import io.guidepost.base.Malformed;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.message.HandleEnvelope;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** Finds the messages in a stream of bytes: each says its length in its envelope. */
final class MessageFraming {
    private static final int REQUEST_ID = 8;

    private MessageFraming() {}

    /**
     * Reads one message; empty if the stream ends where one would begin.
     *
     * @throws IOException if it ends inside of one, or what is there is none
     */
    static Optional<byte[]> read(InputStream in) throws IOException {
        byte[] envelope = in.readNBytes(HandleEnvelope.BYTES);
        if (envelope.length == 0) {
            return Optional.empty();
        }
        int length = length(envelope);
        byte[] message = Arrays.copyOf(envelope, HandleEnvelope.BYTES + length);
        if (envelope.length < HandleEnvelope.BYTES || in.readNBytes(message, HandleEnvelope.BYTES, length) < length) {
            throw new IOException("the connection ended inside of an answer");
        }
        return Optional.of(message);
    }

    private static int length(byte[] envelope) throws IOException {
        try {
            return HandleEnvelope.readPrefix(new WireReader(envelope)).length();
        } catch (Malformed e) {
            throw new IOException("what came is no message of the Handle protocol: " + e.getMessage(), e);
        }
    }

    /** The request id of a message that has at least an envelope. */
    static int requestId(byte[] message) {
        return ByteBuffer.wrap(message).getInt(REQUEST_ID);
    }
}
