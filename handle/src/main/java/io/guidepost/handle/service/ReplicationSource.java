package io.guidepost.handle.service;

import io.guidepost.handle.ValueReference;
import io.guidepost.handle.message.Body;
import io.guidepost.handle.message.Message;
import io.guidepost.handle.message.ResponseCode;
import java.io.IOException;

/** Answers mirrors: what changed, and everything. Called only for those who may follow this server. Thread-safe. */
@FunctionalInterface
public interface ReplicationSource {
    /** Serves no mirrors. */
    ReplicationSource NONE = (_, _, _, answer) -> answer.refuse(ResponseCode.OPERATION_NOT_SUPPORTED, "");

    /** Where an answer goes: either a refusal, or a beginning and then a stream. */
    interface Answer {
        /**
         * Says that it cannot be done.
         *
         * @throws IOException if the receiver is gone
         */
        void refuse(ResponseCode code, String text) throws IOException;

        /**
         * Says that it can, in a message that is signed if that was asked for; the stream follows.
         *
         * @throws IOException if the receiver is gone
         */
        void begin(Body body) throws IOException;

        /**
         * Sends bytes of the stream; waits while the receiver is slow.
         *
         * @throws IOException if the receiver is gone, or the transport has no streams
         */
        void stream(byte[] bytes, int offset, int length) throws IOException;
    }

    /**
     * Answers GET_TRANSACTIONS or DUMP_HANDLES, and returns when all is sent.
     *
     * @param call how it came
     * @param request whose body is a {@link Body.Transactions} or a {@link Body.Dump}
     * @param mirror who asks
     * @throws IOException if the disk cannot be read, or the receiver is gone
     */
    void answer(Call call, Message request, ValueReference mirror, Answer answer) throws IOException;
}
