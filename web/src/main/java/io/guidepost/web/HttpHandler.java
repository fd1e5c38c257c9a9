package io.guidepost.web;

import org.jspecify.annotations.Nullable;

/** Answers HTTP requests. Thread-safe; may wait for the disk, so it is for virtual threads. */
@FunctionalInterface
public interface HttpHandler {
    /** Answers a request without blocking; null if {@link #answer} must do it on a thread that may block. */
    default @Nullable HttpResponse atOnce(HttpRequest request) {
        return null;
    }

    /** Answers one request. Never throws for a malformed one. */
    HttpResponse answer(HttpRequest request);
}
