package io.guidepost.handle.message;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The layout of a message (RFC 3652 section 2). All numbers are big-endian.
 *
 * <pre>
 * envelope                                       header
 *  offset size                                    offset size
 *     0     1  version, major                       20     4  operation, see Operation
 *     1     1  version, minor                       24     4  response code, see ResponseCode; 0 in requests
 *     2     1  80 compressed, 40 encrypted,         28     4  flags, see OpFlag
 *              20 fragmented,                       32     2  serial number of the site's description
 *              bits 1-0 suggested version, major    34     1  recursion count
 *     3     1  suggested version, minor             35     1  0
 *     4     4  session id, 0 = none                 36     4  expiry, seconds since 1970
 *     8     4  request id                           40     4  b, length of the body
 *    12     4  number of the packet
 *    16     4  length of all after the envelope     44     b  body, see Body
 *                                                 44+b     .  credential, see Credential
 * </pre>
 */
final class HandleWire {
    static final int MAJOR = 0;
    static final int MINOR = 1;
    static final int FLAGS = 2;
    static final int SUGGESTED_MINOR = 3;
    static final int SESSION = 4;
    static final int REQUEST = 8;
    static final int SEQUENCE = 12;
    static final int LENGTH = 16;
    static final int ENVELOPE_BYTES = 20;

    static final int OPCODE = 20;
    static final int RESPONSE_CODE = 24;
    static final int OP_FLAGS = 28;
    static final int SITE_SERIAL = 32;
    static final int RECURSION = 34;
    static final int EXPIRY = 36;
    static final int BODY_LENGTH = 40;
    static final int BODY = 44;
    static final int HEADER_BYTES = BODY - ENVELOPE_BYTES;

    static final int COMPRESSED = 0x80;
    static final int ENCRYPTED = 0x40;
    static final int SPLIT = 0x20;
    static final int SUGGESTED_MAJOR_MASK = 0x03;

    /** The serial number of an unknown site description. */
    static final int SERIAL_UNKNOWN = 0xffff;

    /** Validity of a response in seconds: half a day. Existing clients drop older ones. */
    static final int ANSWER_SECONDS = 43_200;

    /** Bytes of a UDP packet, envelope included. */
    static final int PACKET_BYTES_MAX = 512;

    /** Bytes of a message that one UDP packet carries. */
    static final int SLICE_BYTES = PACKET_BYTES_MAX - ENVELOPE_BYTES;

    static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    static {
        assert HEADER_BYTES == 24 && SLICE_BYTES == 492;
    }

    private HandleWire() {}

    static int bodyEnd(byte[] message) {
        return BODY + MemorySegment.ofArray(message).get(INT, BODY_LENGTH);
    }
}
