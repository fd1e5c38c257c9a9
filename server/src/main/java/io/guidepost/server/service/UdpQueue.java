package io.guidepost.server.service;

import io.guidepost.packet.Aside;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * A queue of a port of datagrams, as the door knows it that answers there.
 *
 * @param worker number of the worker that it belongs to, from 0
 * @param port the port
 * @param number of the queue at the port
 * @param floodSockets where networks are received apart that ask too much; empty if this port or this service has none
 * @param wake has the worker look for answers that were deferred
 */
public record UdpQueue(int worker, Port port, int number, Optional<Aside> floodSockets, Runnable wake) {
    /** Returns where it answers. */
    public InetSocketAddress address() {
        return port.localAddress();
    }

    /** Returns what comes in. */
    public RxQueue rx() {
        return port.rx(number);
    }
}
