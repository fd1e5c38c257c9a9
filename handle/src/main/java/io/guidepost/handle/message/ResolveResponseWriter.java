package io.guidepost.handle.message;

import java.lang.foreign.MemorySegment;

/**
 * Writes the answer to what {@link ResolveRequestFlyweight} read, in place: as {@link ResponseBuilder} makes it of a request without
 * CERT, ENCR and RRDG. Allocates nothing. The layout stands at {@link HandleWire}.
 */
public final class ResolveResponseWriter {
    /** Bytes before the body. */
    public static final int BODY = HandleWire.BODY;

    /** Bytes behind the body: the length of a credential that is not there. */
    public static final int END_BYTES = 4;

    /** Flags that ask for more than this writes. */
    public static final int FURTHER = OpFlag.of(OpFlag.CERT, OpFlag.ENCR, OpFlag.RRDG);

    private static final int CURRENT =
            ProtocolVersion.CURRENT.major() << 8 | ProtocolVersion.CURRENT.minor();

    private ResolveResponseWriter() {}

    /**
     * Writes all but the body of an answer whose body is so long.
     *
     * @param answers says what the server is
     * @param question that was read
     * @param code how it went: one that all versions have
     * @param nowSeconds since 1970
     * @param bodyLength bytes of the body, which the caller writes at {@link #BODY}
     * @param out where the answer goes, with room for all of it
     * @param at where in it
     * @return bytes of the answer
     */
    public static int write(
            ResponseBuilder answers,
            ResolveRequestFlyweight question,
            ResponseCode code,
            long nowSeconds,
            int bodyLength,
            MemorySegment out,
            long at) {
        int length = HandleWire.HEADER_BYTES + bodyLength + END_BYTES;
        int split = question.versions() >>> 8 & HandleWire.SPLIT;
        out.set(HandleWire.INT, at, version(question.versions()) << 16 | split << 8 | CURRENT);
        out.set(HandleWire.INT, at + HandleWire.SESSION, question.sessionId());
        out.set(HandleWire.INT, at + HandleWire.REQUEST, question.requestId());
        out.set(HandleWire.INT, at + HandleWire.SEQUENCE, 0);
        out.set(HandleWire.INT, at + HandleWire.LENGTH, length);
        out.set(HandleWire.INT, at + HandleWire.OPCODE, HandleOperation.RESOLVE.number());
        out.set(HandleWire.INT, at + HandleWire.RESPONSE_CODE, code.number());
        int flags = question.flags() & OpFlag.REPEATED | OpFlag.RECU.bit();
        out.set(HandleWire.INT, at + HandleWire.OP_FLAGS, answers.primary() ? flags | OpFlag.AUTH.bit() : flags);
        out.set(HandleWire.INT, at + HandleWire.SITE_SERIAL, answers.siteSerial() << 16 | question.recursionCount() << 8);
        out.set(HandleWire.INT, at + HandleWire.EXPIRY, (int) (nowSeconds + HandleWire.ANSWER_SECONDS));
        out.set(HandleWire.INT, at + HandleWire.BODY_LENGTH, bodyLength);
        out.set(HandleWire.INT, at + HandleWire.BODY + bodyLength, 0);
        return HandleWire.ENVELOPE_BYTES + length;
    }

    /** As {@link ProtocolVersion#ofAnswer}, in the upper and lower half of 16 bits. */
    private static int version(int versions) {
        int suggestedMajor = versions >>> 8 & HandleWire.SUGGESTED_MAJOR_MASK;
        int wanted = suggestedMajor == 0 ? versions >>> 16 : suggestedMajor << 8 | versions & 0xff;
        return Math.min(wanted, CURRENT);
    }
}
