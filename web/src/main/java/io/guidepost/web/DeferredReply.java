package io.guidepost.web;

import java.util.function.Supplier;

/**
 * Where the response to a request goes that depends on something which is done elsewhere, for which no thread waits: the event loop
 * that read the request makes and sends it when that is done.
 */
public interface DeferredReply {
    /**
     * Says that the response can be made; called once, by any thread.
     *
     * @param response makes it, without waiting; called by the event loop behind {@link #wake}
     */
    void ready(Supplier<HttpResponse> response);

    /** Returns what wakes the event loop, the same for all of its requests: run once behind several that are ready. */
    Runnable wake();
}
