package io.guidepost.server.handle.connection;

import io.guidepost.base.Malformed;
import io.guidepost.handle.WireReader;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.MessageHeader;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ResponseBuilder;
import io.guidepost.handle.message.ResponseCode;
import java.time.InstantSource;

/** Answers of the connection itself, without anybody having read the message. */
record ErrorReplies(InstantSource clock) {
    private static final long ANSWER_SECONDS = 43_200;

    private long nowSeconds() {
        return clock.instant().getEpochSecond();
    }

    byte[] busy(byte[] message) {
        return refusal(message, ResponseCode.BUSY);
    }

    byte[] failed(byte[] message) {
        return refusal(message, ResponseCode.ERROR);
    }

    private byte[] refusal(byte[] message, ResponseCode code) {
        try {
            HandleEnvelope asked = HandleEnvelope.readPrefix(new WireReader(message));
            HandleEnvelope envelope = HandleEnvelope.of(asked.sessionId(), asked.requestId());
            MessageHeader header = new MessageHeader(
                    EnvelopeFraming.operation(message),
                    code.number(),
                    OpFlag.of(OpFlag.RECU),
                    MessageHeader.SERIAL_UNKNOWN,
                    0,
                    nowSeconds() + ANSWER_SECONDS);
            return HandleMessage.of(envelope, header, new MessageBody.Text(code.text())).write();
        } catch (Malformed e) {
            return unreadable(message, e);
        }
    }

    /** That is no message. */
    byte[] unreadable(byte[] received, Malformed fault) {
        return ResponseBuilder.toUnreadable(received, fault, nowSeconds()).write();
    }
}
