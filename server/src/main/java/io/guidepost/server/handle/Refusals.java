package io.guidepost.server.handle;

import io.guidepost.handle.WireReader;
import io.guidepost.handle.message.Answers;
import io.guidepost.handle.message.Body;
import io.guidepost.handle.message.Envelope;
import io.guidepost.handle.message.Header;
import io.guidepost.handle.message.Message;
import io.guidepost.handle.message.OpFlag;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.names.Malformed;
import java.time.InstantSource;

/** Answers of the connection itself, without anybody having read the message. */
final class Refusals {
    private static final long ANSWER_SECONDS = 43_200;

    private final InstantSource clock;

    Refusals(InstantSource clock) {
        this.clock = clock;
    }

    private long nowSeconds() {
        return clock.instant().getEpochSecond();
    }

    /** There is too much to do. */
    byte[] busy(byte[] message) {
        return refusal(message, ResponseCode.BUSY);
    }

    /** Something went wrong here. */
    byte[] failed(byte[] message) {
        return refusal(message, ResponseCode.ERROR);
    }

    private byte[] refusal(byte[] message, ResponseCode code) {
        try {
            Envelope asked = Envelope.readPrefix(new WireReader(message));
            Envelope envelope = Envelope.of(asked.sessionId(), asked.requestId());
            Header header = new Header(
                    Frames.operation(message),
                    code.number(),
                    OpFlag.of(OpFlag.RECU),
                    Header.SERIAL_UNKNOWN,
                    0,
                    nowSeconds() + ANSWER_SECONDS);
            return Message.of(envelope, header, new Body.Text(code.text())).write();
        } catch (Malformed e) {
            return unreadable(message, e);
        }
    }

    /** That is no message. */
    byte[] unreadable(byte[] received, Malformed fault) {
        return Answers.toUnreadable(received, fault, nowSeconds()).write();
    }
}
