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
import org.jspecify.annotations.Nullable;

/** Receives frames by reading their descriptors from a ring, and refills the kernel's fill ring with free pieces. */
final class XdpRx extends XdpQueue implements RxQueue {
    /** Places of the fill ring that accumulate before a refill. */
    private static final int FILL_LEAST = 16;

    private final XskSocket socket;
    private final XdpTx tx;
    private final XskRing ring;
    private final XskRing fill;
    private final boolean busyPoll;
    private final boolean byDevice;

    /** Null in zero-copy mode, where frames come from a wire. */
    private final @Nullable PartialChecksums partial;

    private int wanting;

    /**
     * Creates a queue and fills its fill ring.
     *
     * @param pieces pieces that the kernel may own at most
     */
    XdpRx(XskSocket socket, XdpTx tx, FramePool pool, String holder, int burstMax, int pieces, XdpOptions options) {
        super(socket, pool, holder, burstMax, new QueueStatistics(() -> overflow(socket)));
        this.socket = socket;
        this.tx = tx;
        this.ring = socket.rx;
        this.fill = socket.fill;
        this.busyPoll = options.busyPollMicros() > 0;
        this.byDevice = options.byDevice();
        this.partial = socket.isZeroCopy() ? null : new PartialChecksums();
        this.wanting = pieces;
        refill();
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
    private static long overflow(XskSocket socket) {
        long[] counts = socket.statistics();
        return counts[0] + counts[3];
    }

    @Override
    public Readiness readiness() {
        return socket.readiness();
    }
}
