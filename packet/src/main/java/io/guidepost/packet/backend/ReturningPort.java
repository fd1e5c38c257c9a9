package io.guidepost.packet.backend;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameQueue;
import io.guidepost.packet.LinkState;
import io.guidepost.packet.Offload;
import io.guidepost.packet.Port;
import io.guidepost.packet.QueuePort;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A port on a device that may be removed and come back. Its queues, with their counters, stay the same: those of the port
 * that is opened anew take the place of the old ones, over the same packet memory. While the link is down, or the
 * device is gone, it drops what is sent as {@link Drop#UNREACHABLE}.
 *
 * <p>{@link #look} and {@link #resume} are for one supervising thread, {@link #resume} while no worker runs. Its Ethernet
 * address stays that of the first interface, which middleboxes have told their neighbours.
 */
final class ReturningPort extends QueuePort<ReturningPort.Rx, ReturningPort.Tx> {
    /** Opens the port, or opens it anew after one that was closed, which it may return. */
    @FunctionalInterface
    interface Opener {
        Port open(@Nullable Port before) throws IOException;
    }

    private final Opener opener;
    private volatile Port current;
    private volatile LinkState seen = LinkState.ALWAYS;

    ReturningPort(Opener opener) throws IOException {
        Port first = opener.open(null);
        super(first.layer(), first.name(), first.mac());
        this.opener = opener;
        this.current = first;
        for (int i = 0; i < first.queues(); i++) {
            rx.add(new Rx(first.rx(i)));
            tx.add(new Tx(first.tx(i)));
        }
        look();
    }

    /** Looks at the link, which decides about frames to send from now on; closes the port of a device that is gone. */
    LinkState look() {
        if (!seen.isGone()) {
            LinkState now = current.link();
            seen = now;
            if (now.isGone()) {
                current.close();
            }
        }
        return seen;
    }

    /** Opens the port of a device that has come back; {@link #resume} puts it in use. */
    Port reopened() throws IOException {
        Port next = opener.open(current);
        if (next.queues() != queues()) {
            next.close();
            throw new IOException(next.name() + " has " + next.queues() + " queues now, and " + queues() + " before");
        }
        return next;
    }

    /** Goes on with the queues of another port. */
    void resume(Port next) {
        for (int i = 0; i < queues() && !next.equals(current); i++) {
            rx.get(i).resume(next.rx(i));
            tx.get(i).resume(next.tx(i));
        }
        current = next;
        seen = next.link();
    }

    @Override
    public String name() {
        return current.name();
    }

    @Override
    public int frameBytesMax() {
        return current.frameBytesMax();
    }

    @Override
    public LinkState link() {
        return seen.isGone() ? seen : current.link();
    }

    @Override
    public Set<Offload> offloads() {
        return current.offloads();
    }

    @Override
    public Optional<FramePool> framePool() {
        return current.framePool();
    }

    @Override
    public Map<String, Long> deviceCounters() {
        return current.deviceCounters();
    }

    @Override
    public Optional<String> bypass() {
        return current.bypass();
    }

    @Override
    public Optional<String> failure() {
        return current.failure();
    }

    @Override
    public void close() {
        current.close();
    }

    private static void free(Object queue) {
        if (queue instanceof FrameQueue used) {
            used.release();
        }
    }

    /** A receive queue that stays. */
    final class Rx implements RxQueue {
        private volatile RxQueue now;

        Rx(RxQueue first) {
            now = first;
        }

        void resume(RxQueue next) {
            next.statistics().add(now.statistics());
            free(now);
            now = next;
        }

        @Override
        public Burst burst() {
            return now.burst();
        }

        @Override
        public int receive(Burst burst) {
            if (seen.isGone()) {
                burst.clear();
                return 0;
            }
            return now.receive(burst);
        }

        @Override
        public QueueStatistics statistics() {
            return now.statistics();
        }

        @Override
        public Readiness readiness() {
            return now.readiness();
        }
    }

    /** A transmit queue that stays. */
    final class Tx implements TxQueue {
        private volatile TxQueue now;

        Tx(TxQueue first) {
            now = first;
        }

        void resume(TxQueue next) {
            next.statistics().add(now.statistics());
            free(now);
            now = next;
        }

        @Override
        public Burst burst() {
            return now.burst();
        }

        @Override
        public int send(Burst burst) {
            if (!seen.up()) {
                statistics().drop(Drop.UNREACHABLE, burst.count());
                burst.clear();
                return 0;
            }
            return now.send(burst);
        }

        @Override
        public QueueStatistics statistics() {
            return now.statistics();
        }
    }
}
