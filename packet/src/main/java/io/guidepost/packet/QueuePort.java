package io.guidepost.packet;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The common part of ports: queues in pairs, and no address above Ethernet unless the port has one.
 *
 * @param <R> the back end's receive queues
 * @param <T> its transmit queues
 */
public abstract class QueuePort<R extends RxQueue, T extends TxQueue> implements Port {
    /** One for each queue, filled by the back end's constructor. */
    protected final List<R> rx = new ArrayList<>();

    /** See {@link #rx}. */
    protected final List<T> tx = new ArrayList<>();

    private final PortLayer layer;
    private final String name;
    private final long mac;

    /** Creates a port without queues, which the back end adds, and without a name and an Ethernet address, which it says itself. */
    protected QueuePort(PortLayer layer) {
        this(layer, "", 0);
    }

    /** Creates a port with a name and an Ethernet address, 0 if it has none; without queues, which the back end adds. */
    protected QueuePort(PortLayer layer, String name, long mac) {
        this.layer = layer;
        this.name = name;
        this.mac = mac;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long mac() {
        return mac;
    }

    @Override
    public final PortLayer layer() {
        return layer;
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

    @Override
    public InetSocketAddress localAddress() {
        return new InetSocketAddress(0);
    }
}
