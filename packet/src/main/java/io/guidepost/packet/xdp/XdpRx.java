package io.guidepost.packet.xdp;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.PacketMemory;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.PartialChecksums;
import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receives frames by reading their descriptors from a ring, and refills the kernel's fill ring with free pieces. */
final class XdpRx implements RxQueue {
    private static final int MSG_DONTWAIT = 0x40;
    private static final int LENGTH = 8;

    /** Places of the fill ring that accumulate before a refill. */
    private static final int FILL_LEAST = 16;

    private final XskSocket socket;
    private final XdpTx tx;
    private final XskRing ring;
    private final XskRing fill;
    private final PacketMemory memory;
    private final FramePool pool;
    private final long base;
    private final long pieceMask;
    private final int burstMax;
    private final int descriptor;
    private final boolean busyPoll;
    private final boolean byDevice;

    /** Null in zero-copy mode, where frames come from a wire. */
    private final @Nullable PartialChecksums partial;

    private final CloseGuard gate = new CloseGuard();
    private final FrameOwnership ledger;
    private final QueueStatistics statistics;
    private final MemorySegment errno = SystemCall.errno(Arena.ofAuto());
    private final List<Burst> bursts = new ArrayList<>();
    private int wanting;

    /**
     * Creates a queue and fills its fill ring.
     *
     * @param pieces pieces that the kernel may own at most
     */
    XdpRx(XskSocket socket, XdpTx tx, FramePool pool, String holder, int burstMax, int pieces, XdpOptions options) {
        this.socket = socket;
        this.tx = tx;
        this.ring = socket.rx();
        this.fill = socket.fill();
        this.pool = pool;
        this.memory = pool.view(holder);
        this.base = pool.segment().address();
        this.pieceMask = -(long) pool.frameBytes();
        this.burstMax = burstMax;
        this.descriptor = socket.number();
        this.busyPoll = options.busyPollMicros() > 0;
        this.byDevice = options.byDevice();
        this.partial = socket.isZeroCopy() ? null : new PartialChecksums();
        this.ledger = new FrameOwnership(pool.frames(), pool.frameBytes());
        this.statistics = new QueueStatistics(this::overflow);
        this.wanting = pieces;
        refill();
    }

    @Override
    public Burst burst() {
        Burst burst = Burst.ofFrames(memory, burstMax, 0);
        bursts.add(burst);
        return burst;
    }

    @Override
    public int receive(Burst burst) {
        burst.clear();
        statistics.call();
        if (!gate.enter()) {
            giveBack();
            tx.giveBack();
            return 0;
        }
        try {
            int number = ring.available(burst.capacity());
            if (number > 0) {
                take(burst, number);
            } else {
                idle();
            }
            if (wanting >= FILL_LEAST) {
                refill();
            }
            return number;
        } finally {
            gate.leave();
        }
    }

    private void take(Burst burst, int number) {
        long bytes = 0;
        for (int i = 0; i < number; i++) {
            long entry = ring.entry(i);
            long distance = Memory.i64Le(entry);
            long piece = distance & pieceMask;
            int length = Memory.i32Le(entry + LENGTH);
            ledger.turn(piece);
            burst.received(base + piece, base + distance, length);
            bytes += length;
        }
        ring.release(number);
        wanting += number;
        statistics.burst(number, bytes);
        PartialChecksums finder = partial;
        if (finder != null) {
            finder.find(burst);
            if (!byDevice) {
                InternetChecksum.completeAll(burst);
            }
        }
    }

    /** Refills the fill ring in place of received frames. */
    private void refill() {
        int room = fill.room(wanting);
        int number = 0;
        while (number < room) {
            long piece = memory.take();
            if (piece == PacketMemory.NONE) {
                tx.reapFor(memory);
                break;
            }
            Memory.put64Le(fill.entry(number++), piece - base);
            ledger.turn(piece - base);
        }
        if (number > 0) {
            fill.publish(number);
            wanting -= number;
            if (fill.wantsCall()) {
                call();
            }
        }
    }

    private void idle() {
        tx.pushStalled();
        if (busyPoll) {
            call();
        }
    }

    /** Makes the kernel poll for frames. */
    private void call() {
        SystemCall.call(errno, SystemCall.RECVFROM, descriptor, 0, 0, MSG_DONTWAIT, 0, 0);
    }

    /** Returns the frames lost for want of a free piece or ring entry. */
    private long overflow() {
        long[] counts = socket.statistics();
        return counts[0] + counts[3];
    }

    /** Locks all threads out. */
    void shut() {
        gate.close();
    }

    /** Frees all pieces, after the guard was shut and the socket closed. */
    void release() {
        PacketMemory view = pool.view("close");
        ledger.drain(distance -> view.free(base + distance));
        view.release();
        giveBack();
    }

    /** Empties bursts and view after shutting, unless they belong to another thread, which then does it on its next call. */
    void giveBack() {
        if (gate.isUserGone()) {
            bursts.forEach(Burst::release);
            memory.release();
        }
    }

    @Override
    public QueueStatistics statistics() {
        return statistics;
    }

    @Override
    public Readiness readiness() {
        return socket.readiness();
    }
}
