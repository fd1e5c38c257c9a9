package io.guidepost.packet.memory;

import io.guidepost.packet.Drop;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.LinkState;
import io.guidepost.packet.Port;
import io.guidepost.packet.PortLayer;
import io.guidepost.packet.QueuePort;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Two ports of frames joined inside the process: a frame sent at one end arrives at the other, on the queue of the same
 * number. Both share a pool. For tests, examples, and pipelines of middleboxes in one process.
 *
 * <p>Closing one end is like pulling the cable: {@link Port#link} of both ends is down, and both count what they send as {@link
 * Drop#CLOSED}. Frames that were sent before can still be received.
 */
public final class MemoryLink implements AutoCloseable {
    private static final int FRAMES = 8192;
    private static final int RING = 1024;

    private final FramePool pool;
    private final List<FrameRing> rings = new ArrayList<>();
    private final End left;
    private final End right;

    /** Creates a link between two ports, {@code NAME-a} and {@code NAME-b}, with the settings' queues, bursts and memory. */
    public MemoryLink(FrameSettings settings) {
        pool = settings.poolOr(FRAMES);
        left = new End("memory:" + settings.device() + "-a", 0x02_00_00_00_00_0aL);
        right = new End("memory:" + settings.device() + "-b", 0x02_00_00_00_00_0bL);
        for (int i = 0; i < settings.queues(); i++) {
            // A view for each end of each ring: the two queues of a number may be on two threads.
            FrameRing there = ring(settings, left.name(), right.name(), i);
            FrameRing back = ring(settings, right.name(), left.name(), i);
            rings.addAll(List.of(there, back));
            left.add(there, back);
            right.add(back, there);
        }
    }

    private FrameRing ring(FrameSettings settings, String from, String to, int queue) {
        return new FrameRing(
                RING, settings.burstMax(), pool.view(from + "/tx" + queue), pool.view(to + "/rx" + queue));
    }

    /** Returns one end. */
    public Port left() {
        return left;
    }

    /** Returns the other end. */
    public Port right() {
        return right;
    }

    /** Returns the packet memory of both. */
    public FramePool pool() {
        return pool;
    }

    @Override
    public void close() {
        rings.forEach(FrameRing::close);
    }

    private final class End extends QueuePort<RxQueue, TxQueue> {
        End(String name, long mac) {
            super(PortLayer.FRAME, name, mac);
        }

        void add(FrameRing leaving, FrameRing coming) {
            tx.add(leaving.tx());
            rx.add(coming.rx());
        }

        @Override
        public Optional<FramePool> framePool() {
            return Optional.of(pool);
        }

        @Override
        public int frameBytesMax() {
            return pool.frameBytes() - pool.headroomBytes();
        }

        @Override
        public LinkState link() {
            return rings.getFirst().isClosed() ? LinkState.DOWN : LinkState.ALWAYS;
        }

        @Override
        public void close() {
            rings.forEach(FrameRing::close);
        }
    }
}
