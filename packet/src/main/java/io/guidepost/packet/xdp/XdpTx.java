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
            int place = ring.room(count);
            if (place > 0) {
                put(burst, place);
            }
            push();
        } finally {
            gate.leave();
        }
        return burst.count();
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
            statistics.burst(number, bytes);
        }
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

    /** Makes the kernel send the ring's frames, a few in a call. */
    private void push() {
        if (!ring.wantsCall()) {
            stalled = false;
            return;
        }
        long result = -SystemCall.EAGAIN;
        for (int calls = ring.unread() / CALL_FRAMES + 1; calls > 0 && result == -SystemCall.EAGAIN; calls--) {
            result = SystemCall.call(errno, SystemCall.SENDTO, descriptor, 0, 0, MSG_DONTWAIT, 0, 0);
        }
        boolean left = result < 0;
        if (left != stalled) {
            stalled = left;
        }
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
