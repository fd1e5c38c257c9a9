package io.guidepost.packet.memory;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FrameQueue;
import io.guidepost.packet.PacketMemory;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A bounded single-producer single-consumer ring of frames between two workers, in order, without a copy if both share
 * a pool. Rings connect pipelines; two of them make a link inside the process.
 *
 * <p>Each side writes its own index with release and reads the other's with acquire, only when its cached copy does not
 * suffice.
 */
public final class FrameRing {
    private static final VarHandle INDEX = MethodHandles.arrayElementVarHandle(long[].class);

    /** Longs in a slot: address, length with the checksum state, handle, mark. */
    private static final int SLOT_SHIFT = 2;

    /** Longs between the two indexes: 128 bytes, as processors fetch lines in pairs. */
    private static final int HEAD = 16;

    private static final int TAIL = 32;

    private final long[] slots;
    private final int mask;
    private final long[] indexes = new long[48];
    private final Tx tx;
    private final Rx rx;
    private volatile Runnable notice = () -> {};
    private volatile boolean closed;

    /**
     * Creates an empty ring.
     *
     * @param capacity frames at most, a power of two, 2 to 1,048,576
     * @param burstMax frames in a burst of its queues
     * @param senders view of packet memory of the sending thread
     * @param receivers view of the same pool of the receiving thread
     */
    public FrameRing(int capacity, int burstMax, PacketMemory senders, PacketMemory receivers) {
        if (Integer.bitCount(capacity) != 1 || capacity < 2 || capacity > 1 << 20) {
            throw new IllegalArgumentException(
                    "the capacity is " + capacity + "; it must be a power of two, 2 to " + (1 << 20));
        }
        if (!senders.hasPoolOf(receivers)) {
            throw new IllegalArgumentException("both ends of a ring must have the same pool of packet memory");
        }
        this.slots = new long[capacity << SLOT_SHIFT];
        this.mask = capacity - 1;
        this.tx = new Tx(senders, burstMax);
        this.rx = new Rx(receivers, burstMax);
    }

    /** Returns the sending end. */
    public TxQueue tx() {
        return tx;
    }

    /** Returns the receiving end. */
    public RxQueue rx() {
        return rx;
    }

    /** Returns the current number of frames, approximate while both ends are in use. */
    public int size() {
        return (int) ((long) INDEX.getAcquire(indexes, TAIL) - (long) INDEX.getAcquire(indexes, HEAD));
    }

    /** Refuses further frames; those inside can still be received. */
    public void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    private final class Tx extends FrameQueue implements TxQueue {
        private long tail;
        private long headSeen;

        Tx(PacketMemory memory, int burstMax) {
            super(memory, burstMax, new QueueStatistics());
        }

        @Override
        public int send(Burst burst) {
            int count = burst.count();
            if (count == 0) {
                return 0;
            }
            statistics.call();
            if (closed) {
                statistics.drop(Drop.CLOSED, count);
                burst.clear();
                return 0;
            }
            int place = (int) (mask + 1 - (tail - headSeen));
            if (place < count) {
                headSeen = (long) INDEX.getAcquire(indexes, HEAD);
                place = (int) (mask + 1 - (tail - headSeen));
            }
            int moved = Math.min(place, count);
            if (moved > 0) {
                statistics.burst(moved, move(burst, moved));
                INDEX.setRelease(indexes, TAIL, tail);
                burst.sent(moved);
                notice.run();
            }
            return burst.count();
        }

        private long move(Burst burst, int number) {
            long bytes = 0;
            for (int i = 0; i < number; i++) {
                int slot = (int) tail++ & mask;
                slots[(slot << SLOT_SHIFT)] = burst.offset(i);
                slots[(slot << SLOT_SHIFT) + 1] = burst.lengthAndChecksum(i);
                slots[(slot << SLOT_SHIFT) + 2] = burst.handle(i);
                slots[(slot << SLOT_SHIFT) + 3] = burst.mark(i);
                bytes += burst.length(i);
            }
            return bytes;
        }
    }

    private final class Rx extends FrameQueue implements RxQueue {
        private long head;
        private long tailSeen;

        Rx(PacketMemory memory, int burstMax) {
            super(memory, burstMax, new QueueStatistics());
        }

        @Override
        public int receive(Burst burst) {
            burst.clear();
            if (tailSeen == head) {
                tailSeen = (long) INDEX.getAcquire(indexes, TAIL);
            }
            int number = (int) Math.min(tailSeen - head, burst.capacity());
            statistics.call();
            if (number > 0) {
                statistics.burst(number, move(burst, number));
                INDEX.setRelease(indexes, HEAD, head);
            }
            return number;
        }

        private long move(Burst burst, int number) {
            long bytes = 0;
            for (int i = 0; i < number; i++) {
                int slot = (int) head++ & mask;
                long length = slots[(slot << SLOT_SHIFT) + 1];
                long handle = slots[(slot << SLOT_SHIFT) + 2];
                burst.handedOn(handle, slots[slot << SLOT_SHIFT], length, slots[(slot << SLOT_SHIFT) + 3]);
                bytes += (int) length;
            }
            return bytes;
        }

        @Override
        public Readiness readiness() {
            return new Readiness.Notice(call -> notice = call);
        }
    }
}
