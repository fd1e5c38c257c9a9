package io.guidepost.handle.service;

import io.guidepost.base.Sha256;
import io.guidepost.handle.message.MessageFragmenter;
import io.guidepost.handle.message.ResponseCode;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The retransmission cache of a session: the last responses over UDP. A client without a response sends the same bytes
 * again; it gets the cached response, and the request is not executed twice. Thread-safe.
 */
final class RetransmissionCache {
    /** Cached responses: clients retransmit within seconds, and have few requests in flight over UDP. */
    static final int ANSWERS_MAX = 8;

    /** Bytes of a cached response: those to changes fit one datagram, and there may be many sessions. */
    static final int BYTES_MAX = MessageFragmenter.BYTES_MAX;

    /**
     * A cached response.
     *
     * @param bytes as sent; treated as immutable
     */
    @SuppressWarnings("ArrayRecordComponent") // One response, handed on.
    record SentResponse(byte[] bytes, ResponseCode code) {}

    private final Map<ByteBuffer, SentResponse> byRequest = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, SentResponse> eldest) {
            return size() > ANSWERS_MAX;
        }
    };

    /** Caches the response to a request, if it is short. */
    void put(byte[] request, SentResponse answer) {
        if (answer.bytes().length <= BYTES_MAX) {
            ByteBuffer key = digest(request);
            synchronized (byRequest) {
                byRequest.put(key, answer);
            }
        }
    }

    /** Returns the cached response to a request, compared byte for byte. */
    Optional<SentResponse> get(byte[] request) {
        synchronized (byRequest) {
            return byRequest.isEmpty() ? Optional.empty() : Optional.ofNullable(byRequest.get(digest(request)));
        }
    }

    private static ByteBuffer digest(byte[] request) {
        return ByteBuffer.wrap(Sha256.of(request));
    }
}
