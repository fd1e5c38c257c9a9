package io.guidepost.server.service;

import io.guidepost.packet.Port;
import java.net.InetSocketAddress;

/**
 * A queue of a port of datagrams, as the door knows it that answers there.
 *
 * @param worker number of the worker that it belongs to, from 0
 * @param port the port
 * @param wake has the worker look for answers that were deferred
 */
public record UdpQueue(int worker, Port port, Runnable wake) {
    /** Returns where it answers. */
    public InetSocketAddress address() {
        return port.localAddress();
    }
}
