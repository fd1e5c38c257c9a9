package io.guidepost.packet.dpdk;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.PacketMemory;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.RxQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A receive queue of a device. */
final class DpdkRx extends DpdkQueue implements RxQueue {
    /** The fields behind the data offset of a plain mbuf: one owner, one segment. */
    private static final long PLAIN = 0x0000_0001_0001_0000L;

    private static final long PLAIN_MASK = 0x0000_ffff_ffff_0000L;

    private final long pool;
    private final boolean ownPool;
    private final DpdkLibrary library;

    /** Null if neither the device nor its driver reports or hides checksums. */
    private final @Nullable MbufChecksums checksums;

    /**
     * Creates a receive queue.
     *
     * @param checksums null if checksums are ignored
     * @param overflow returns the device's count of frames lost because the queue was full
     */
    DpdkRx(
            DpdkLibrary library,
            MbufPool pool,
            int number,
            int burstMax,
            String driver,
            @Nullable MbufChecksums checksums,
            LongSupplier overflow) {
        super(
                pool.view(),
                number,
                burstMax,
                driver,
                new QueueStatistics(overflow));
        this.checksums = checksums;
        this.library = library;
        this.pool = pool.address;
        this.ownPool = PollModeDrivers.allocatesFromPool(driver);
    }

    @Override
    void attach(long row) {
        attach(row + DpdkAbi23.FAST_RX_BURST, row + DpdkAbi23.FAST_RX_DATA);
    }

    @Override
    public int receive(Burst burst) {
        burst.clear();
        view.cache();
        if (!gate.enter()) {
            return 0;
        }
        int received = PollModeDrivers.burst(critical, function, queue, mbufs, burstMax);
        gate.leave();
        statistics.call();
        if (received == 0) {
            return 0;
        }
        long bytes = fill(burst, received);
        if (bytes >= 0) {
            burst.received(received);
            view.received(burst, mbufs);
            takeChecksums(burst);
        } else {
            bytes = fillOdd(burst, received);
            takeChecksums(burst);
        }
        statistics.burst(burst.count(), bytes);
        return burst.count();
    }

    /** Fills rows from mbufs; returns their bytes, or a negative number if one is not plain. */
    private long fill(Burst burst, int received) {
        long from = mbufs;
        long odd = ownPool ? 0 : foreign(received);
        long bytes = 0;
        for (int i = 0; i < received; i++) {
            long mbuf = Memory.i64Le(from, i << 3);
            long rearm = Memory.i64Le(mbuf, DpdkAbi23.MBUF_REARM);
            int length = Memory.u16Le(mbuf, DpdkAbi23.MBUF_DATA_LEN);
            odd |= odd(mbuf, rearm);
            burst.received(i, mbuf, mbuf + DpdkAbi23.MBUF_BYTES + (rearm & 0xffff), length);
            bytes += length;
        }
        return odd == 0 ? bytes : -1;
    }

    private void takeChecksums(Burst burst) {
        MbufChecksums all = checksums;
        if (all != null) {
            for (int i = 0; i < burst.count(); i++) {
                all.take(burst, i, burst.handle(i));
            }
        }
    }

    /** Returns nonzero if an mbuf has several owners or segments, or external data, as it never has with most drivers. */
    private static long odd(long mbuf, long rearm) {
        return (rearm ^ PLAIN) & PLAIN_MASK | Memory.i64Le(mbuf, DpdkAbi23.MBUF_OL_FLAGS) & DpdkAbi23.MBUF_NOT_DIRECT;
    }

    /** Returns nonzero if an mbuf belongs to another pool. Each load costs half a nanosecond a frame here. */
    private long foreign(int received) {
        long from = mbufs;
        long own = pool;
        long odd = 0;
        for (int i = 0; i < received; i++) {
            odd |= Memory.i64Le(Memory.i64Le(from, i << 3), DpdkAbi23.MBUF_POOL) ^ own;
        }
        return odd;
    }

    /** Fills rows one by one, and copies mbufs that are not plain. */
    private long fillOdd(Burst burst, int received) {
        long bytes = 0;
        for (int i = 0; i < received; i++) {
            long mbuf = Memory.i64Le(mbufs + ((long) i << 3));
            long rearm = Memory.i64Le(mbuf + DpdkAbi23.MBUF_REARM);
            if ((odd(mbuf, rearm) | Memory.i64Le(mbuf + DpdkAbi23.MBUF_POOL) ^ pool) == 0) {
                int length = Memory.u16Le(mbuf + DpdkAbi23.MBUF_DATA_LEN);
                burst.received(mbuf, mbuf + DpdkAbi23.MBUF_BYTES + (rearm & 0xffff), length);
                bytes += length;
            } else {
                bytes += copy(burst, mbuf);
            }
        }
        return bytes;
    }

    /** Copies a frame into an mbuf of this pool if it is segmented, shared, or from another pool. */
    private int copy(Burst burst, long mbuf) {
        int length = Memory.i32Le(mbuf + DpdkAbi23.MBUF_PKT_LEN);
        long fresh = length > memory.roomBytes() ? PacketMemory.NONE : memory.take();
        if (fresh == PacketMemory.NONE) {
            statistics.drop(length > memory.roomBytes() ? Drop.TRUNCATED : Drop.NO_MEMORY, 1);
            length = 0;
        } else {
            gather(mbuf, memory.address(fresh));
            burst.received(fresh, memory.address(fresh), length);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocateFrom(java.lang.foreign.ValueLayout.JAVA_LONG, mbuf);
            library.call("rte_pktmbuf_free_bulk", one.address(), 1);
        }
        return length;
    }

    private static void gather(long mbuf, long into) {
        long at = into;
        for (long piece = mbuf; piece != 0; piece = Memory.i64Le(piece + DpdkAbi23.MBUF_NEXT)) {
            int bytes = Memory.u16Le(piece + DpdkAbi23.MBUF_DATA_LEN);
            long data = Memory.i64Le(piece + DpdkAbi23.MBUF_BUF_ADDR) + Memory.u16Le(piece + DpdkAbi23.MBUF_DATA_OFF);
            Memory.copy(data, at, bytes);
            at += bytes;
        }
    }

    /** Frees what the device still holds, after {@link #shut}; its ring would keep that for ever. */
    void drain() {
        // Not through the view: its thread may go on to free frames with it, as after the loss of a device.
        try (Arena arena = Arena.ofConfined()) {
            // Not the queue's own room: a burst that is still in use returns its frames from there.
            long drained = arena.allocate((long) burstMax * Long.BYTES, 64).address();
            // A device that generates its frames never runs dry.
            for (int left = DpdkPort.DRAIN_MAX; left > 0; left -= burstMax) {
                int received = PollModeDrivers.burst(false, function, queue, drained, burstMax);
                if (received == 0) {
                    return;
                }
                library.call("rte_pktmbuf_free_bulk", drained, received);
            }
        }
    }

    @Override
    public Readiness readiness() {
        return new Readiness.Unknown();
    }
}
