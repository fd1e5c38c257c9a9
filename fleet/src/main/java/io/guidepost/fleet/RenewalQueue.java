package io.guidepost.fleet;

import io.guidepost.base.Memory;
import io.guidepost.store.StoreLimits;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Keys whose cached images will soon be too old, for one thread that asks the cluster for them. Packet workers offer keys without
 * allocation and without waiting: a key that finds the queue full or taken is not taken, and is offered again when it is looked up.
 */
final class RenewalQueue implements AutoCloseable {
    private final byte[][] keys = new byte[FleetLimits.RENEWALS_MAX][StoreLimits.KEY_BYTES_MAX];
    private final int[] lengths = new int[FleetLimits.RENEWALS_MAX];
    private final AtomicBoolean taken = new AtomicBoolean();
    private final Thread thread;
    private int first;
    private int count;

    /**
     * Creates it with its thread.
     *
     * @param renewal asks for one key; may wait until others are done
     */
    RenewalQueue(Consumer<byte[]> renewal) {
        thread = Thread.ofVirtual().name("fleet-renewal").start(() -> run(renewal));
    }

    /** Offers a key, at most {@link StoreLimits#KEY_BYTES_MAX} long; returns whether it was taken. By any thread. */
    boolean offer(byte namespace, MemorySegment segment, long offset, int length) {
        if (length >= StoreLimits.KEY_BYTES_MAX || !taken.compareAndSet(false, true)) {
            return false;
        }
        boolean wasEmpty = count == 0;
        boolean hasRoom = count < keys.length;
        if (hasRoom) {
            int slot = (first + count) % keys.length;
            keys[slot][0] = namespace;
            MemorySegment.copy(segment, Memory.BYTE, offset, keys[slot], 1, length);
            lengths[slot] = 1 + length;
            count++;
        }
        taken.set(false);
        if (wasEmpty) {
            LockSupport.unpark(thread);
        }
        return hasRoom;
    }

    private void run(Consumer<byte[]> renewal) {
        while (!Thread.currentThread().isInterrupted()) {
            byte[] key = poll();
            if (key.length == 0) {
                LockSupport.park(this);
            } else {
                renewal.accept(key);
            }
        }
    }

    private byte[] poll() {
        while (!taken.compareAndSet(false, true)) {
            Thread.onSpinWait();
        }
        byte[] key = count == 0 ? new byte[0] : Arrays.copyOf(keys[first], lengths[first]);
        if (count > 0) {
            first = (first + 1) % keys.length;
            count--;
        }
        taken.set(false);
        return key;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
