package io.guidepost.middlebox.forward;

import io.guidepost.packet.Port;
import io.guidepost.packet.PortLayer;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.net.InetSocketAddress;

/** A port that takes shorter frames than the one below it. */
record NarrowPort(Port port, int frameBytesMax) implements Port {
    @Override
    public String name() {
        return port.name();
    }

    @Override
    public PortLayer layer() {
        return port.layer();
    }

    @Override
    public int queues() {
        return port.queues();
    }

    @Override
    public RxQueue rx(int queue) {
        return port.rx(queue);
    }

    @Override
    public TxQueue tx(int queue) {
        return port.tx(queue);
    }

    @Override
    public InetSocketAddress localAddress() {
        return port.localAddress();
    }

    @Override
    public long mac() {
        return port.mac();
    }

    @Override
    public void close() {
        port.close();
    }
}
