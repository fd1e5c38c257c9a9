package io.guidepost.server.http;

import io.guidepost.base.SharedCounters;
import java.util.function.LongSupplier;

/**
 * What all connections over HTTP share.
 *
 * @param connections how many there are
 * @param work requests that are answered soon
 * @param lasting those that wait for something to happen
 */
record HttpContext(HttpServerSettings settings, RequestHandler answers, SharedCounters<ConnectionCounter> counts,
        LongSupplier connections, RequestExecutor work, RequestExecutor lasting) {
    RequestExecutor work(boolean lasts) {
        return lasts ? lasting : work;
    }
}
