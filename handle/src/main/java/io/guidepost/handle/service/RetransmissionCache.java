package io.guidepost.handle.service;

import io.guidepost.handle.message.MessageFragmenter;
import io.guidepost.handle.message.ResponseCode;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The answers to the last changes of a session that came as datagrams. A client that hears nothing sends the same bytes
 * again: it gets the same answer, and nothing is done twice. Thread-safe.
 */
final class RetransmissionCache {
    /** Answers kept: clients send the same again within seconds, and have few requests under way over UDP. */
    static final int ANSWERS_MAX = 8;

    /** Bytes of an answer that is kept: those to changes fit one datagram, and there may be many sessions. */
    static final int BYTES_MAX = MessageFragmenter.BYTES_MAX;

    /**
     * What was answered.
     *
     * @param bytes as they were sent; treated as immutable
     */
    @SuppressWarnings("ArrayRecordComponent") // One answer, handed on.
    record Kept(byte[] bytes, ResponseCode code) {}

    private final Map<ByteBuffer, Kept> byRequest = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Kept> eldest) {
            return size() > ANSWERS_MAX;
        }
    };

    /** Keeps the answer to a request, if it is short. */
    void put(byte[] request, Kept answer) {
        if (answer.bytes().length <= BYTES_MAX) {
            ByteBuffer key = digest(request);
            synchronized (byRequest) {
                byRequest.put(key, answer);
            }
        }
    }

    /** The answer to a request that came before, byte for byte the same. */
    Optional<Kept> get(byte[] request) {
        synchronized (byRequest) {
            return byRequest.isEmpty() ? Optional.empty() : Optional.ofNullable(byRequest.get(digest(request)));
        }
    }

    private static ByteBuffer digest(byte[] request) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(request));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
