package io.guidepost.handle.service;

/** Answers requests of the native protocol. Thread-safe; may wait for the disk, so it is for virtual threads. */
@FunctionalInterface
public interface HandleRequestHandler {
    /** Answers one request. Never throws for a malformed one; errors are answered, logged and counted. */
    void answer(HandleRequest call, ResponseSink replies);
}
