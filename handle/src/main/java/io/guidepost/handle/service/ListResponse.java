package io.guidepost.handle.service;

import io.guidepost.handle.Handle;
import io.guidepost.handle.HandleLimits;
import io.guidepost.handle.message.MessageBody;
import io.guidepost.handle.message.ResponseCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Streams a list of handles in parts: a list of any length takes the memory of one part. For one thread. */
final class ListResponse {
    /** Bytes of one part of the list of homed prefixes, which existing servers send in one part. */
    private static final int BYTES_MAX = HandleLimits.MESSAGE_BYTES_MAX / 2;

    private final HandleExchange exchange;
    private final int handlesMax;
    private final boolean parts;
    private List<Handle> part = new ArrayList<>();
    private int bytes;
    private boolean tooLong;

    /**
     * Creates an empty list.
     *
     * @param handlesMax handles of one part
     */
    ListResponse(HandleExchange exchange, int handlesMax) {
        this.exchange = exchange;
        this.handlesMax = handlesMax;
        // Parts share one request id, so that datagrams of several would be mixed up.
        this.parts = exchange.call().transport() != HandleRequest.Transport.UDP;
    }

    /** Adds the next handle; returns false if no more are wanted. */
    boolean add(Handle handle) {
        if (part.size() == handlesMax || bytes > BYTES_MAX) {
            if (!parts) {
                tooLong = true;
                return false;
            }
            try {
                exchange.part(new MessageBody.Handles(part));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            part = new ArrayList<>();
            bytes = 0;
        }
        part.add(handle);
        bytes += 4 + handle.length();
        return true;
    }

    void end() throws IOException {
        if (tooLong) {
            exchange.refuse(ResponseCode.OPERATION_NOT_SUPPORTED, "the list is long: ask over TCP");
        } else {
            exchange.answer(ResponseCode.SUCCESS, new MessageBody.Handles(part));
        }
    }
}
