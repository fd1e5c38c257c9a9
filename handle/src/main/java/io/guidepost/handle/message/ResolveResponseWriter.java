package io.guidepost.handle.message;

import java.lang.foreign.MemorySegment;

/**
 * Writes the response to the request that {@link ResolveRequestFlyweight} parsed, in place: the bytes that {@link ResponseBuilder}
 * gives for a request without CERT, ENCR and RRDG. Allocates nothing. The layout stands at {@link HandleWire}.
 */
public final class ResolveResponseWriter {
    /** Bytes before the body. */
    public static final int BODY = HandleWire.BODY;

    /** Bytes after the body: the length of an absent credential. */
    public static final int END_BYTES = 4;

    /** Flags that this writer does not support. */
    public static final int FURTHER = OpFlag.of(OpFlag.CERT, OpFlag.ENCR, OpFlag.RRDG);

    private static final int CURRENT =
            ProtocolVersion.CURRENT.major() << 8 | ProtocolVersion.CURRENT.minor();

    private ResolveResponseWriter() {}

    /**
     * Writes all of a response but its body.
     *
     * @param answers site and role of the server
     * @param question the parsed request
     * @param code the result: one that all versions have
     * @param nowSeconds since 1970
     * @param bodyLength bytes of the body, which the caller writes at {@link #BODY}
     * @param out the segment for the response, with room for all of it
     * @param at offset in it
     * @return the response's length in bytes
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

    /** Returns {@link ProtocolVersion#ofAnswer}, in the upper and lower half of 16 bits. */
    private static int version(int versions) {
        int suggestedMajor = versions >>> 8 & HandleWire.SUGGESTED_MAJOR_MASK;
        int wanted = suggestedMajor == 0 ? versions >>> 16 : suggestedMajor << 8 | versions & 0xff;
        return Math.min(wanted, CURRENT);
    }
}
