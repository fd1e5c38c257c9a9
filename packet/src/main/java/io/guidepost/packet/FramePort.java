package io.guidepost.packet;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * What the ports of frames of all back ends have alike: queues in pairs, and no address of their own above Ethernet.
 *
 * @param <R> the back end's receive queues
 * @param <T> its transmit queues
 */
public abstract class FramePort<R extends RxQueue, T extends TxQueue> implements Port {
    /** Filled by the constructor of the back end, one of each for a queue. */
    protected final List<R> rx = new ArrayList<>();

    /** See {@link #rx}. */
    protected final List<T> tx = new ArrayList<>();

    /** A port without queues, which the back end adds. */
    protected FramePort() {}

    @Override
    public final PortLayer layer() {
        return PortLayer.FRAME;
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
    public final InetSocketAddress localAddress() {
        return new InetSocketAddress(0);
    }
}
