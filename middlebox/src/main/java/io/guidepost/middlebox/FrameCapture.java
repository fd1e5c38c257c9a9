package io.guidepost.middlebox;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.filter.PacketFilter;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.worker.DutyCycle;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the frames that match a filter, and passes them on to other queues, usually of a file. Without a filter and a
 * file it reads no byte of a frame. Several workers may do it side by side.
 *
 * <p>{@link #tap} is for the start; the rest is thread-safe.
 */
public final class FrameCapture {
    private final PacketFilter filter;
    private final long framesMax;

    /** Frames that may still be captured; taken in bursts, so that several queues together keep the bound. */
    private final AtomicLong left;

    private final List<Tap> taps = new CopyOnWriteArrayList<>();

    /**
     * Creates a capture that has not begun.
     *
     * @param framesMax bound on captured frames; {@link Long#MAX_VALUE} for none
     */
    public FrameCapture(PacketFilter filter, long framesMax) {
        this.filter = filter;
        this.framesMax = framesMax;
        this.left = new AtomicLong(framesMax);
    }

    /**
     * Taps one queue; a duty of its worker.
     *
     * @param file destination of matching frames, a queue of the same worker; empty to count only
     */
    public DutyCycle tap(RxQueue rx, Optional<TxQueue> file) {
        Tap tap = new Tap(rx, file);
        taps.add(tap);
        return tap;
    }

    /** Returns the counters of matching frames, by queue in the order of {@link #tap}. */
    public List<QueueStatistics> kept() {
        return taps.stream().map(each -> each.kept).toList();
    }

    /** Returns whether the bound is reached, or all queues are exhausted. */
    public boolean isDone() {
        return left.get() <= 0 || taps.stream().allMatch(each -> each.rx.isExhausted());
    }

    private final class Tap implements DutyCycle {
        private final RxQueue rx;
        private final Optional<TxQueue> file;
        private final Burst in;
        private final Optional<Burst> out;
        private final HeaderParser headers = new HeaderParser();
        private final int[] wanted;
        private final QueueStatistics kept = new QueueStatistics();

        Tap(RxQueue rx, Optional<TxQueue> file) {
            this.rx = rx;
            this.file = file;
            this.in = rx.burst();
            this.out = file.map(TxQueue::burst);
            this.wanted = new int[in.capacity()];
        }

        @Override
        public int work(long nowMillis) {
            if (left.getPlain() <= 0) {
                return 0;
            }
            int received = rx.receive(in);
            if (received == 0) {
                return 0;
            }
            int number = grant(choose(received));
            if (number > 0) {
                kept.burst(number, bytes(number));
                if (out.isPresent()) {
                    write(number, out.get(), file.orElseThrow());
                }
            }
            return received;
        }

        /** Returns the rows of matching frames in order. */
        private int choose(int received) {
            int number = 0;
            for (int i = 0; i < received; i++) {
                wanted[number] = i;
                number += isWanted(i) ? 1 : 0;
            }
            return number;
        }

        @SuppressWarnings("ReferenceEquality") // Identity with that object means no filter.
        private boolean isWanted(int index) {
            if (filter == PacketFilter.ALL) {
                return true;
            }
            headers.read(in, index);
            return filter.matches(headers);
        }

        private int grant(int number) {
            if (framesMax == Long.MAX_VALUE) {
                return number;
            }
            return Math.clamp(left.getAndAdd(-number), 0, number);
        }

        private long bytes(int number) {
            long bytes = 0;
            for (int i = 0; i < number; i++) {
                bytes += in.length(wanted[i]);
            }
            return bytes;
        }

        private void write(int number, Burst leaving, TxQueue to) {
            for (int i = 0; i < number; i++) {
                if (leaving.isFull()) {
                    to.send(leaving);
                }
                if (!leaving.take(in, wanted[i])) {
                    to.statistics().drop(Drop.NO_ROOM, 1);
                }
            }
            to.send(leaving);
        }
    }
}
