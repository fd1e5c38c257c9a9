package io.guidepost.handle.service;

import io.guidepost.handle.message.HandleMessage;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.ResponseCode;
import io.guidepost.handle.value.ValueReference;
import java.io.IOException;

/** Serves mirrors: transactions and dumps. Called only for mirrors with permission. Thread-safe. */
@FunctionalInterface
public interface ReplicationSource {
    /** Serves no mirrors. */
    ReplicationSource NONE = (_, _, _, answer) -> answer.refuse(ResponseCode.OPERATION_NOT_SUPPORTED, "");

    /** The response to a mirror: either a refusal, or a message and then a stream. */
    interface Answer {
        /**
         * Refuses the request.
         *
         * @throws IOException if the mirror is gone
         */
        void refuse(ResponseCode code, String text) throws IOException;

        /**
         * Accepts the request with a message, signed if the mirror wants that; the stream follows.
         *
         * @throws IOException if the mirror is gone
         */
        void begin(MessageBody body) throws IOException;

        /**
         * Sends bytes of the stream; blocks while the mirror is slow (backpressure).
         *
         * @throws IOException if the mirror is gone, or the transport has no streams
         */
        void stream(byte[] bytes, int offset, int length) throws IOException;
    }

    /**
     * Serves GET_TRANSACTIONS or DUMP_HANDLES, and returns when all is sent.
     *
     * @param call the request's transport and peer
     * @param request whose body is a {@link MessageBody.Transactions} or a {@link MessageBody.Dump}
     * @param mirror identity of the mirror
     * @throws IOException if the disk cannot be read, or the mirror is gone
     */
    void answer(HandleRequest call, HandleMessage request, ValueReference mirror, Answer answer) throws IOException;
}
