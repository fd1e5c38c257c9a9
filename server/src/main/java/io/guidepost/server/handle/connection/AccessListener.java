package io.guidepost.server.handle.connection;

import io.guidepost.handle.service.HandleRequest;
import io.guidepost.web.HttpRequest;

/**
 * Hears of what was answered without the service of messages, which tells a journal of its own. Thread-safe; must be quick,
 * as it is called by those who answer.
 */
public interface AccessListener {
    /**
     * A message was answered by the connection itself, at once or because there was too much to do.
     *
     * @param answer the whole of it
     * @param nanos how long that took
     */
    void message(HandleRequest call, byte[] answer, long nanos);

    /** A request over HTTP was answered that was no message of the native protocol. */
    void page(HttpRequest request, int status, long nanos);

    /** Such a request was refused before it was looked at, as there was too much to do. */
    void busy(HttpRequest request, int status);
}
