package io.guidepost.packet.raw;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.KernelSocket;
import io.guidepost.packet.PacketMemory;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.SystemCall;
import io.guidepost.packet.TxQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Sends a burst with one sendmmsg straight out of packet memory; the kernel has copied a frame when the call returns. */
final class RawTx implements TxQueue {
    private static final int MSG_DONTWAIT_NOSIGNAL = 0x4040;

    private final KernelSocket socket;
    private final PacketMemory memory;
    private final int capacity;
    private final QueueStatistics statistics = new QueueStatistics();
    private final MemorySegment errno = SystemCall.errno(Arena.global());
    private final MessageTable table;

    RawTx(KernelSocket socket, PacketMemory memory, int capacity) {
        this.socket = socket;
        this.memory = memory;
        this.capacity = capacity;
        table = new MessageTable(capacity, 1);
    }

    @Override
    public Burst burst() {
        return Burst.ofFrames(memory, capacity, 0);
    }

    @Override
    public int send(Burst burst) {
        int count = burst.count();
        for (int i = 0; i < count; i++) {
            table.bytes(i, 0, burst.offset(i), burst.length(i));
        }
        int done = sendBuilt(burst, count);
        for (int i = 0; i < done; i++) {
            memory.free(burst.handle(i));
        }
        burst.sent(done);
        return burst.count();
    }

    /** Sends the messages that were built; gives how many left or were dropped. */
    private int sendBuilt(Burst burst, int count) {
        int first = 0;
        while (first < count) {
            statistics.call();
            long result = SystemCall.call(
                    errno,
                    SystemCall.SENDMMSG,
                    socket.number(),
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
                statistics.drop(reason((int) -result), 1);
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

    private static Drop reason(int error) {
        return switch (error) {
            case SystemCall.ENOBUFS, SystemCall.ENOMEM -> Drop.NO_BUFFERS;
            case SystemCall.EMSGSIZE -> Drop.TOO_LARGE;
            case SystemCall.ENETDOWN, SystemCall.ENXIO, SystemCall.ENODEV -> Drop.UNREACHABLE;
            case SystemCall.EINVAL, SystemCall.EPERM, SystemCall.EACCES -> Drop.REFUSED;
            case SystemCall.EBADF, SystemCall.ENOTSOCK -> Drop.CLOSED;
            default -> Drop.OTHER;
        };
    }

    @Override
    public QueueStatistics statistics() {
        return statistics;
    }
}
