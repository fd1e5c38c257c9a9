package io.guidepost.server.handle.connection;

import io.guidepost.handle.service.HandleRequest;
import io.guidepost.handle.service.HandleRequestHandler;
import io.guidepost.handle.service.LoopChanges;
import io.guidepost.web.HttpHandler;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who answers.
 *
 * @param messages answers those of the native protocol
 * @param quick makes what answers some of them at once; one for each thread that reads
 * @param pages answers all else that comes over HTTP
 * @param accesses hears of what was answered
 */
public record ConnectionServices(HandleRequestHandler messages, Supplier<Quick> quick, HttpHandler pages, AccessListener accesses) {
    /** Answers what needs no wait, on the thread that reads the connection. Belongs to one thread. */
    @FunctionalInterface
    public interface Quick {
        /** The whole answer to a whole message; null if somebody who may wait must answer it. */
        byte @Nullable [] answer(byte[] message);

        /** Returns whether this thread answers a message, now or later, without a wait; else a thread that may wait must. */
        default boolean begins(byte[] message) {
            return false;
        }

        /**
         * Begins such a request.
         *
         * @param loop the thread, as others call it
         */
        default void begin(HandleRequest call, LoopChanges.Replies replies, ScheduledExecutorService loop) {
            throw new IllegalStateException("this begins nothing");
        }
    }
}
