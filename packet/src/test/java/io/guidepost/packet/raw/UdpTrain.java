package io.guidepost.packet.raw;

import io.guidepost.base.Memory;
import io.guidepost.packet.linux.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** Sends one train of datagrams over a kernel socket, for the kernel or the device to cut. */
final class UdpTrain {
    private UdpTrain() {}

    /** So many datagrams of a size, and one that is shorter, to port 9,999. */
    static void send(String address, int number, int bytes, int lastBytes) throws java.io.IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = SystemCall.errno(arena);
            long socket = SystemCall.call(errno, SystemCall.SOCKET, 2, 2, 0);
            long option = arena.allocate(8, 8).address();
            Memory.put32Le(option, bytes);
            check(SystemCall.call(errno, SystemCall.SETSOCKOPT, socket, 17, 103, option, 4, 0));
            long to = arena.allocate(16, 8).address();
            Memory.put16Le(to, 2);
            Memory.put16(to + 2, 9_999);
            Memory.put32(to + 4, ByteBuffer.wrap(InetAddress.ofLiteral(address).getAddress()).getInt());
            int all = number * bytes + lastBytes;
            long data = arena.allocate(all, 8).address();
            for (int i = 0; i < all; i++) {
                Memory.put8(data + i, i * 7);
            }
            long vector = arena.allocate(16, 8).address();
            Memory.put64Le(vector, data);
            Memory.put64Le(vector + 8, all);
            long message = arena.allocate(64, 8).address();
            Memory.put64Le(message, to);
            Memory.put32Le(message + 8, 16);
            Memory.put64Le(message + 16, vector);
            Memory.put64Le(message + 24, 1);
            check(SystemCall.call(errno, SystemCall.SENDMMSG, socket, message, 1, 0, 0, 0));
            check(SystemCall.call(errno, SystemCall.CLOSE, socket, 0, 0));
        }
    }

    private static void check(long result) throws java.io.IOException {
        if (result < 0) {
            throw new java.io.IOException(SystemCall.meaning((int) -result));
        }
    }
}
