package io.guidepost.packet.ip;

import io.guidepost.packet.LinkState;
import io.guidepost.packet.Offload;
import io.guidepost.packet.PortLayer;
import io.guidepost.packet.QueuePort;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.net.InetSocketAddress;
import java.util.Set;

/** A UDP port of a host beside its first one: the same addresses and frames, queues and counts of its own. */
final class HostUdpPort extends QueuePort<RxQueue, TxQueue> {
    private final HostPort host;
    private final InetSocketAddress address;

    HostUdpPort(HostPort host, int udpPort) {
        super(PortLayer.DATAGRAM, host.name() + ':' + udpPort, host.mac());
        this.host = host;
        this.address = new InetSocketAddress(host.localAddress().getAddress(), udpPort);
    }

    void add(RxQueue receiver, TxQueue sender) {
        rx.add(receiver);
        tx.add(sender);
    }

    @Override
    public InetSocketAddress localAddress() {
        return address;
    }

    @Override
    public int frameBytesMax() {
        return host.frameBytesMax();
    }

    @Override
    public LinkState link() {
        return host.link();
    }

    @Override
    public Set<Offload> offloads() {
        return host.offloads();
    }

    /** Nothing: it ends with its host. */
    @Override
    public void close() {}
}
