package io.guidepost.packet.device;

import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.LinkState;
import io.guidepost.packet.Offload;
import io.guidepost.packet.PortLayer;
import io.guidepost.packet.QueuePort;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The common part of ports whose queues are descriptors of one interface of the kernel.
 *
 * @param <R> the back end's receive queues
 * @param <T> its transmit queues
 */
public abstract class DevicePort<R extends RxQueue, T extends TxQueue> extends QueuePort<R, T> {
    /** Frames of packet memory for each queue, and at least: each holds some 500 in bursts, messages and views. */
    private static final int FRAMES_EACH = 1024;

    private static final int FRAMES_MIN = 8192;

    /** The interface. */
    protected final NetDevice device;

    /** Packet memory of the queues. */
    protected final FramePool pool;

    private final boolean ownPool;
    private final boolean partial;
    private final List<SharedDescriptor> descriptors;

    /**
     * Creates a port without queues.
     *
     * @param descriptors closed with the port; the back end may add more
     * @param partial whether the device completes checksums
     */
    protected DevicePort(
            String name, NetDevice device, long mac, FrameSettings settings, boolean partial, List<SharedDescriptor> descriptors) {
        super(PortLayer.FRAME, name, mac);
        this.device = device;
        this.partial = partial;
        this.descriptors = descriptors;
        this.ownPool = settings.pool() == null;
        this.pool = settings.poolOr(Math.max(FRAMES_MIN, settings.queues() * FRAMES_EACH));
    }

    @Override
    public final int frameBytesMax() {
        return Math.min(device.mtu() + NetDevice.ETHERNET_BYTES, pool.frameBytes() - pool.headroomBytes());
    }

    @Override
    public final LinkState link() {
        return device.link();
    }

    @Override
    public final Set<Offload> offloads() {
        Set<Offload> offloads = partial ? Offload.checksums() : EnumSet.noneOf(Offload.class);
        if (rx.size() > 1) {
            offloads.add(Offload.RECEIVE_SIDE_SCALING);
        }
        return offloads;
    }

    @Override
    public final Optional<FramePool> framePool() {
        return Optional.of(pool);
    }

    @Override
    public final Map<String, Long> deviceCounters() {
        return device.counters();
    }

    @Override
    public final void close() {
        descriptors.forEach(SharedDescriptor::close);
        if (ownPool) {
            pool.close();
        }
    }
}
