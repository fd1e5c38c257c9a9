package io.guidepost.handle.service;

/** Answers messages of the native protocol. Thread-safe; may wait for the disk, so it is for virtual threads. */
@FunctionalInterface
public interface HandleRequestHandler {
    /** Answers one message. Never throws for what is in it; what goes wrong is answered, logged and counted. */
    void answer(HandleRequest call, ResponseSink replies);
}
