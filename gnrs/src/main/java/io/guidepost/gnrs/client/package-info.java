/** The GNRS client over UDP: a window of requests in flight, retransmission with backoff, ordering for each name. */
@NullMarked
package io.guidepost.gnrs.client;

import org.jspecify.annotations.NullMarked;
