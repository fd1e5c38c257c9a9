package io.guidepost.packet.xdp;

import io.guidepost.base.Memory;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * One of the four rings that a queue shares with the kernel (linux/if_xdp.h): single producer, single consumer. Indexes
 * are free-running and wrap as unsigned 32 bits; an entry is at its index modulo the size, a power of two.
 *
 * <p>An instance is one side. It caches the other side's index, and reads the shared cache line only when the cached
 * value does not suffice.
 */
final class XskRing {
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final int NEED_WAKEUP = 1;

    final long mapping;
    final long mappingBytes;
    private final long producer;
    private final long consumer;
    private final long flags;
    private final long entries;
    private final int size;
    private final int mask;
    private final int entryShift;
    private int own;
    private int other;

    /**
     * Takes a mapped ring.
     *
     * @param mapping its address and bytes
     * @param offsets address of the kernel's offsets: producer, consumer, entries, flags, 8 bytes each
     */
    XskRing(long mapping, long mappingBytes, long offsets, int size, int entryShift) {
        this.mapping = mapping;
        this.mappingBytes = mappingBytes;
        this.producer = mapping + Memory.i64Le(offsets);
        this.consumer = mapping + Memory.i64Le(offsets + 8);
        this.entries = mapping + Memory.i64Le(offsets + 16);
        this.flags = mapping + Memory.i64Le(offsets + 24);
        this.size = size;
        this.mask = size - 1;
        this.entryShift = entryShift;
    }

    /** Returns the address of an entry relative to this side's next one. */
    long entry(int number) {
        return entries + ((long) (own + number & mask) << entryShift);
    }

    /**
     * Returns the room for new entries, for the producer; reads the consumer's index only if the cached room is too
     * small.
     */
    int room(int wanted) {
        int room = size - (own - other);
        if (room < wanted) {
            other = (int) INT.getAcquire(Memory.ALL, consumer);
            room = size - (own - other);
        }
        return Math.min(room, wanted);
    }

    /** Publishes written entries, for the producer. */
    void publish(int number) {
        own += number;
        INT.setRelease(Memory.ALL, producer, own);
    }

    /** Returns the entries that the consumer has not read, for the producer. */
    int unread() {
        other = (int) INT.getAcquire(Memory.ALL, consumer);
        return own - other;
    }

    /**
     * Returns the entries to read, at most those wanted, for the consumer; reads the producer's index only if none are
     * known.
     */
    int available(int wanted) {
        int there = other - own;
        if (there == 0) {
            other = (int) INT.getAcquire(Memory.ALL, producer);
            there = other - own;
        }
        return Math.min(there, wanted);
    }

    /** Releases read entries, for the consumer. */
    void release(int number) {
        own += number;
        INT.setRelease(Memory.ALL, consumer, own);
    }

    /** Returns whether the kernel sleeps on this ring and needs a wake-up call, for the producer. */
    boolean wantsCall() {
        if (isFlagged()) {
            return true;
        }
        // The kernel sets the flag and then reads the ring; this side has written the ring and must read the flag only
        // after that.
        VarHandle.fullFence();
        return isFlagged();
    }

    private boolean isFlagged() {
        return ((int) INT.getOpaque(Memory.ALL, flags) & NEED_WAKEUP) != 0;
    }
}
