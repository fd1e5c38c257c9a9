package io.guidepost.packet.tap;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.KernelSocket;
import io.guidepost.packet.Memory;
import io.guidepost.packet.PacketMemory;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.SystemCall;
import io.guidepost.packet.TxQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Writes frames one by one; the kernel has copied a frame when the call returns. */
final class TapTx implements TxQueue {
    private static final int EBADFD = 77;

    private final KernelSocket socket;
    private final PacketMemory memory;
    private final int capacity;
    private final int headerBytes;
    private final QueueStatistics statistics = new QueueStatistics();
    private final MemorySegment errno = SystemCall.errno(Arena.global());

    /**
     * A queue that sends.
     *
     * @param headerBytes 0, or 14 if the device takes IP packets without their Ethernet header
     */
    TapTx(KernelSocket socket, PacketMemory memory, int capacity, int headerBytes) {
        this.socket = socket;
        this.memory = memory;
        this.capacity = capacity;
        this.headerBytes = headerBytes;
    }

    @Override
    public Burst burst() {
        return Burst.ofFrames(memory, capacity, 0);
    }

    @Override
    public int send(Burst burst) {
        int count = burst.count();
        int done = 0;
        int sent = 0;
        long bytes = 0;
        while (done < count) {
            int length = burst.length(done);
            long result = write(burst.offset(done), length);
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

    private long write(long address, int length) {
        if (headerBytes > 0 && !isIp(address, length)) {
            return -SystemCall.EINVAL;
        }
        statistics.call();
        long result;
        do {
            result = SystemCall.call(
                    errno, SystemCall.WRITE, socket.number(), address + headerBytes, length - headerBytes);
        } while (result == -SystemCall.EINTR);
        return result;
    }

    private boolean isIp(long address, int length) {
        int type = length > headerBytes ? Memory.u16(address + 12) : 0;
        return type == TapPort.IPV4 || type == TapPort.IPV6;
    }

    private static Drop reason(int error) {
        return switch (error) {
            case SystemCall.ENOBUFS, SystemCall.ENOMEM -> Drop.NO_BUFFERS;
            case SystemCall.EMSGSIZE -> Drop.TOO_LARGE;
            // The interface is down, or was removed.
            case SystemCall.EIO, EBADFD -> Drop.UNREACHABLE;
            case SystemCall.EINVAL, SystemCall.EPERM -> Drop.REFUSED;
            case SystemCall.EBADF -> Drop.CLOSED;
            default -> Drop.OTHER;
        };
    }

    @Override
    public QueueStatistics statistics() {
        return statistics;
    }
}
