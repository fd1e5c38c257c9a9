package io.guidepost.packet.xdp;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FramePool;
import io.guidepost.packet.PacketMemory;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.linux.SystemCall;

/**
 * Sends frames by putting their descriptors into a ring and calling the kernel if it asks for that. Sent pieces return
 * through the completion ring, which is reaped at the next burst, or when the receiving side lacks memory.
 *
 * <p>Frames count as sent if the kernel took them for the device. If it says that the interface is down, gone or without a
 * carrier, those of that burst count as {@link Drop#UNREACHABLE}, and so do later ones, which are not put into the ring; the
 * ring's leave late if the interface returns, as its entries cannot be withdrawn.
 */
final class XdpTx extends XdpQueue implements TxQueue {
    private static final int ETHERNET_BYTES = 14;

    /** Frames that one call of the kernel sends in copy mode (TX_BATCH_SIZE was 16, and is 32 since 5.11). */
    private static final int CALL_FRAMES = 16;

    private final XskRing ring;
    private final XskRing completion;
    private final int frameBytesMax;

    /** Bytes of metadata before each frame in its piece. */
    private final int metadataBytes;

    /** Whether the kernel, or the device, completes partial checksums. */
    private final boolean completes;

    /** What the last burst put into the ring. */
    private int putFrames;

    private long putBytes;

    /** Whether the kernel said at the last call that no frame can leave. */
    private boolean unreachable;

    /** Whether the kernel left frames in the ring; the receiving side reads it, perhaps on another thread. */
    private volatile boolean stalled;

    XdpTx(XskSocket socket, FramePool pool, String holder, int burstMax, int frameBytesMax, XdpOptions options) {
        super(socket, pool, holder, burstMax, new QueueStatistics());
        this.ring = socket.tx;
        this.completion = socket.completion;
        this.frameBytesMax = frameBytesMax;
        this.metadataBytes = socket.metadataBytes;
        this.completes = options.byDevice() && socket.completesChecksums();
    }

    @Override
    public int send(Burst burst) {
        int count = burst.count();
        if (count == 0) {
            return 0;
        }
        statistics.call();
        if (!gate.enter()) {
            statistics.drop(Drop.CLOSED, count);
            burst.clear();
            giveBack();
            return 0;
        }
        try {
            reap(memory);
            if (unreachable && push()) {
                statistics.drop(Drop.UNREACHABLE, count);
                burst.clear();
                return 0;
            }
            int place = ring.room(count);
            putFrames = 0;
            if (place > 0) {
                put(burst, place);
            }
            count(push());
        } finally {
            gate.leave();
        }
        return burst.count();
    }

    private void count(boolean lost) {
        if (putFrames == 0) {
            return;
        }
        if (lost) {
            statistics.drop(Drop.UNREACHABLE, putFrames);
        } else {
            statistics.burst(putFrames, putBytes);
        }
    }

    private void put(Burst burst, int place) {
        long bytes = 0;
        int number = 0;
        for (int i = 0; i < place; i++) {
            int length = burst.length(i);
            long handle = burst.handle(i);
            if (length < ETHERNET_BYTES || length > frameBytesMax || handle == PacketMemory.NONE) {
                refuse(handle, length);
            } else {
                long entry = ring.entry(number++);
                Memory.put64Le(entry + LENGTH, length | option(burst, i));
                Memory.put64Le(entry, burst.offset(i) - base);
                ledger.turn(handle - base);
                bytes += length;
            }
        }
        if (number > 0) {
            ring.publish(number);
        }
        putFrames = number;
        putBytes = bytes;
        burst.sent(place);
    }

    /** Prepares checksum and metadata of a frame; returns the option of its ring entry. */
    private long option(Burst burst, int index) {
        if ((burst.offset(index) - base & ~pieceMask) < metadataBytes) {
            makeRoom(burst, index);
        }
        int state = burst.checksum(index);
        if (!TransportChecksum.isPartial(state)) {
            return 0;
        }
        if (!completes) {
            InternetChecksum.complete(burst, index);
            return 0;
        }
        XskTxMetadata.write(burst.offset(index), state);
        return XskTxMetadata.OPTION;
    }

    /** Moves a frame whose headers reach to the front of its piece; it is shorter than that by the headroom. */
    private void makeRoom(Burst burst, int index) {
        long from = burst.offset(index);
        int length = burst.length(index);
        int state = burst.checksum(index);
        long to = (from - base & pieceMask) + base + metadataBytes;
        Memory.copy(from, to, length);
        burst.reshape(index, to, length);
        burst.checksum(index, state);
    }

    private void refuse(long handle, int length) {
        if (handle != PacketMemory.NONE) {
            statistics.drop(length > frameBytesMax ? Drop.TOO_LARGE : Drop.OTHER, 1);
            memory.free(handle);
        }
    }

    /** Makes the kernel send the ring's frames, a few in a call; returns whether it says that they cannot leave. */
    private boolean push() {
        if (!ring.wantsCall()) {
            stalled = false;
            unreachable = false;
            return false;
        }
        long result = -SystemCall.EAGAIN;
        for (int calls = ring.unread() / CALL_FRAMES + 1; calls > 0 && result == -SystemCall.EAGAIN; calls--) {
            result = call();
        }
        boolean lost = result < 0 && isLoss((int) -result);
        if (result == -SystemCall.EBUSY) {
            // The kernel drops one frame in each call.
            for (int calls = ring.unread(); calls > 0 && result == -SystemCall.EBUSY; calls--) {
                result = call();
            }
        }
        boolean left = result < 0;
        if (left != stalled) {
            stalled = left;
        }
        unreachable = lost;
        return lost;
    }

    private long call() {
        return SystemCall.call(errno, SystemCall.SENDTO, descriptor, 0, 0, MSG_DONTWAIT, 0, 0);
    }

    /** Returns whether an error is of an interface that is down, gone, or without a carrier. */
    private static boolean isLoss(int error) {
        return error == SystemCall.EBUSY || Drop.ofSendError(error) == Drop.UNREACHABLE;
    }

    /** Frees the pieces of sent frames into a view of the calling thread, which holds the guard. */
    private void reap(PacketMemory into) {
        int number = completion.available(Integer.MAX_VALUE);
        for (int i = 0; i < number; i++) {
            long distance = Memory.i64Le(completion.entry(i)) & pieceMask;
            ledger.turn(distance);
            into.free(base + distance);
        }
        if (number > 0) {
            completion.release(number);
        }
    }

    /** Reaps for the receiving side, if it lacks memory and no thread is sending. */
    void reapFor(PacketMemory into) {
        if (gate.visit()) {
            try {
                reap(into);
            } finally {
                gate.leave();
            }
        }
    }

    /** Calls the kernel again for the receiving side, if frames were left in the ring and no thread is sending. */
    void pushStalled() {
        if (stalled && gate.visit()) {
            try {
                push();
            } finally {
                gate.leave();
            }
        }
    }
}
