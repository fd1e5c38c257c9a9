package io.guidepost.packet.dpdk;

import io.guidepost.base.Memory;
import io.guidepost.packet.FrameQueue;
import io.guidepost.packet.QueueStatistics;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What both directions of a started device's queue have: the driver's function, its room for mbufs, a guard for closing. */
abstract class DpdkQueue extends FrameQueue {
    final MbufPool.View view;
    final MemorySegment function;
    final long queue;
    final boolean critical;
    final long mbufs;
    final DeviceCloseGuard gate = new DeviceCloseGuard();

    /**
     * Creates a queue.
     *
     * @param function address of the driver's function in the device's row of rte_eth_fp_ops
     * @param data address of the driver's queues in that row
     */
    DpdkQueue(MbufPool.View view, long function, long data, int number, int burstMax, String driver, QueueStatistics statistics) {
        super(view, burstMax, statistics);
        this.view = view;
        this.function = MemorySegment.ofAddress(Memory.i64Le(function));
        this.queue = Memory.i64Le(Memory.i64Le(data) + (long) number * Long.BYTES);
        this.critical = PollModeDrivers.neverWaits(driver);
        this.mbufs = Arena.global().allocate((long) burstMax * Long.BYTES, 64).address();
    }

    /** Locks the queue's thread out. */
    final void shut() {
        gate.shut();
    }
}
