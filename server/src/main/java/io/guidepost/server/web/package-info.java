/** HTTP/1.1, HTTP/2 and TLS on one port, for any door: connections, their bounds, and who answers on which threads. */
@NullMarked
package io.guidepost.server.web;

import org.jspecify.annotations.NullMarked;
