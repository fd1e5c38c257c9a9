package io.guidepost.packet.xdp;

import io.guidepost.base.Memory;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * One of the four rings that a queue shares with the kernel (linux/if_xdp.h). One side writes entries and the index
 * behind the last, the other reads them and writes the index of the next that it will read. Indexes count on for ever
 * and wrap as unsigned 32 bits; an entry is at its index modulo the size, which is a power of two.
 *
 * <p>An instance is one side. What it last saw of the other side's index is remembered, so that the line of memory that
 * the other side writes is fetched only when that does not suffice.
 */
final class XskRing {
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final int NEED_WAKEUP = 1;

    private final long mapping;
    private final long mappingBytes;
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
     * A ring that is mapped.
     *
     * @param mapping where, and of how many bytes
     * @param offsets address of what the kernel says is where: producer, consumer, entries, flags, 8 bytes each
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

    /** Returns where the mapping is. */
    long mapping() {
        return mapping;
    }

    /** Returns its bytes. */
    long mappingBytes() {
        return mappingBytes;
    }

    /** Returns the address of the entry so many behind the next one of this side. */
    long entry(int number) {
        return entries + ((long) (own + number & mask) << entryShift);
    }

    /** As producer: places for new entries, looking at the consumer only if those known of are fewer than wanted. */
    int room(int wanted) {
        int room = size - (own - other);
        if (room < wanted) {
            other = (int) INT.getAcquire(Memory.ALL, consumer);
            room = size - (own - other);
        }
        return Math.min(room, wanted);
    }

    /** As producer: hands over the entries that were written. */
    void publish(int number) {
        own += number;
        INT.setRelease(Memory.ALL, producer, own);
    }

    /** As producer: entries that the consumer has not read. */
    int unread() {
        other = (int) INT.getAcquire(Memory.ALL, consumer);
        return own - other;
    }

    /** As consumer: entries to read, at most as many as wanted; looks at the producer only if none are known of. */
    int available(int wanted) {
        int there = other - own;
        if (there == 0) {
            other = (int) INT.getAcquire(Memory.ALL, producer);
            there = other - own;
        }
        return Math.min(there, wanted);
    }

    /** As consumer: gives back the places of entries that were read. */
    void release(int number) {
        own += number;
        INT.setRelease(Memory.ALL, consumer, own);
    }

    /** As producer: whether the kernel sleeps on this ring and wants a call to go on. */
    boolean wantsCall() {
        if (isFlagged()) {
            return true;
        }
        // The kernel sets the flag and then looks at the ring; we have written the ring and must look only after that.
        VarHandle.fullFence();
        return isFlagged();
    }

    private boolean isFlagged() {
        return ((int) INT.getOpaque(Memory.ALL, flags) & NEED_WAKEUP) != 0;
    }
}
