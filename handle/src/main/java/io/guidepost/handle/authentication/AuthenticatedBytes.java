package io.guidepost.handle.authentication;

import io.guidepost.handle.WireWriter;
import io.guidepost.handle.message.ProtocolVersion;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * The bytes of a message that signatures and MACs cover.
 *
 * <pre>
 *  up to 2.4      header, body
 *  2.5, 2.6       another layout, not implemented
 *  2.7            version (2 bytes), session, request, counter (4 each), header, body
 *  from 2.8 on    version, suggested version (2 bytes each), session, request, counter (4 each), header, body
 * </pre>
 *
 * The flags next to the suggested version are not covered, nor is the length: both change when a message is encrypted.
 */
final class AuthenticatedBytes {
    private static final int ENVELOPE_BYTES = 20;
    private static final int BODY_LENGTH = 40;
    private static final int BODY = 44;
    private static final int SUGGESTED_MAJOR_MASK = 3;

    private AuthenticatedBytes() {}

    /**
     * Returns the covered bytes of a message; empty if the layout of its version is not implemented.
     *
     * @param message whole, decrypted, envelope included, and well-formed
     * @param counter number of the message in its session, 0 outside of one
     */
    static Optional<byte[]> of(byte[] message, int counter) {
        ByteBuffer in = ByteBuffer.wrap(message);
        ProtocolVersion version =
                new ProtocolVersion(Byte.toUnsignedInt(message[0]), Byte.toUnsignedInt(message[1]));
        byte[] headerAndBody =
                Arrays.copyOfRange(message, ENVELOPE_BYTES, Math.addExact(BODY, in.getInt(BODY_LENGTH)));
        WireWriter out = new WireWriter();
        switch (version.coverage()) {
            case UNSUPPORTED -> {
                return Optional.empty();
            }
            case MESSAGE -> {}
            case NUMBERS -> numbers(out.u8(message[0]).u8(message[1]), in, counter);
            case SUGGESTION ->
                numbers(
                        out.u8(message[0])
                                .u8(message[1])
                                .u8(message[2] & SUGGESTED_MAJOR_MASK)
                                .u8(message[3]),
                        in,
                        counter);
        }
        return Optional.of(out.raw(headerAndBody).toBytes());
    }

    private static void numbers(WireWriter out, ByteBuffer message, int counter) {
        out.u32(message.getInt(4)).u32(message.getInt(8)).u32(counter);
    }
}
