package io.guidepost.packet.dpdk;

import io.guidepost.base.Memory;
import io.guidepost.packet.FrameQueue;
import io.guidepost.packet.QueueStatistics;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What both directions of a started device's queue have: the driver's function, its room for mbufs, a guard for closing. */
abstract class DpdkQueue extends FrameQueue {
    final MbufPool.View view;
    private final int number;
    MemorySegment function = MemorySegment.NULL;
    long queue;
    final boolean critical;
    final long mbufs;
    final DeviceCloseGuard gate = new DeviceCloseGuard();

    /** Creates a queue that {@link #attach} gives a device. */
    DpdkQueue(MbufPool.View view, int number, int burstMax, String driver, QueueStatistics statistics) {
        super(view, burstMax, statistics);
        this.view = view;
        this.number = number;
        this.critical = PollModeDrivers.neverWaits(driver);
        this.mbufs = Arena.global().allocate((long) burstMax * Long.BYTES, 64).address();
    }

    /** Takes the function and the queue of a device that was started; {@link #shut} gives them up. */
    abstract void attach(long row);

    /**
     * Does so.
     *
     * @param burst address of the driver's function in the device's row of rte_eth_fp_ops
     * @param data address of the driver's queues in that row
     */
    final void attach(long burst, long data) {
        function = MemorySegment.ofAddress(Memory.i64Le(burst));
        queue = Memory.i64Le(Memory.i64Le(data) + (long) number * Long.BYTES);
        gate.open();
    }

    /** Locks the queue's thread out. */
    final void shut() {
        gate.shut();
    }
}
