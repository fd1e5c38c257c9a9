package io.guidepost.web;

import org.jspecify.annotations.Nullable;

/** Answers HTTP requests. Thread-safe; may wait for the disk, so it is for virtual threads. */
@FunctionalInterface
public interface HttpHandler {
    /** Answers a request without blocking; null if {@link #answer} must do it on a thread that may block. */
    default @Nullable HttpResponse atOnce(HttpRequest request) {
        return null;
    }

    /**
     * Begins to answer a request that {@link #atOnce} did not, without blocking; the response follows.
     *
     * @param reply takes the response if this returns true, also before it does
     * @return false if {@link #answer} must do it; then nothing was done
     */
    default boolean begin(HttpRequest request, DeferredReply reply) {
        return false;
    }

    /** Answers one request. Never throws for a malformed one. */
    HttpResponse answer(HttpRequest request);
}
