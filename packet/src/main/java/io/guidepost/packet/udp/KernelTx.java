package io.guidepost.packet.udp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.guidepost.base.Addresses;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.PacketLimits;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.linux.MappedMemory;
import io.guidepost.packet.linux.MsgHdr;
import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Sends a burst with one sendmmsg. With segmentation offload, successive packets of one length to one peer (the last
 * perhaps shorter) are one message, which traverses the kernel's stack once (GSO, UDP_SEGMENT).
 */
final class KernelTx implements TxQueue {
    private final SharedDescriptor socket;
    private final boolean ipv6;
    private final boolean wildcard;
    private final int capacity;
    private final int datagramBytesMax;
    private final QueueStatistics statistics = new QueueStatistics();
    private final MemorySegment errno = SystemCall.errno(Arena.global());
    private final MsgHdr message;
    private final MemorySegment table;

    /** Packets in each built message. */
    private final int[] packets;

    /** Number of built messages. */
    private int built;

    /** Packets of the burst that were sent or dropped. */
    private int done;

    private boolean trains;

    KernelTx(SharedDescriptor socket, UdpSettings settings) {
        this.socket = socket;
        ipv6 = settings.ipv6();
        wildcard = settings.wildcard();
        capacity = settings.burstMax();
        datagramBytesMax = settings.datagramBytesMax();
        trains = settings.segmentationOffload() != SegmentationOffload.OFF;
        table = new MappedMemory(MsgHdr.tableBytes(capacity)).segment();
        message = new MsgHdr(table, capacity, ipv6);
        packets = new int[capacity];
    }

    @Override
    public Burst burst() {
        MemorySegment data = new MappedMemory(PacketLimits.transmitBytes(capacity, datagramBytesMax)).segment();
        return new Burst(data, capacity, datagramBytesMax);
    }

    @Override
    public int send(Burst burst) {
        boolean joining = trains;
        done = 0;
        int error = 0;
        while (done < burst.count() && error != SystemCall.EAGAIN) {
            build(burst, joining);
            error = sendBuilt(burst);
            if (error != 0) {
                // A device without checksum offload refuses GSO; one with a small MTU refuses long segments.
                joining = false;
                trains &= error != SystemCall.EIO;
            }
        }
        burst.removeFirst(done);
        return burst.count();
    }

    /** Sends the built messages; returns the error after which the rest must be retried, or 0. */
    private int sendBuilt(Burst burst) {
        int first = 0;
        while (first < built) {
            statistics.call();
            long result = SystemCall.call(
                    errno,
                    SystemCall.SENDMMSG,
                    socket.number(),
                    table.address() + ((long) first << MsgHdr.HEADER_SHIFT),
                    built - first,
                    MsgHdr.MSG_DONTWAIT | MsgHdr.MSG_NOSIGNAL,
                    0,
                    0);
            if (result > 0) {
                sent(burst, first, first + (int) result);
                first += (int) result;
            } else if (isRetry((int) -result, first)) {
                return (int) -result;
            } else if (refused((int) -result, first)) {
                first++;
            }
        }
        return 0;
    }

    private void sent(Burst burst, int firstMessage, int endMessage) {
        long bytes = 0;
        int joined = 0;
        int packet = done;
        for (int i = firstMessage; i < endMessage; i++) {
            int end = packet + packets[i];
            joined += end - packet > 1 ? 1 : 0;
            while (packet < end) {
                bytes += burst.length(packet++);
            }
        }
        statistics.burst(packet - done, bytes);
        if (joined > 0) {
            statistics.aggregates(joined);
        }
        done = packet;
    }

    private boolean isRetry(int error, int messageIndex) {
        return switch (error) {
            case SystemCall.EAGAIN -> true;
            case SystemCall.EINVAL, SystemCall.EIO, SystemCall.EMSGSIZE -> packets[messageIndex] > 1;
            default -> false;
        };
    }

    /** Drops the packets of a message, unless the error was a signal or a pending ICMP error. */
    private boolean refused(int error, int messageIndex) {
        if (error == SystemCall.EINTR || error == SystemCall.ECONNREFUSED) {
            return false;
        }
        statistics.drop(Drop.ofSendError(error), packets[messageIndex]);
        done += packets[messageIndex];
        return true;
    }

    private void build(Burst burst, boolean joining) {
        int count = burst.count();
        int at = 0;
        int packet = done;
        while (packet < count) {
            int end = joining ? segmentsEnd(burst, packet, count) : packet + 1;
            putVector(burst, packet, end, message.vector(at));
            putName(burst, packet, message.name(at));
            putControls(burst, packet, at, end - packet > 1);
            packets[at] = end - packet;
            at++;
            packet = end;
        }
        built = at;
    }

    private void putVector(Burst burst, int packet, int end, long vector) {
        long begin = burst.offset(packet);
        table.set(JAVA_LONG, vector, burst.segment().address() + begin);
        table.set(JAVA_LONG, vector + MsgHdr.VECTOR_LENGTH, burst.offset(end - 1) + burst.length(end - 1) - begin);
    }

    /** Returns the end of the GSO segment that begins with a packet: the packet after it if it stands alone. */
    private static int segmentsEnd(Burst burst, int first, int count) {
        int length = burst.length(first);
        int end = first + 1;
        if (length == 0 || length > PacketLimits.TRAIN_SEGMENT_BYTES_MAX) {
            return end;
        }
        int max = Math.min(count, first + Math.min(PacketLimits.TRAIN_PACKETS_MAX, PacketLimits.TRAIN_BYTES_MAX / length));
        while (end < max && burst.follows(end, first, length)) {
            end++;
            if (burst.length(end - 1) < length) {
                break;
            }
        }
        return end;
    }

    private void putName(Burst burst, int packet, long name) {
        long high = burst.peerHigh(packet);
        long low = burst.peerLow(packet);
        long port = Short.toUnsignedLong(Short.reverseBytes((short) burst.peerPort(packet))) << 16;
        if (!ipv6) {
            // A non-IPv4 address gets the other family, which the kernel refuses with a reason.
            long family = Addresses.isIpv4(high, low) ? MsgHdr.AF_INET : MsgHdr.AF_INET6;
            table.set(JAVA_LONG, name, (long) Integer.reverseBytes((int) low) << 32 | port | family);
        } else {
            table.set(JAVA_LONG, name, port | MsgHdr.AF_INET6);
            table.set(JAVA_LONG, name + MsgHdr.IPV6_ADDRESS, Long.reverseBytes(Addresses.withoutScope(high)));
            table.set(JAVA_LONG, name + MsgHdr.IPV6_ADDRESS + Long.BYTES, Long.reverseBytes(low));
            table.set(JAVA_INT, name + MsgHdr.IPV6_SCOPE, Addresses.scope(high));
        }
    }

    private void putControls(Burst burst, int packet, int at, boolean train) {
        long begin = message.control(at);
        long end = begin;
        if (wildcard && (burst.localHigh(packet) | burst.localLow(packet)) != 0) {
            end = putLocal(burst, packet, end);
        }
        if (train) {
            putControl(end, MsgHdr.SOL_UDP, MsgHdr.UDP_SEGMENT, Short.BYTES);
            table.set(JAVA_SHORT, end + MsgHdr.CONTROL_DATA, (short) burst.length(packet));
            end += MsgHdr.controlSpace(Short.BYTES);
        }
        table.set(JAVA_LONG, ((long) at << MsgHdr.HEADER_SHIFT) + MsgHdr.CONTROL_LENGTH, end - begin);
    }

    private long putLocal(Burst burst, int packet, long at) {
        long high = burst.localHigh(packet);
        long low = burst.localLow(packet);
        long data = at + MsgHdr.CONTROL_DATA;
        if (ipv6) {
            putControl(at, MsgHdr.SOL_IPV6, MsgHdr.IPV6_PKTINFO, MsgHdr.IPV6_PACKET_INFORMATION_BYTES);
            table.set(JAVA_LONG_UNALIGNED, data, Long.reverseBytes(Addresses.withoutScope(high)));
            table.set(JAVA_LONG_UNALIGNED, data + Long.BYTES, Long.reverseBytes(low));
            table.set(JAVA_INT, data + 16, Addresses.scope(high));
            return at + MsgHdr.controlSpace(MsgHdr.IPV6_PACKET_INFORMATION_BYTES);
        }
        putControl(at, MsgHdr.SOL_IP, MsgHdr.IP_PKTINFO, MsgHdr.IPV4_PACKET_INFORMATION_BYTES);
        table.set(JAVA_INT, data, 0);
        table.set(JAVA_INT, data + 4, Integer.reverseBytes((int) low));
        table.set(JAVA_INT, data + 8, 0);
        return at + MsgHdr.controlSpace(MsgHdr.IPV4_PACKET_INFORMATION_BYTES);
    }

    private void putControl(long at, int level, int type, int dataBytes) {
        table.set(JAVA_LONG, at, MsgHdr.CONTROL_DATA + dataBytes);
        table.set(JAVA_INT, at + MsgHdr.CONTROL_LEVEL, level);
        table.set(JAVA_INT, at + MsgHdr.CONTROL_TYPE, type);
    }

    @Override
    public QueueStatistics statistics() {
        return statistics;
    }
}
