package io.guidepost.handle.message;

import io.guidepost.base.Malformed;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Builds responses: version, flags and digest follow from the request, as in existing servers. Thread-safe.
 *
 * @param siteSerial serial number of the server's own site, 0 to 65535
 * @param primary whether its responses are authoritative
 */
public record ResponseBuilder(int siteSerial, boolean primary) {
    /** Refuses a serial number that 16 bits do not hold. */
    public ResponseBuilder {
        if (siteSerial >>> 16 != 0) {
            throw new IllegalArgumentException("a serial number has 16 bits, " + siteSerial + " has more");
        }
    }

    /**
     * Answers a request.
     *
     * @param request as it was read
     * @param received the request's bytes, decrypted: the digest covers them
     * @param code the result; mapped to another one for versions that lack it
     * @param body of the response
     * @param nowSeconds since 1970
     * @param more further flags: {@link OpFlag#CONT}, {@link OpFlag#OVRW}, {@link OpFlag#MINT}
     */
    public HandleMessage answer(
            HandleMessage request, byte[] received, ResponseCode code, MessageBody body, long nowSeconds, OpFlag... more) {
        HandleEnvelope asked = request.envelope();
        ProtocolVersion version = ProtocolVersion.ofAnswer(asked.version(), asked.suggested());
        boolean challenge = code == ResponseCode.CHALLENGE;
        boolean old = version.digest() == DigestAlgorithm.MD5_OLD;
        int flags = request.header().flags() & OpFlag.REPEATED | OpFlag.RECU.bit() | OpFlag.of(more);
        flags |= primary ? OpFlag.AUTH.bit() : 0;
        flags |= challenge && !old ? OpFlag.RRDG.bit() : 0;
        flags &= challenge && old ? ~OpFlag.RRDG.bit() : -1;
        return new HandleMessage(
                new HandleEnvelope(
                        version,
                        ProtocolVersion.CURRENT,
                        false,
                        false,
                        asked.split(),
                        asked.sessionId(),
                        asked.requestId(),
                        0,
                        0),
                new MessageHeader(
                        request.header().opcode(),
                        code.in(version).number(),
                        flags,
                        siteSerial,
                        request.header().recursionCount(),
                        nowSeconds + HandleWire.ANSWER_SECONDS),
                OpFlag.RRDG.in(flags) ? Optional.of(RequestDigest.of(version.digest(), received)) : Optional.empty(),
                body,
                Optional.empty());
    }

    /** Challenges a request; the session id of the response identifies the challenge. */
    public HandleMessage challenge(HandleMessage request, byte[] received, byte[] nonce, int sessionId, long nowSeconds) {
        ProtocolVersion version =
                ProtocolVersion.ofAnswer(request.envelope().version(), request.envelope().suggested());
        MessageBody body = version.atLeast(2, 1)
                ? new MessageBody.Challenge(nonce)
                : new MessageBody.OldChallenge(nonce, RequestDigest.of(version.digest(), received).digest());
        HandleMessage answer = answer(request, received, ResponseCode.CHALLENGE, body, nowSeconds);
        return answer.with(answer.envelope().withSession(sessionId));
    }

    /**
     * Answers a malformed request. Trusts nothing in it, not even the request id.
     *
     * @param received its bytes
     * @param fault why it is malformed
     * @param nowSeconds since 1970
     */
    public static HandleMessage toUnreadable(byte[] received, Malformed fault, long nowSeconds) {
        ResponseCode code = ResponseCode.ERROR;
        String text = fault.reason() + " (at offset " + fault.offset() + ")";
        if (received.length < HandleWire.BODY) {
            code = ResponseCode.PROTOCOL_ERROR;
            text = "Invalid message length";
        } else if (MemorySegment.ofArray(received).get(HandleWire.INT, HandleWire.OPCODE) == 0) {
            code = ResponseCode.PROTOCOL_ERROR;
        }
        return HandleMessage.of(
                new HandleEnvelope(ProtocolVersion.UNKNOWN, ProtocolVersion.CURRENT, false, false, false, 0, -1, 0, 0),
                new MessageHeader(
                        0,
                        code.number(),
                        OpFlag.of(OpFlag.RECU, OpFlag.CACR, OpFlag.PUBL),
                        MessageHeader.SERIAL_UNKNOWN,
                        0,
                        nowSeconds + HandleWire.ANSWER_SECONDS),
                new MessageBody.Text(text));
    }
}
