package io.guidepost.packet.udp;

import io.guidepost.packet.Port;
import io.guidepost.packet.PortLayer;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.util.ArrayList;
import java.util.List;

/**
 * The common part of UDP ports: datagrams, queues in pairs, and a name made of back end and address.
 *
 * @param <R> the back end's receive queues
 * @param <T> its transmit queues
 */
public abstract class UdpPort<R extends RxQueue, T extends TxQueue> implements Port {
    /** One for each queue, filled by the back end's constructor. */
    public final List<R> rx = new ArrayList<>();

    /** See {@link #rx}. */
    public final List<T> tx = new ArrayList<>();

    private final String backEnd;

    public UdpPort(String backEnd) {
        this.backEnd = backEnd;
    }

    @Override
    public final String name() {
        return backEnd + ":" + BindRefusal.text(localAddress());
    }

    @Override
    public final PortLayer layer() {
        return PortLayer.DATAGRAM;
    }

    @Override
    public final int queues() {
        return rx.size();
    }

    @Override
    public final RxQueue rx(int queue) {
        return rx.get(queue);
    }

    @Override
    public final TxQueue tx(int queue) {
        return tx.get(queue);
    }
}
