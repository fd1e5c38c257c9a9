package io.guidepost.web;

import org.jspecify.annotations.Nullable;

/** Answers requests. Thread-safe; may wait for the disk, so it is for virtual threads. */
@FunctionalInterface
public interface HttpHandler {
    /** Answers a request without waiting for anything; null if it must be answered where one may wait. */
    default @Nullable HttpResponse atOnce(HttpRequest request) {
        return null;
    }

    /** Answers one request. Never throws for what is in it. */
    HttpResponse answer(HttpRequest request);
}
