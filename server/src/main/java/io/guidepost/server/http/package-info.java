/**
 * HTTP/1.1, HTTP/2 and TLS on one port for every service: connections, timeouts, backpressure, the fast path for plain
 * requests.
 */
@NullMarked
package io.guidepost.server.http;

import org.jspecify.annotations.NullMarked;
