package io.guidepost.handle.message;

import io.guidepost.base.Malformed;
import io.guidepost.handle.WireReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** Splits a byte stream into messages by the length in each envelope. */
public final class MessageFraming {
    private static final int REQUEST_ID = 8;

    private MessageFraming() {}

    /**
     * Reads one message; empty if the stream ends before it.
     *
     * @throws IOException if the stream ends inside a message, or the bytes are malformed
     */
    public static Optional<byte[]> read(InputStream in) throws IOException {
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
            throw new IOException("the peer sent no message of the Handle protocol: " + e.getMessage(), e);
        }
    }

    /** Returns the request id of a message that has at least an envelope. */
    public static int requestId(byte[] message) {
        return ByteBuffer.wrap(message).getInt(REQUEST_ID);
    }
}
