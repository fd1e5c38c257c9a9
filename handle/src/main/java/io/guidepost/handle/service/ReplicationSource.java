package io.guidepost.handle.service;

import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.ValueReference;
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
        void begin(MessageBody body) throws IOException;

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
     * @param request whose body is a {@link MessageBody.Transactions} or a {@link MessageBody.Dump}
     * @param mirror who asks
     * @throws IOException if the disk cannot be read, or the receiver is gone
     */
    void answer(HandleRequest call, HandleMessage request, ValueReference mirror, Answer answer) throws IOException;
}
