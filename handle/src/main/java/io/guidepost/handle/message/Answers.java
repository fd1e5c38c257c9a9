package io.guidepost.handle.message;

import io.guidepost.names.Malformed;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Makes answers: version, flags and digest follow from the request, as existing servers have it. Thread-safe.
 *
 * @param siteSerial serial number of the server's own site, 0 to 65535
 * @param primary whether its answers are authoritative
 */
public record Answers(int siteSerial, boolean primary) {
    /** Refuses a serial number that 16 bits do not hold. */
    public Answers {
        if (siteSerial >>> 16 != 0) {
            throw new IllegalArgumentException("a serial number has 16 bits, " + siteSerial + " has more");
        }
    }

    /**
     * Answers a request.
     *
     * @param request as it was read
     * @param received as it came, not encrypted: the digest is taken over its bytes
     * @param code how it went; what old versions do not have is said in another way
     * @param body of the answer
     * @param nowSeconds since 1970
     * @param more further flags: {@link OpFlag#CONT}, {@link OpFlag#OVRW}, {@link OpFlag#MINT}
     */
    public Message answer(
            Message request, byte[] received, ResponseCode code, Body body, long nowSeconds, OpFlag... more) {
        Envelope asked = request.envelope();
        ProtocolVersion version = ProtocolVersion.ofAnswer(asked.version(), asked.suggested());
        boolean challenge = code == ResponseCode.CHALLENGE;
        boolean old = version.digest() == DigestAlgorithm.MD5_OLD;
        int flags = request.header().flags() & OpFlag.REPEATED | OpFlag.RECU.bit() | OpFlag.of(more);
        flags |= primary ? OpFlag.AUTH.bit() : 0;
        flags |= challenge && !old ? OpFlag.RRDG.bit() : 0;
        flags &= challenge && old ? ~OpFlag.RRDG.bit() : -1;
        return new Message(
                new Envelope(
                        version,
                        ProtocolVersion.CURRENT,
                        false,
                        false,
                        asked.split(),
                        asked.sessionId(),
                        asked.requestId(),
                        0,
                        0),
                new Header(
                        request.header().opcode(),
                        code.in(version).number(),
                        flags,
                        siteSerial,
                        request.header().recursionCount(),
                        nowSeconds + Wire.ANSWER_SECONDS),
                OpFlag.RRDG.in(flags) ? Optional.of(RequestDigest.of(version.digest(), received)) : Optional.empty(),
                body,
                Optional.empty());
    }

    /** Challenges a request; the session id of the answer names the challenge. */
    public Message challenge(Message request, byte[] received, byte[] nonce, int sessionId, long nowSeconds) {
        ProtocolVersion version =
                ProtocolVersion.ofAnswer(request.envelope().version(), request.envelope().suggested());
        Body body = version.atLeast(2, 1)
                ? new Body.Challenge(nonce)
                : new Body.OldChallenge(nonce, RequestDigest.of(version.digest(), received).digest());
        Message answer = answer(request, received, ResponseCode.CHALLENGE, body, nowSeconds);
        return answer.with(answer.envelope().withSession(sessionId));
    }

    /**
     * Answers what could not be read. Nothing in it is trusted, not even the request id.
     *
     * @param received as it came
     * @param fault why it could not be read
     * @param nowSeconds since 1970
     */
    public static Message toUnreadable(byte[] received, Malformed fault, long nowSeconds) {
        ResponseCode code = ResponseCode.ERROR;
        String text = fault.reason() + " (at offset " + fault.offset() + ")";
        if (received.length < Wire.BODY) {
            code = ResponseCode.PROTOCOL_ERROR;
            text = "Invalid message length";
        } else if (MemorySegment.ofArray(received).get(Wire.INT, Wire.OPCODE) == 0) {
            code = ResponseCode.PROTOCOL_ERROR;
        }
        return Message.of(
                new Envelope(ProtocolVersion.UNKNOWN, ProtocolVersion.CURRENT, false, false, false, 0, -1, 0, 0),
                new Header(
                        0,
                        code.number(),
                        OpFlag.of(OpFlag.RECU, OpFlag.CACR, OpFlag.PUBL),
                        Header.SERIAL_UNKNOWN,
                        0,
                        nowSeconds + Wire.ANSWER_SECONDS),
                new Body.Text(text));
    }
}
