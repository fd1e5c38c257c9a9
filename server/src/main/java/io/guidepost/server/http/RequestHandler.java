package io.guidepost.server.http;

import io.guidepost.web.HttpHandler;
import io.guidepost.web.HttpRequest;
import io.guidepost.web.HttpResponse;

/** Who answers what is asked over HTTP: at once on the thread that reads the connection, else on one that may wait. */
public interface RequestHandler extends HttpHandler {
    /**
     * Whether the answer waits for something to happen, or tells it as it happens. Such an answer has a place of another
     * bound, so that others find theirs. Its thread is interrupted when the client is gone, and when the server ends.
     */
    default boolean lasts(HttpRequest request) {
        return false;
    }

    /** Says that there is too much to do. */
    HttpResponse busy(HttpRequest request);

    /** Says that something went wrong here. */
    HttpResponse failed(HttpRequest request);

    /**
     * Hears what became of a request.
     *
     * @param nanos from its start to the end of the answer
     */
    default void answered(HttpRequest request, int status, long nanos) {}
}
