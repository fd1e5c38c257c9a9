package io.guidepost.packet.bpf;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.device.NetDevice;
import io.guidepost.packet.frame.InternetChecksum;
import io.guidepost.packet.frame.Ipv4;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Flows whose packets the kernel changes where they leave by a TUN device, see {@link TcxProgram}: a map from what tells the packets of a
 * flow to a row, and the rows, which are memory of this process too. The kernel detaches the program when the process ends in any way.
 */
public final class TcxOffload implements FlowOffload, AutoCloseable {
    /** Two for each flow: 4,096 flows that are busy at a time, in 1 MiB. */
    private static final int ROWS_MAX = 8_192;

    private final String user;
    private final List<Integer> descriptors = new ArrayList<>();
    private final MemorySegment errno = SystemCall.errno(Arena.global());
    private final int keys;
    private final long rows;

    /** The row that was freed last is the last to be taken: a packet may be on its way through it. */
    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    private TcxOffload(String device, long unlabelled) throws IOException {
        this.user = device;
        try {
            keys = keep(BpfCalls.createMap(BpfCalls.HASH, TcxProgram.KEY_BYTES, Integer.BYTES, ROWS_MAX, 0, "guidepost_flows"));
            int map = keep(BpfCalls.createSharedArray(TcxProgram.ROW_BYTES, ROWS_MAX, "guidepost_rows"));
            int index = NetDevice.named(device, device).index();
            long[] code = TcxProgram.instructions(keys, map, index, unlabelled);
            int program = keep(BpfCalls.load(BpfCalls.TCX_EGRESS, code, "guidepost", device));
            rows = BpfCalls.memory(map, (long) ROWS_MAX * TcxProgram.ROW_BYTES);
            keep((int) Math.min(0, rows));
            keep(BpfCalls.link(BpfCalls.TCX_EGRESS, program, index, 0));
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
        for (int i = 0; i < ROWS_MAX; i++) {
            free.add(i);
        }
    }

    /**
     * Puts the program on a device.
     *
     * @param device name of a TUN device
     * @param unlabelled first half of the addresses to which packets of IPv6 have any flow label
     * @throws IOException in one line: what is missing or refused
     */
    public static TcxOffload open(String device, long unlabelled) throws IOException {
        return new TcxOffload(device, unlabelled);
    }

    private int keep(int descriptor) throws IOException {
        if (descriptor < 0) {
            throw new IOException(user + ": the kernel does not take a program: " + switch (-descriptor) {
                case SystemCall.EPERM, SystemCall.EACCES ->
                    "that takes root, or the capabilities CAP_BPF and CAP_NET_ADMIN, in no namespace of users";
                case SystemCall.ENOSYS, SystemCall.EINVAL -> "Linux 6.6 has what is needed (tcx)";
                default -> SystemCall.meaning(-descriptor);
            });
        }
        if (descriptor > 0) {
            descriptors.add(descriptor);
        }
        return descriptor;
    }

    private long row(int number) {
        return rows + (long) number * TcxProgram.ROW_BYTES;
    }

    @Override
    public int add(int protocol, Headers before, Headers after, int next, int acknowledgment) {
        boolean toIpv4 = Addresses.isIpv4(after.sourceHigh(), after.sourceLow());
        Integer number = toIpv4 && Addresses.isIpv4(before.sourceHigh(), before.sourceLow()) ? null : free.poll();
        if (number == null) {
            return NO_ROW;
        }
        long row = row(number);
        for (int i = 0; i < TcxProgram.ROW_BYTES; i += Long.BYTES) {
            Memory.put64(row + i, 0);
        }
        if (toIpv4) {
            Memory.put32(row + TcxProgram.ADDRESSES, (int) after.sourceLow());
            Memory.put32(row + TcxProgram.ADDRESSES + 4, (int) after.destinationLow());
            Memory.put32Le(row + TcxProgram.TO_IPV4, 1);
            long same = (0x45 << 8) + Ipv4.DONT_FRAGMENT + protocol + addresses(after);
            Memory.put32Le(row + TcxProgram.IPV4_SUM, folded(same));
        } else {
            Memory.put64(row + TcxProgram.ADDRESSES, after.sourceHigh());
            Memory.put64(row + TcxProgram.ADDRESSES + 8, after.sourceLow());
            Memory.put64(row + TcxProgram.ADDRESSES + 16, after.destinationHigh());
            Memory.put64(row + TcxProgram.ADDRESSES + 24, after.destinationLow());
            Memory.put32(row + TcxProgram.LABEL, after.label());
        }
        Memory.put32(row + TcxProgram.PORTS, after.ports());
        Memory.put32Le(row + TcxProgram.CHANGE, swapped(addresses(after) + 0xffff - folded(addresses(before))));
        Memory.put32Le(row + TcxProgram.PORTS_CHANGE, swapped(InternetChecksum.change32(before.ports(), after.ports())));
        Memory.put32Le(row + TcxProgram.HAS_PORTS, before.ports() == after.ports() ? 0 : 1);
        Memory.put32Le(row + TcxProgram.NEXT, next);
        Memory.put32Le(row + TcxProgram.ACKNOWLEDGMENT, acknowledgment);
        long key = row + TcxProgram.KEY;
        Memory.put64(key, before.sourceHigh());
        Memory.put64(key + 8, before.sourceLow());
        Memory.put64(key + 16, before.destinationHigh());
        Memory.put64(key + 24, before.destinationLow());
        Memory.put32(key + 32, before.ports());
        Memory.put32(key + 36, protocol << 24 | before.label());
        if (BpfCalls.update(keys, key, number) < 0) {
            free.add(number);
            return NO_ROW;
        }
        return number;
    }

    /** Returns the sum of two addresses as they stand in a pseudo header. */
    private static long addresses(Headers headers) {
        return Addresses.isIpv4(headers.sourceHigh(), headers.sourceLow())
                ? InternetChecksum.pseudoIpv4((int) headers.sourceLow(), (int) headers.destinationLow(), 0, 0)
                : InternetChecksum.pseudoIpv6(
                        headers.sourceHigh(), headers.sourceLow(), headers.destinationHigh(), headers.destinationLow(), 0, 0);
    }

    private static int folded(long sum) {
        return ~InternetChecksum.fold(sum) & 0xffff;
    }

    /** Returns a sum as the processor has it, which does not swap the bytes of what it adds (RFC 1071 section 2 B). */
    private static int swapped(long sum) {
        return Short.toUnsignedInt(Short.reverseBytes((short) folded(sum)));
    }

    @Override
    public void remove(int row) {
        BpfCalls.delete(keys, row(row) + TcxProgram.KEY);
        free.add(row);
    }

    @Override
    public long packets(int row) {
        return Memory.i64Le(row(row) + TcxProgram.PACKETS);
    }

    @Override
    public long bytes(int row) {
        return Memory.i64Le(row(row) + TcxProgram.BYTES);
    }

    @Override
    public int next(int row) {
        return Memory.i32Le(row(row) + TcxProgram.NEXT);
    }

    @Override
    public int acknowledgment(int row) {
        return Memory.i32Le(row(row) + TcxProgram.ACKNOWLEDGMENT);
    }

    /** Takes the program off; idempotent. The rows stay readable as long as this process runs. */
    @Override
    public void close() {
        for (int descriptor : descriptors.reversed()) {
            SystemCall.call(errno, SystemCall.CLOSE, descriptor, 0, 0);
        }
        descriptors.clear();
    }
}
