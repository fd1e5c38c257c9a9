package io.guidepost.packet.ip;

import io.guidepost.packet.Offload;
import io.guidepost.packet.Port;
import io.guidepost.packet.PortLayer;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.net.InetSocketAddress;
import java.util.Set;

/** An end of a link that says that it completes checksums; the test at the other end sees what it would have to. */
record CompletingPort(Port end) implements Port {
    @Override
    public Set<Offload> offloads() {
        return Offload.checksums();
    }

    @Override
    public String name() {
        return end.name();
    }

    @Override
    public PortLayer layer() {
        return end.layer();
    }

    @Override
    public int queues() {
        return end.queues();
    }

    @Override
    public RxQueue rx(int queue) {
        return end.rx(queue);
    }

    @Override
    public TxQueue tx(int queue) {
        return end.tx(queue);
    }

    @Override
    public InetSocketAddress localAddress() {
        return end.localAddress();
    }

    @Override
    public long mac() {
        return end.mac();
    }

    @Override
    public int frameBytesMax() {
        return end.frameBytesMax();
    }

    @Override
    public void close() {
        end.close();
    }
}
