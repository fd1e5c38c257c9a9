package io.guidepost.packet.xdp;

import io.guidepost.base.Memory;
import io.guidepost.packet.device.NetDevice;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;

/**
 * Puts an interface into promiscuous mode until it is closed or the process ends: a membership of a packet socket that
 * receives nothing (packet(7)).
 *
 * <pre>
 *  struct packet_mreq, 16 bytes: 0 device   4 type (short)   6 address bytes (short)   8 address
 * </pre>
 */
final class PromiscuousMode implements AutoCloseable {
    private static final int AF_PACKET = 17;
    private static final int SOCK_RAW_CLOEXEC = 0x80003;
    private static final int SOL_PACKET = 263;
    private static final int ADD_MEMBERSHIP = 1;
    private static final int PROMISCUOUS = 1;
    private static final int REQUEST_BYTES = 16;

    private final int descriptor;
    private boolean closed;

    PromiscuousMode(NetDevice device, String user) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            descriptor = (int) SystemCall.call(SystemCall.errno(arena), SystemCall.SOCKET, AF_PACKET, SOCK_RAW_CLOEXEC, 0);
            long result = descriptor < 0 ? descriptor : join(arena, device);
            if (result < 0) {
                close();
                throw new IOException(user + ": the interface does not take frames for other addresses: "
                        + SystemCall.meaning((int) -result) + "; set promiscuous=false to do without");
            }
        }
    }

    private long join(Arena arena, NetDevice device) {
        long request = arena.allocate(REQUEST_BYTES, Long.BYTES).address();
        Memory.put32Le(request, device.index());
        Memory.put16Le(request + 4, PROMISCUOUS);
        return SystemCall.call(
                SystemCall.errno(arena),
                SystemCall.SETSOCKOPT,
                descriptor,
                SOL_PACKET,
                ADD_MEMBERSHIP,
                request,
                REQUEST_BYTES,
                0);
    }

    @Override
    public void close() {
        if (!closed && descriptor >= 0) {
            closed = true;
            SystemCall.close(descriptor);
        }
    }
}
