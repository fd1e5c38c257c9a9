/**
 * HTTP/1.1, HTTP/2 and TLS on one port for every service: connections, timeouts, backpressure, the fast path for plain
 * requests.
 */
package io.guidepost.server.http;
