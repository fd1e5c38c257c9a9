package io.guidepost.scaffold.gateway;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;

/** A UDP socket with a burst each way: what is sent leaves when the burst is full, or is flushed. Belongs to the gateway's worker. */
final class GatewaySocket implements AutoCloseable {
    private final Port port;
    private final RxQueue rx;
    private final TxQueue tx;
    private final Burst in;
    private final Burst out;

    GatewaySocket(Port port) {
        this.port = port;
        this.rx = port.rx(0);
        this.tx = port.tx(0);
        this.in = rx.burst();
        this.out = tx.burst();
    }

    int localPort() {
        return port.localAddress().getPort();
    }

    Port port() {
        return port;
    }

    RxQueue rx() {
        return rx;
    }

    /** Receives what is there, and returns it. */
    Burst receive() {
        rx.receive(in);
        return in;
    }

    /** Returns the address of a datagram that was received. */
    long address(int index) {
        return in.segment().address() + in.offset(index);
    }

    /** Returns the address where a datagram is to be written; {@link Burst#NO_ROOM}, and a drop is counted, if it has no room. */
    long room(int length) {
        if (!out.hasRoom()) {
            tx.send(out);
        }
        if (!out.hasRoom() || length > out.roomBytes()) {
            tx.statistics().drop(Drop.NO_ROOM, 1);
            return Burst.NO_ROOM;
        }
        return out.segment().address() + out.room();
    }

    /** Takes the datagram that was written. */
    void append(int length, long peerHigh, long peerLow, int peerPort) {
        out.append(length, peerHigh, peerLow, peerPort);
    }

    /** Sends what was gathered; returns whether the socket is full. */
    boolean flush() {
        return out.count() > 0 && tx.send(out) > 0;
    }

    @Override
    public void close() {
        port.close();
    }
}
