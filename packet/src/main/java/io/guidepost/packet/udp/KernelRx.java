package io.guidepost.packet.udp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.guidepost.base.Addresses;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.PacketLimits;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.linux.MappedMemory;
import io.guidepost.packet.linux.MsgHdr;
import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Receives up to a burst of messages with one recvmmsg.
 *
 * <p>A message is one datagram, or with GRO a segment: datagrams of one sender and one length, the last perhaps
 * shorter, concatenated. A full burst may end in the middle of a segment; the next burst continues it.
 */
final class KernelRx implements RxQueue {
    /** Bytes that keep slots off powers of two. */
    private static final int SKEW_BYTES = 320;

    private final SharedDescriptor socket;
    private final boolean ipv6;
    private final boolean controlled;
    private final int capacity;
    private final int datagramBytesMax;
    private final QueueStatistics statistics;
    private final MsgHdr message;
    private final MemorySegment table;
    private final MappedMemory memory;
    private final MemorySegment data;
    private final MemorySegment errno = SystemCall.errno(Arena.global());
    private final long stride;
    private volatile boolean held;

    // Messages of the last call that are not yet in a burst, and the position in the first of them.
    private int next;
    private int received;
    private int taken;
    private int trainBytes;

    // Parsed control messages of the current message.
    private int segmentBytes;
    private long localHigh;
    private long localLow;

    KernelRx(SharedDescriptor socket, UdpSettings settings) {
        this.socket = socket;
        ipv6 = settings.ipv6();
        capacity = settings.burstMax();
        datagramBytesMax = settings.datagramBytesMax();
        statistics = new QueueStatistics(socket::overflow);
        boolean trains = settings.segmentationOffload() != SegmentationOffload.OFF;
        controlled = settings.wildcard() || trains;
        stride = stride(trains ? PacketLimits.DATAGRAM_BYTES_MAX : datagramBytesMax);
        table = new MappedMemory(MsgHdr.tableBytes(capacity)).segment();
        memory = new MappedMemory(stride * capacity);
        data = memory.segment();
        message = new MsgHdr(table, capacity, ipv6);
        for (int i = 0; i < capacity; i++) {
            table.set(JAVA_LONG, message.vector(i), data.address() + i * stride);
            table.set(JAVA_LONG, message.vector(i) + MsgHdr.VECTOR_LENGTH, trains ? PacketLimits.DATAGRAM_BYTES_MAX : datagramBytesMax);
        }
        resetControls(capacity);
    }

    /**
     * Returns the distance of two slots. Slots at a power of two would map to the same cache sets and evict each other;
     * an odd number of cache lines more spreads them.
     */
    private static long stride(int bytes) {
        return (bytes + 63L & ~63L) + SKEW_BYTES;
    }

    @Override
    public Burst burst() {
        return new Burst(data, capacity, 0);
    }

    @Override
    public int receive(Burst burst) {
        burst.clear();
        if (next == received && (held || call() <= 0)) {
            return 0;
        }
        long bytes = controlled ? fillControlled(burst) : fill(burst);
        int count = burst.count();
        if (count > 0) {
            statistics.burst(count, bytes);
        }
        return count;
    }

    /** Leaves what arrives in the kernel, or no longer; for any thread. */
    void hold(boolean nowHeld) {
        held = nowHeld;
    }

    private int call() {
        if (controlled) {
            resetControls(received);
        }
        next = 0;
        received = 0;
        statistics.call();
        long result = SystemCall.call(
                errno,
                SystemCall.RECVMMSG,
                socket.number(),
                table.address(),
                capacity,
                MsgHdr.MSG_DONTWAIT,
                0,
                0);
        if (result > 0) {
            received = (int) result;
        } else if (result < 0) {
            failed((int) -result);
        }
        return received;
    }

    /** Frees the packets' memory, for any thread: a burst that is still read returns zeros. */
    void close() {
        memory.close();
    }

    private void failed(int error) {
        switch (error) {
            case SystemCall.EAGAIN, SystemCall.EINTR -> {
                // No datagram, or a signal: the caller comes again.
            }
            case SystemCall.EBADF, SystemCall.ENOTSOCK -> {
                // The port was closed.
            }
            case SystemCall.ECONNREFUSED -> {
                // An ICMP error for an earlier response is reported here; no datagram was lost.
            }
            default -> statistics.drop(Drop.OTHER, 1);
        }
    }

    /** Takes all messages, each a single datagram without control messages. */
    private long fill(Burst burst) {
        long bytes = 0;
        int count = received;
        for (int i = 0; i < count; i++) {
            long header = (long) i << MsgHdr.HEADER_SHIFT;
            int length = table.get(JAVA_INT, header + MsgHdr.LENGTH);
            if ((table.get(JAVA_INT, header + MsgHdr.FLAGS) & MsgHdr.MSG_TRUNC) != 0) {
                statistics.drop(Drop.TRUNCATED, 1);
            } else {
                put(burst, i, i * stride, length);
                burst.add();
                bytes += length;
            }
        }
        next = count;
        return bytes;
    }

    /** Takes datagrams out of messages that may be GRO segments, up to the burst's capacity. */
    private long fillControlled(Burst burst) {
        long bytes = 0;
        while (next < received && burst.count() < capacity) {
            if (taken == 0) {
                open(next);
            }
            bytes += takeSegments(burst);
            if (taken >= trainBytes) {
                next++;
                taken = 0;
            }
        }
        return bytes;
    }

    /** Parses a message's control messages. */
    private void open(int index) {
        long header = (long) index << MsgHdr.HEADER_SHIFT;
        trainBytes = table.get(JAVA_INT, header + MsgHdr.LENGTH);
        localHigh = 0;
        localLow = 0;
        segmentBytes = trainBytes;
        readControls(message.control(index), (int) table.get(JAVA_LONG, header + MsgHdr.CONTROL_LENGTH));
        if ((table.get(JAVA_INT, header + MsgHdr.FLAGS) & MsgHdr.MSG_TRUNC) != 0 || segmentBytes > datagramBytesMax) {
            statistics.drop(Drop.TRUNCATED, Math.max(1, Math.ceilDiv(trainBytes, Math.max(1, segmentBytes))));
            taken = Integer.MAX_VALUE;
        } else if (segmentBytes < trainBytes) {
            statistics.aggregates(1);
        }
    }

    private long takeSegments(Burst burst) {
        long begin = next * stride;
        if (trainBytes == 0 && taken == 0) {
            return take(burst, begin, 0);
        }
        long bytes = 0;
        while (taken < trainBytes && burst.count() < capacity) {
            int length = Math.min(segmentBytes, trainBytes - taken);
            bytes += take(burst, begin + taken, length);
            taken += length;
        }
        return bytes;
    }

    private int take(Burst burst, long offset, int length) {
        put(burst, next, offset, length);
        burst.local(localHigh, localLow);
        burst.add();
        return length;
    }

    private void put(Burst burst, int index, long offset, int length) {
        long name = message.name(index);
        if (ipv6) {
            putIpv6(burst, name, offset, length);
        } else {
            // Family, port and address of struct sockaddr_in are eight bytes: one load.
            long peer = table.get(JAVA_LONG, name);
            int port = Short.toUnsignedInt(Short.reverseBytes((short) (peer >>> 16)));
            burst.put(offset, length, 0, Addresses.ipv4Low(Integer.reverseBytes((int) (peer >>> 32))), port);
        }
    }

    private void putIpv6(Burst burst, long name, long offset, int length) {
        int familyAndPort = table.get(JAVA_INT, name);
        long high = Long.reverseBytes(table.get(JAVA_LONG, name + MsgHdr.IPV6_ADDRESS));
        long low = Long.reverseBytes(table.get(JAVA_LONG, name + MsgHdr.IPV6_ADDRESS + Long.BYTES));
        if (Addresses.isLinkLocal(high)) {
            high = Addresses.withScope(high, table.get(JAVA_INT, name + MsgHdr.IPV6_SCOPE));
        }
        burst.put(offset, length, high, low, Short.toUnsignedInt(Short.reverseBytes((short) (familyAndPort >>> 16))));
    }

    private void readControls(long control, int length) {
        long at = control;
        long end = control + length;
        while (at + MsgHdr.CONTROL_DATA <= end) {
            int dataBytes = (int) table.get(JAVA_LONG, at) - MsgHdr.CONTROL_DATA;
            readControl(
                    table.get(JAVA_INT, at + MsgHdr.CONTROL_LEVEL),
                    table.get(JAVA_INT, at + MsgHdr.CONTROL_TYPE),
                    at + MsgHdr.CONTROL_DATA);
            at += MsgHdr.controlSpace(dataBytes);
        }
    }

    private void readControl(int level, int type, long at) {
        if (level == MsgHdr.SOL_UDP && type == MsgHdr.UDP_GRO) {
            segmentBytes = Math.max(1, table.get(JAVA_INT, at));
        } else if (level == MsgHdr.SOL_IP && type == MsgHdr.IP_PKTINFO) {
            localHigh = 0;
            localLow = Addresses.ipv4Low(Integer.reverseBytes(table.get(JAVA_INT, at + 4)));
        } else if (level == MsgHdr.SOL_IPV6 && type == MsgHdr.IPV6_PKTINFO) {
            readIpv6Local(at);
        }
    }

    private void readIpv6Local(long at) {
        long high = Long.reverseBytes(table.get(JAVA_LONG_UNALIGNED, at));
        if (high >>> 56 != 0xff) {
            localHigh = Addresses.withScope(high, table.get(JAVA_INT, at + 16));
            localLow = Long.reverseBytes(table.get(JAVA_LONG_UNALIGNED, at + Long.BYTES));
        }
    }

    /** Resets the lengths of control message buffers, which the kernel overwrites. */
    private void resetControls(int count) {
        for (int i = 0; i < count; i++) {
            long header = (long) i << MsgHdr.HEADER_SHIFT;
            table.set(JAVA_LONG, header + MsgHdr.CONTROL_LENGTH, controlled ? 1 << MsgHdr.CONTROL_SHIFT : 0);
        }
    }

    @Override
    public QueueStatistics statistics() {
        return statistics;
    }

    @Override
    public Readiness readiness() {
        return new Readiness.Descriptor(socket.number(), socket::hold, socket::release);
    }
}
