/** The GNRS client over UDP: a window of requests in flight, retransmission with backoff, ordering for each name. */
package io.guidepost.gnrs.client;
