package io.guidepost.packet.raw;

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
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.linux.MappedMemory;
import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Receives up to a burst of frames with one recvmmsg, each straight into a piece of packet memory.
 *
 * <p>Frames from the same machine, as over a veth pair, arrive unfinished: the kernel delegates checksums and
 * segmentation (GSO) to the device, strips VLAN tags, and describes this beside the frame. This class does the device's
 * work, except for the checksum, which the row marks as partial. A frame longer than its piece continues in an overflow
 * buffer, from which segments are cut; any other such frame is {@link Drop#TRUNCATED}.
 *
 * <pre>
 *  a piece:                  | headroom ... | struct virtio_net_hdr, 10 | data of the frame ...
 *  struct virtio_net_hdr:    see VirtioNetHeader
 *  struct tpacket_auxdata:   0 status  4 length  8 captured  12, 14 offsets  16 VLAN tag  18 its EtherType
 * </pre>
 */
final class RawRx extends FrameQueue implements RxQueue {
    /** Bytes before the data that the kernel's header and a VLAN tag need. */
    static final int HEADROOM_BYTES_MIN = 16;

    private static final int CONTROL_DATA = 16;
    private static final int MSG_TRUNC = 0x20;
    private static final int MSG_DONTWAIT = 0x40;

    /** Flag "checksum partial" and any segmentation type, in the first two bytes. */
    private static final int UNFINISHED = 0xff01;

    private static final int TRAIN_TCP_IPV4 = 1;
    private static final int TRAIN_TCP_IPV6 = 4;
    private static final int TRAIN_UDP = 5;
    private static final int TRAIN_ECN = 0x80;

    private static final int STATUS_VLAN = 1 << 4;
    private static final int STATUS_VLAN_TYPE = 1 << 6;
    private static final int VLAN = 0x8100;

    /** Bytes of a GSO packet behind its piece: 65,536 of IP and its Ethernet header; BIG TCP must be enabled explicitly. */
    private static final int REST_BYTES = 65_600;

    private final SharedDescriptor socket;
    private final int roomBytes;
    private final boolean partial;
    private final MemorySegment errno = SystemCall.errno(Arena.global());
    private final RawMsgHdr table;
    private final SoftwareSegmentation segmenter = new SoftwareSegmentation();

    /** A buffer for each message in which the copied first part and the overflow form a whole GSO packet. */
    private final long trains;

    private final long trainStride;
    private final long[] pieces;

    // Messages of the last call that are not yet in a burst, and whether the first of them is being segmented.
    private int next;
    private int received;
    private boolean cutting;

    /** Number of leading messages whose pieces may be gone. */
    private int hollow;

    /**
     * Creates a receive queue.
     *
     * @param partial whether rows carry checksum states; if not, partial checksums are completed here
     */
    RawRx(SharedDescriptor socket, PacketMemory memory, int burstMax, boolean partial) {
        super(memory, burstMax, new QueueStatistics(socket::overflow));
        this.socket = socket;
        this.partial = partial;
        roomBytes = memory.roomBytes();
        table = new RawMsgHdr(burstMax, 2);
        pieces = new long[burstMax];
        hollow = burstMax;
        trainStride = roomBytes + REST_BYTES + 63L & ~63L;
        trains = new MappedMemory(trainStride * burstMax).segment().address();
        for (int i = 0; i < burstMax; i++) {
            table.bytes(i, 1, trains + i * trainStride + roomBytes, REST_BYTES);
            table.controlRoom(i);
        }
    }

    @Override
    public int receive(Burst burst) {
        burst.clear();
        if (next == received && call() == 0) {
            return 0;
        }
        long bytes = 0;
        while (next < received && !burst.isFull()) {
            long taken = cutting ? cut(burst) : take(burst);
            if (taken < 0) {
                break;
            }
            bytes += taken;
        }
        if (burst.count() > 0) {
            statistics.burst(burst.count(), bytes);
        }
        return burst.count();
    }

    private int call() {
        next = 0;
        received = 0;
        int ready = refill();
        if (ready == 0) {
            // Frames stay in the kernel until pieces are freed; it counts overflows.
            return 0;
        }
        statistics.call();
        long result = SystemCall.call(
                errno, SystemCall.RECVMMSG, socket.number(), table.header(0), ready, MSG_DONTWAIT, 0, 0);
        if (result > 0) {
            received = (int) result;
            hollow = Math.max(hollow, received);
        } else {
            failed((int) -result);
        }
        return received;
    }

    /** Gives messages new pieces; returns the number of messages with one. */
    private int refill() {
        for (int i = 0; i < hollow; i++) {
            if (pieces[i] == PacketMemory.NONE) {
                long piece = memory.take();
                if (piece == PacketMemory.NONE) {
                    return i;
                }
                pieces[i] = piece;
                table.bytes(i, 0, memory.address(piece) - VirtioNetHeader.BYTES, roomBytes + VirtioNetHeader.BYTES);
            }
        }
        hollow = 0;
        return burstMax;
    }

    private void failed(int error) {
        switch (error) {
            case SystemCall.EAGAIN, SystemCall.EINTR, SystemCall.EBADF, SystemCall.ENOTSOCK, SystemCall.ENETDOWN -> {
                // No frame, a signal, a closed port or an interface that is down: no frame is lost.
            }
            default -> statistics.drop(Drop.OTHER, 1);
        }
    }

    /** Takes the next message; returns its bytes in the burst, or -1 without packet memory. */
    private long take(Burst burst) {
        int message = next;
        int length = table.length(message) - VirtioNetHeader.BYTES;
        long data = memory.address(pieces[message]);
        long status = Memory.i32Le(table.control(message) + CONTROL_DATA) & STATUS_VLAN;
        int said = Memory.u16Le(data - VirtioNetHeader.BYTES);
        if ((said & UNFINISHED | status) != 0 || length > roomBytes) {
            return finish(burst, message, data, length);
        }
        done(message);
        burst.received(release(message), data, length);
        if ((said & VirtioNetHeader.DATA_VALID) != 0 && partial) {
            burst.checksum(burst.count() - 1, TransportChecksum.RIGHT);
        }
        return length;
    }

    /** Returns the message to the kernel. */
    private void done(int message) {
        table.controlRoom(message);
        next = message + 1;
    }

    private long release(int message) {
        long piece = pieces[message];
        pieces[message] = PacketMemory.NONE;
        return piece;
    }

    /** Finishes a frame in place of a device. */
    private long finish(Burst burst, int message, long data, int length) {
        int kind = Memory.u8(data - VirtioNetHeader.BYTES + 1);
        if ((table.flags(message) & MSG_TRUNC) != 0 || length < 14) {
            return drop(message, Drop.TRUNCATED);
        }
        if (kind != 0) {
            return openSegments(burst, message, data, length, kind & ~TRAIN_ECN);
        }
        if (length > roomBytes) {
            return drop(message, Drop.TRUNCATED);
        }
        int checksum = VirtioNetHeader.checksum(data - VirtioNetHeader.BYTES, 0, length);
        if (checksum == VirtioNetHeader.BAD) {
            return drop(message, Drop.MALFORMED);
        }
        return put(burst, message, release(message), data, length, checksum);
    }

    private long put(Burst burst, int message, long piece, long data, int length, int checksum) {
        int tag = tag(message);
        if (!cutting) {
            done(message);
        }
        burst.received(piece, data, length);
        int row = burst.count() - 1;
        burst.checksum(row, checksum);
        if (!partial) {
            InternetChecksum.complete(burst, row);
            burst.checksum(row, TransportChecksum.UNKNOWN);
        }
        if (tag == 0) {
            return length;
        }
        pushTag(data, tag);
        burst.reshape(row, data - 4, length + 4);
        return length + 4L;
    }

    private long drop(int message, Drop reason) {
        statistics.drop(reason, 1);
        done(message);
        return 0;
    }

    /** Returns the stripped VLAN tag with its EtherType, 0 if none. */
    private int tag(int message) {
        long data = table.control(message) + CONTROL_DATA;
        int status = Memory.i32Le(data);
        int type = (status & STATUS_VLAN_TYPE) != 0 ? Memory.u16Le(data + 18) : VLAN;
        return (status & STATUS_VLAN) == 0 ? 0 : type << 16 | Memory.u16Le(data + 16);
    }

    private static void pushTag(long data, int tag) {
        long first = Memory.i64(data);
        int rest = Memory.i32(data + 8);
        Memory.put64(data - 4, first);
        Memory.put32(data + 4, rest);
        Memory.put32(data + 8, tag);
    }

    private long openSegments(Burst burst, int message, long data, int length, int kind) {
        long train = trains + message * trainStride;
        Memory.copy(data, train, Math.min(length, roomBytes));
        boolean tcp = kind == TRAIN_TCP_IPV4 || kind == TRAIN_TCP_IPV6;
        boolean marked = (Memory.u8(data - VirtioNetHeader.BYTES) & VirtioNetHeader.NEEDS_CHECKSUM) != 0;
        int segmentBytes = VirtioNetHeader.segmentBytes(data - VirtioNetHeader.BYTES);
        int transport = VirtioNetHeader.checksumStart(data - VirtioNetHeader.BYTES);
        boolean known = marked && (tcp || kind == TRAIN_UDP);
        if (!known || !segmenter.open(train, length, segmentBytes, transport, tcp)) {
            return drop(message, Drop.MALFORMED);
        }
        if (segmenter.nextBytes() > roomBytes) {
            return drop(message, Drop.TRUNCATED);
        }
        statistics.aggregates(1);
        cutting = true;
        return cut(burst);
    }

    /** Cuts frames off the GSO packet while there is room. */
    private long cut(Burst burst) {
        int message = next;
        long bytes = 0;
        while (segmenter.hasNext() && !burst.isFull()) {
            long piece = memory.take();
            if (piece == PacketMemory.NONE) {
                return bytes == 0 ? -1 : bytes;
            }
            int length = segmenter.nextBytes();
            segmenter.next(memory.address(piece));
            bytes += put(burst, message, piece, memory.address(piece), length, segmenter.checksum());
        }
        if (!segmenter.hasNext()) {
            cutting = false;
            done(message);
        }
        return bytes;
    }

    @Override
    public void release() {
        for (int i = 0; i < burstMax; i++) {
            if (pieces[i] != PacketMemory.NONE) {
                memory.free(release(i));
            }
        }
        hollow = burstMax;
        next = received;
        cutting = false;
        super.release();
    }

    @Override
    public Readiness readiness() {
        return socket.readiness();
    }
}
