package io.guidepost.packet.xdp;

import io.guidepost.packet.Burst;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.FrameQueue;
import io.guidepost.packet.PacketMemory;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** What both directions of a socket have: pieces of a pool, those that the kernel owns, and a guard for closing. */
abstract class XdpQueue extends FrameQueue {
    static final int MSG_DONTWAIT = 0x40;

    /** Offset of the length in a descriptor. */
    static final int LENGTH = 8;

    final FramePool pool;
    final long base;
    final long pieceMask;
    final int descriptor;
    final CloseGuard gate = new CloseGuard();
    final FrameOwnership ledger;
    final MemorySegment errno = SystemCall.errno(Arena.ofAuto());
    private final List<Burst> bursts = new ArrayList<>();

    XdpQueue(XskSocket socket, FramePool pool, String holder, int burstMax, QueueStatistics statistics) {
        super(pool.view(holder), burstMax, statistics);
        this.pool = pool;
        this.base = pool.segment().address();
        this.pieceMask = -(long) pool.frameBytes();
        this.descriptor = socket.number();
        this.ledger = new FrameOwnership(pool.frames(), pool.frameBytes());
    }

    @Override
    public final Burst burst() {
        Burst burst = super.burst();
        bursts.add(burst);
        return burst;
    }

    /** Locks all threads out. */
    void shut() {
        gate.close();
    }

    /** Frees all pieces, after the guard was shut and the socket closed. */
    void drain() {
        PacketMemory view = pool.view("close");
        ledger.drain(distance -> view.free(base + distance));
        view.release();
        giveBack();
    }

    @Override
    public final void release() {
        giveBack();
    }

    /** Empties bursts and view after shutting, unless they belong to another thread, which then does it on its next call. */
    void giveBack() {
        if (gate.isUserGone()) {
            bursts.forEach(Burst::release);
            memory.release();
        }
    }
}
