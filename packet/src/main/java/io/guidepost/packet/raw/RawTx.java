package io.guidepost.packet.raw;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FrameQueue;
import io.guidepost.packet.PacketMemory;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.device.VirtioNetHeader;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.linux.MappedMemory;
import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Sends a burst with one sendmmsg straight out of packet memory; the kernel has copied a frame when the call returns.
 *
 * <p>A burst with partial checksums uses a second socket with a {@link VirtioNetHeader} before each frame; the kernel
 * passes them to the device, or completes them. Other bursts avoid that cost. The header is written into the frame's
 * headroom, as one iovec is cheaper for the kernel than two; without headroom it is elsewhere.
 */
final class RawTx extends FrameQueue implements TxQueue {
    private static final int MSG_DONTWAIT_NOSIGNAL = 0x4040;

    private final SharedDescriptor socket;

    /** The socket with a header before each frame; null if checksums are completed here. */
    private final @Nullable SharedDescriptor told;

    private final MemorySegment errno = SystemCall.errno(Arena.global());
    private final RawMsgHdr table;

    /** Headers of messages whose frames have no headroom. */
    private final long headers;

    /**
     * Creates a transmit queue.
     *
     * @param told the socket for partial checksums; null if they are completed here
     */
    RawTx(SharedDescriptor socket, @Nullable SharedDescriptor told, PacketMemory memory, int burstMax) {
        super(memory, burstMax, new QueueStatistics());
        this.socket = socket;
        this.told = told;
        table = new RawMsgHdr(burstMax, told == null ? 1 : 2);
        headers = told == null ? 0 : new MappedMemory((long) burstMax * VirtioNetHeader.STRIDE).segment().address();
    }

    private long header(int message) {
        return headers + (long) message * VirtioNetHeader.STRIDE;
    }

    @Override
    public int send(Burst burst) {
        int count = burst.count();
        SharedDescriptor by = isPartial(burst, count) ? tell(burst, count) : build(burst, count);
        int done = sendBuilt(by, burst, count);
        for (int i = 0; i < done; i++) {
            memory.free(burst.handle(i));
        }
        burst.sent(done);
        return burst.count();
    }

    private static boolean isPartial(Burst burst, int count) {
        int states = 0;
        for (int i = 0; i < count; i++) {
            states |= burst.checksum(i);
        }
        return TransportChecksum.isPartial(states);
    }

    /** Builds the messages; returns the socket to send by. */
    private SharedDescriptor build(Burst burst, int count) {
        for (int i = 0; i < count; i++) {
            table.bytes(i, burst.offset(i), burst.length(i));
        }
        return socket;
    }

    /** Builds the messages of a burst with partial checksums. */
    private SharedDescriptor tell(Burst burst, int count) {
        SharedDescriptor by = told;
        if (by == null) {
            InternetChecksum.completeAll(burst);
            return build(burst, count);
        }
        for (int i = 0; i < count; i++) {
            buildWithHeader(burst, i);
        }
        return by;
    }

    private void buildWithHeader(Burst burst, int index) {
        long frame = burst.offset(index);
        int length = burst.length(index);
        int checksum = burst.checksum(index);
        long front = memory.address(burst.handle(index)) - memory.headroomBytes();
        if (frame - front >= VirtioNetHeader.BYTES) {
            VirtioNetHeader.write(frame - VirtioNetHeader.BYTES, checksum, 0);
            table.bytes(index, frame - VirtioNetHeader.BYTES, length + VirtioNetHeader.BYTES);
        } else {
            VirtioNetHeader.write(header(index), checksum, 0);
            table.bytes(index, 0, header(index), VirtioNetHeader.BYTES);
            table.bytes(index, 1, frame, length);
            table.pieces(index, 2);
        }
    }

    /** Sends the built messages; returns the number of frames sent or dropped. */
    private int sendBuilt(SharedDescriptor by, Burst burst, int count) {
        int first = 0;
        while (first < count) {
            statistics.call();
            long result = SystemCall.call(
                    errno,
                    SystemCall.SENDMMSG,
                    by.number(),
                    table.header(first),
                    count - first,
                    MSG_DONTWAIT_NOSIGNAL,
                    0,
                    0);
            if (result > 0) {
                sent(burst, first, first + (int) result);
                first += (int) result;
            } else if (result == -SystemCall.EAGAIN) {
                break;
            } else if (result != -SystemCall.EINTR) {
                statistics.drop(Drop.ofSendError((int) -result), 1);
                first++;
            }
        }
        return first;
    }

    private void sent(Burst burst, int from, int to) {
        long bytes = 0;
        for (int i = from; i < to; i++) {
            bytes += burst.length(i);
        }
        statistics.burst(to - from, bytes);
    }
}
