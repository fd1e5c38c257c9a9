package io.guidepost.server.http;

/**
 * What all connections over HTTP share.
 *
 * @param work requests that are answered soon
 * @param lasting those that wait for something to happen
 */
record HttpContext(HttpServerSettings settings, RequestHandler answers, ConnectionCounters counts,
        RequestExecutor work, RequestExecutor lasting) {
    RequestExecutor work(boolean lasts) {
        return lasts ? lasting : work;
    }
}
