package io.guidepost.packet.tap;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FrameQueue;
import io.guidepost.packet.PacketMemory;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TransportChecksum;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.device.SoftwareSegmentation;
import io.guidepost.packet.device.VirtioNetHeader;
import io.guidepost.packet.linux.MappedMemory;
import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/** Reads frames one by one, as the device has no batched call, until none is left or the burst is full. */
final class TapRx extends FrameQueue implements RxQueue {
    /** The longest packet of IP, with what stands before it. */
    private static final int WHOLE_BYTES = 65_535 + 2 * VirtioNetHeader.STRIDE;

    private final SharedDescriptor socket;
    private final int headerBytes;
    private final long macs;
    private final int macsRest;

    /** Bytes of the kernel's header before a packet. */
    private final int aheadBytes;

    /** The address of what is read, where packets of many segments may come; 0 where none do. */
    private final long whole;

    private final SoftwareSegmentation segments = new SoftwareSegmentation();
    private final MemorySegment errno = SystemCall.errno(Arena.global());
    private long piece = PacketMemory.NONE;

    /**
     * Creates a receive queue.
     *
     * @param headerBytes 0, or 14 for IP packets that get an Ethernet header
     * @param to destination address of that header
     * @param from source address of that header
     * @param partial whether the kernel puts a virtio header before each frame
     * @param trains whether a frame may be a TCP packet of many segments
     */
    TapRx(
            SharedDescriptor socket,
            PacketMemory memory,
            int burstMax,
            int headerBytes,
            long to,
            long from,
            boolean partial,
            boolean trains,
            LongSupplier overflow) {
        super(memory, burstMax, new QueueStatistics(overflow));
        this.socket = socket;
        this.headerBytes = headerBytes;
        this.macs = to << 16 | from >>> 32;
        this.macsRest = (int) from;
        this.aheadBytes = partial ? VirtioNetHeader.BYTES : 0;
        this.whole = trains ? new MappedMemory(WHOLE_BYTES).segment().address() + VirtioNetHeader.STRIDE : 0;
    }

    @Override
    public int receive(Burst burst) {
        burst.clear();
        long bytes = 0;
        while (!burst.isFull() && hasPiece()) {
            if (segments.hasNext()) {
                int length = segments.nextBytes();
                segments.next(memory.address(piece));
                received(burst, length, segments.checksum());
                bytes += length;
                continue;
            }
            int length = whole == 0 ? read(memory.address(piece)) : readWhole();
            if (length < 0) {
                break;
            }
            bytes += length > 0 ? put(burst, length) : 0;
        }
        if (burst.count() > 0) {
            statistics.burst(burst.count(), bytes);
        }
        return burst.count();
    }

    private int put(Burst burst, int length) {
        long address = whole == 0 ? memory.address(piece) : whole;
        int checksum = aheadBytes == 0
                ? TransportChecksum.UNKNOWN
                : VirtioNetHeader.checksum(address + headerBytes - aheadBytes, headerBytes, length);
        if (checksum == VirtioNetHeader.BAD) {
            statistics.drop(Drop.MALFORMED, 1);
            return 0;
        }
        if (headerBytes > 0) {
            putHeader(address);
        }
        if (whole != 0) {
            Memory.copy(whole, memory.address(piece), length);
        }
        received(burst, length, checksum);
        return length;
    }

    private void received(Burst burst, int length, int checksum) {
        burst.received(piece, memory.address(piece), length);
        burst.checksum(burst.count() - 1, checksum);
        piece = PacketMemory.NONE;
    }

    /** Reads a frame to where there is room for one of many segments; returns as {@link #read}, 0 if it is to be cut. */
    private int readWhole() {
        statistics.call();
        long header = whole + headerBytes - aheadBytes;
        int result = (int) SystemCall.call(
                errno, SystemCall.READ, socket.number(), header, WHOLE_BYTES - VirtioNetHeader.STRIDE - headerBytes + aheadBytes);
        int length = result - aheadBytes + headerBytes;
        if (result <= aheadBytes) {
            return -1;
        }
        int segmentBytes = VirtioNetHeader.segmentBytes(header);
        if (segmentBytes == 0) {
            if (length > memory.roomBytes()) {
                statistics.drop(Drop.TRUNCATED, 1);
                return 0;
            }
            return length;
        }
        int transport = VirtioNetHeader.checksumStart(header) + headerBytes;
        if (headerBytes > 0) {
            putHeader(whole);
        }
        if (!segments.open(whole, length, segmentBytes, transport, true) || segments.nextBytes() > memory.roomBytes()) {
            segments.close();
            statistics.drop(Drop.TRUNCATED, 1);
        }
        return 0;
    }

    private boolean hasPiece() {
        if (piece == PacketMemory.NONE) {
            piece = memory.take();
        }
        return piece != PacketMemory.NONE;
    }

    /** Reads a frame; returns its length, 0 if it was dropped, -1 if there is none. */
    private int read(long address) {
        statistics.call();
        int room = memory.roomBytes() - headerBytes;
        long result = SystemCall.call(
                errno, SystemCall.READ, socket.number(), address + headerBytes - aheadBytes, room + aheadBytes);
        result -= result > 0 ? aheadBytes : 0;
        if (result > room) {
            statistics.drop(Drop.TRUNCATED, 1);
            return 0;
        }
        if (result <= 0) {
            // No frame, a signal, a closed port or a removed interface.
            return -1;
        }
        return headerBytes + (int) result;
    }

    private void putHeader(long address) {
        Memory.put64(address, macs);
        Memory.put32(address + 8, macsRest);
        Memory.put16(address + 12, Memory.u8(address + headerBytes) >>> 4 == 6 ? TapPort.IPV6 : TapPort.IPV4);
    }

    @Override
    public void release() {
        if (piece != PacketMemory.NONE) {
            memory.free(piece);
            piece = PacketMemory.NONE;
        }
        super.release();
    }

    @Override
    public Readiness readiness() {
        return socket.readiness();
    }
}
