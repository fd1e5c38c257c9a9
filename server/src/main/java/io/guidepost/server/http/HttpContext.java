package io.guidepost.server.http;

import io.guidepost.base.SharedCounters;

/**
 * What all connections over HTTP share.
 *
 * @param work requests that are answered soon
 * @param lasting those that wait for something to happen
 */
record HttpContext(HttpServerSettings settings, RequestHandler answers, SharedCounters<ConnectionCounter> counts,
        RequestExecutor work, RequestExecutor lasting) {
    RequestExecutor work(boolean lasts) {
        return lasts ? lasting : work;
    }
}
