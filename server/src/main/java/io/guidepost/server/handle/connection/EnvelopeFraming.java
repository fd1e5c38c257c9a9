package io.guidepost.server.handle.connection;

import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.MessageHeader;
import io.guidepost.handle.message.OpFlag;
import java.nio.ByteBuffer;

/**
 * What a connection must know of a message before anybody reads it: envelope and the first fields of the header, see
 * {@link HandleEnvelope} and {@link MessageHeader}.
 *
 * <pre>
 *  offset size
 *     2     1  marks: 0x40 encrypted
 *     4     4  session
 *     8     4  request id
 *    16     4  bytes behind the envelope
 *    20     4  operation
 *    24     4  response code
 *    28     4  flags
 *    44   4+n  most often a handle
 * </pre>
 */
public final class EnvelopeFraming {
    public static final int LENGTH = 16;

    private static final int MARKS = 2;
    private static final int SESSION = 4;
    private static final int ENCRYPTED = 0x40;
    private static final int OPERATION = 20;
    private static final int RESPONSE_CODE = 24;
    private static final int FLAGS = 28;
    private static final int BODY = 44;

    private EnvelopeFraming() {}

    /** Whether its header can be read: it is there, and not encrypted. */
    static boolean hasHeader(byte[] message) {
        return message.length >= BODY && (message[MARKS] & ENCRYPTED) == 0;
    }

    /** Number of the session; 0 if there is none, or it cannot be read. */
    static int session(byte[] message) {
        return hasHeader(message) ? ByteBuffer.wrap(message).getInt(SESSION) : 0;
    }

    /** Number of the operation; 0 if it cannot be read. */
    public static int operation(byte[] message) {
        return hasHeader(message) ? ByteBuffer.wrap(message).getInt(OPERATION) : 0;
    }

    /** Number of the response code; 0 if it cannot be read. */
    public static int responseCode(byte[] message) {
        return hasHeader(message) ? ByteBuffer.wrap(message).getInt(RESPONSE_CODE) : 0;
    }

    /** Whether the connection is to stay open. An encrypted message does not tell: it has a connection of its own. */
    static boolean staysOpen(byte[] message) {
        return hasHeader(message) && OpFlag.KPAL.in(ByteBuffer.wrap(message).getInt(FLAGS));
    }

    /** The field that a body begins with, most often a handle; empty if it cannot be read. */
    public static byte[] firstField(byte[] message) {
        if (!hasHeader(message) || message.length < BODY + 4) {
            return new byte[0];
        }
        ByteBuffer in = ByteBuffer.wrap(message);
        int length = in.getInt(BODY);
        if (length < 0 || length > Math.min(message.length - BODY - 4, io.guidepost.handle.HandleLimits.HANDLE_BYTES_MAX)) {
            return new byte[0];
        }
        byte[] field = new byte[length];
        in.get(BODY + 4, field);
        return field;
    }

    /** Its version, as people write it. */
    public static String version(byte[] message) {
        return message.length < 2 ? "" : Byte.toUnsignedInt(message[0]) + "." + Byte.toUnsignedInt(message[1]);
    }
}
