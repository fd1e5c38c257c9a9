package io.guidepost.server.http;

import java.net.InetSocketAddress;

/**
 * A connection that no process reads from, until one goes on with it.
 *
 * @param port that it came to
 * @param descriptor of its socket
 * @param received bytes of a request that is not whole, often none
 */
public record ParkedConnection(InetSocketAddress port, int descriptor, byte[] received) {}
