package io.guidepost.packet.tap;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FrameQueue;
import io.guidepost.packet.PacketMemory;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.device.NetDevice;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.device.VirtioNetHeader;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.linux.MappedMemory;
import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Writes frames one by one, or trains of them; the kernel has copied a frame when the call returns.
 *
 * <pre>
 *  struct iovec, 16 bytes, two or more of them:  0 address   8 bytes: the {@link VirtioNetHeader}, the frame, and payloads behind it
 * </pre>
 */
final class TapTx extends FrameQueue implements TxQueue {
    private static final int EBADFD = 77;
    private static final int HEADER = 16 * (1 + TcpTrain.SEGMENTS_MAX);

    private final SharedDescriptor socket;
    private final int headerBytes;

    /** The vectors, and behind them the header; 0 if the device takes no header. */
    private final long vectors;

    private final TcpTrain train;

    /** Whether the kernel takes packets of many segments; some of 2024 refuse them. */
    private boolean trains;

    private final MemorySegment errno = SystemCall.errno(Arena.global());

    /**
     * Creates a transmit queue.
     *
     * @param headerBytes 0, or 14 if the device takes IP packets without their Ethernet header
     * @param partial whether the device takes partial checksums; if not, they are completed here
     * @param trains whether it takes TCP packets of many segments
     */
    TapTx(SharedDescriptor socket, PacketMemory memory, int burstMax, int headerBytes, boolean partial, boolean trains) {
        super(memory, burstMax, new QueueStatistics());
        this.socket = socket;
        this.headerBytes = headerBytes;
        this.train = new TcpTrain(NetDevice.ETHERNET_BYTES);
        this.trains = trains && headerBytes > 0;
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
            int many = trains ? train.count(burst, done) : 1;
            long result = many > 1 ? writeTrain(burst, done, many) : write(burst, done, burst.length(done));
            if (result == -SystemCall.EAGAIN) {
                break;
            }
            if (result == -SystemCall.EINVAL && many > 1) {
                trains = false;
                continue;
            }
            for (int end = done + many; done < end; done++) {
                if (result >= 0) {
                    sent++;
                    bytes += burst.length(done);
                }
                memory.free(burst.handle(done));
            }
            if (result < 0) {
                statistics.drop(reason((int) -result), many);
            }
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

    private long writeTrain(Burst burst, int first, int many) {
        statistics.call();
        int payloads = train.join(burst, first, many, vectors + HEADER, vectors + 16);
        long result = call(SystemCall.WRITEV, vectors, 1 + payloads);
        if (result < 0) {
            train.part();
        }
        return result;
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
