package io.guidepost.handle.message;

import io.guidepost.base.Malformed;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.WireRecord;
import io.guidepost.handle.WireWriter;
import java.util.Optional;

/**
 * A message in object form: for administration, clients, tools and tests; {@link ResolveRequestFlyweight} parses the commonest
 * request in place. The layout stands at {@link HandleWire}. Reading and writing a message gives the same bytes, except that
 * bytes after the body are gone, reserved bits are 0 and lengths are right. Immutable.
 *
 * @param envelope the length in it is that of the message as it was read, and is ignored in writing
 * @param header operation and result
 * @param requestDigest over the request that this answers, if the client wanted it
 * @param body the payload
 * @param credential authenticates the sender, if present
 */
public record HandleMessage(
        HandleEnvelope envelope,
        MessageHeader header,
        Optional<RequestDigest> requestDigest,
        MessageBody body,
        Optional<MessageCredential> credential)
        implements WireRecord {
    /** Returns a message without a request digest and without a credential. */
    public static HandleMessage of(HandleEnvelope envelope, MessageHeader header, MessageBody body) {
        return new HandleMessage(envelope, header, Optional.empty(), body, Optional.empty());
    }

    /** Returns a copy with another credential. */
    public HandleMessage with(MessageCredential proof) {
        return new HandleMessage(envelope, header, requestDigest, body, Optional.of(proof));
    }

    /** Returns a copy with another envelope. */
    public HandleMessage with(HandleEnvelope other) {
        return new HandleMessage(other, header, requestDigest, body, credential);
    }

    /** Returns the shortest error with the same code: without text, request digest and signature. */
    public HandleMessage shortestError() {
        return of(envelope, header.without(OpFlag.RRDG, OpFlag.CERT), new MessageBody.Empty());
    }

    /** Returns the operation; empty if the number is unknown. */
    public Optional<HandleOperation> operation() {
        return HandleOperation.of(header.opcode());
    }

    /** Returns the response code; empty in requests, and if the number is unknown. */
    public Optional<ResponseCode> responseCode() {
        return ResponseCode.of(header.responseCode());
    }

    /** Reads bytes that are one message: reassembled and decrypted. */
    public static HandleMessage read(byte[] bytes) throws Malformed {
        return WireReader.whole(bytes, HandleMessage::readPrefix);
    }

    /**
     * Reads bytes that are one request.
     *
     * @throws Malformed as {@link #read} does, and if they are a response
     */
    public static HandleMessage readRequest(byte[] bytes) throws Malformed {
        HandleMessage message = read(bytes);
        if (!message.header.isRequest()) {
            throw new Malformed("a request has the response code 0", HandleWire.RESPONSE_CODE);
        }
        return message;
    }

    /**
     * Reads a message up to the length in its envelope.
     *
     * @throws Malformed with the first reason and its offset from the first byte of the message
     */
    static HandleMessage readPrefix(WireReader in) throws Malformed {
        HandleEnvelope envelope = HandleEnvelope.readPrefix(in);
        if (envelope.compressed() || envelope.encrypted()) {
            throw new Malformed("the message is compressed or still encrypted", HandleWire.FLAGS);
        }
        if (envelope.length() > in.remaining()) {
            throw new Malformed(
                    "the envelope says " + envelope.length() + " bytes, and " + in.remaining() + " are there",
                    HandleWire.LENGTH);
        }
        WireReader rest = in.part(envelope.length());
        MessageHeader header = MessageHeader.readPrefix(rest);
        WireReader body = rest.part();
        Optional<RequestDigest> digest = !header.isRequest() && header.has(OpFlag.RRDG)
                ? Optional.of(RequestDigest.readPrefix(body))
                : Optional.empty();
        MessageBody about = MessageBodyReader.read(envelope.version(), header, body);
        return new HandleMessage(envelope, header, digest, about, readCredential(rest));
    }

    private static Optional<MessageCredential> readCredential(WireReader in) throws Malformed {
        if (in.remaining() == 0) {
            return Optional.empty();
        }
        WireReader credential = in.part();
        in.end();
        return credential.remaining() == 0 ? Optional.empty() : Optional.of(MessageCredential.read(credential));
    }

    /**
     * Writes the whole message; {@link MessageFragmenter} fragments a longer one.
     *
     * @throws IllegalArgumentException if it is longer than a message may be
     */
    @Override
    public void write(WireWriter out) {
        byte[] rest = writeRest();
        if (rest.length > HandleLimits.MESSAGE_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a message has at most " + HandleLimits.MESSAGE_BYTES_MAX + " bytes, not " + rest.length);
        }
        envelope.withLength(rest.length).write(out);
        out.raw(rest);
    }

    private byte[] writeRest() {
        WireWriter out = new WireWriter();
        out.u32(header.opcode()).u32(header.responseCode()).u32(header.flags());
        out.u16(header.siteSerial()).u8(header.recursionCount()).u8(0).seconds(header.expirySeconds());
        out.part(to -> {
            requestDigest.ifPresent(digest -> digest.write(to));
            body.write(to);
        });
        credential.ifPresentOrElse(out::part, () -> out.u32(0));
        return out.toBytes();
    }
}
