package io.guidepost.web;

/** Answers requests. Thread-safe; may wait for the disk, so it is for virtual threads. */
@FunctionalInterface
public interface HttpService {
    /** Answers one request. Never throws for what is in it. */
    HttpResponse answer(HttpRequest request);
}
