package io.guidepost.packet.tap;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FrameQueue;
import io.guidepost.packet.PacketMemory;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.device.VirtioNetHeader;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.linux.MappedMemory;
import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Writes frames one by one; the kernel has copied a frame when the call returns.
 *
 * <pre>
 *  struct iovec, 16 bytes, two of them:  0 address   8 bytes: the {@link VirtioNetHeader}, and the frame
 * </pre>
 */
final class TapTx extends FrameQueue implements TxQueue {
    private static final int EBADFD = 77;
    private static final int HEADER = 32;

    private final SharedDescriptor socket;
    private final int headerBytes;

    /** Two struct iovec, and behind them the header; 0 if the device takes no header. */
    private final long vectors;

    private final MemorySegment errno = SystemCall.errno(Arena.global());

    /**
     * Creates a transmit queue.
     *
     * @param headerBytes 0, or 14 if the device takes IP packets without their Ethernet header
     * @param partial whether the device takes partial checksums; if not, they are completed here
     */
    TapTx(SharedDescriptor socket, PacketMemory memory, int burstMax, int headerBytes, boolean partial) {
        super(memory, burstMax, new QueueStatistics());
        this.socket = socket;
        this.headerBytes = headerBytes;
        this.vectors = partial ? new MappedMemory(HEADER + VirtioNetHeader.STRIDE).segment().address() : 0;
        if (partial) {
            Memory.put64Le(vectors, vectors + HEADER);
            Memory.put64Le(vectors + 8, VirtioNetHeader.BYTES);
        }
    }

    @Override
    public int send(Burst burst) {
        int count = burst.count();
        int done = 0;
        int sent = 0;
        long bytes = 0;
        while (done < count) {
            int length = burst.length(done);
            long result = write(burst, done, length);
            if (result == -SystemCall.EAGAIN) {
                break;
            }
            if (result >= 0) {
                sent++;
                bytes += length;
            } else {
                statistics.drop(reason((int) -result), 1);
            }
            memory.free(burst.handle(done++));
        }
        if (sent > 0) {
            statistics.burst(sent, bytes);
        }
        burst.sent(done);
        return burst.count();
    }

    private long write(Burst burst, int index, int length) {
        long address = burst.offset(index);
        if (headerBytes > 0 && !isIp(address, length)) {
            return -SystemCall.EINVAL;
        }
        statistics.call();
        if (vectors == 0) {
            InternetChecksum.complete(burst, index);
            return call(SystemCall.WRITE, address + headerBytes, length - headerBytes);
        }
        VirtioNetHeader.write(vectors + HEADER, burst.checksum(index), headerBytes);
        Memory.put64Le(vectors + 16, address + headerBytes);
        Memory.put64Le(vectors + 24, length - headerBytes);
        return call(SystemCall.WRITEV, vectors, 2);
    }

    private long call(int number, long from, long many) {
        long result;
        do {
            result = SystemCall.call(errno, number, socket.number(), from, many);
        } while (result == -SystemCall.EINTR);
        return result;
    }

    private boolean isIp(long address, int length) {
        int type = length > headerBytes ? Memory.u16(address + 12) : 0;
        return type == TapPort.IPV4 || type == TapPort.IPV6;
    }

    private static Drop reason(int error) {
        // The interface is down or removed.
        return error == SystemCall.EIO || error == EBADFD ? Drop.UNREACHABLE : Drop.ofSendError(error);
    }

}
