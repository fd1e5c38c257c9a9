package io.guidepost.packet.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * Tells a service manager how a service is: datagrams to a Unix socket, which the JDK does not send (sd_notify(3), unix(7)).
 *
 * <pre>
 *  struct sockaddr_un:  0 family (2 bytes)   2 path; a zero first names an abstract socket
 * </pre>
 */
public final class NotifySocket {
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
    private static final int FAMILY_BYTES = Short.BYTES;
    private static final int PATH_BYTES_MAX = 107;

    private NotifySocket() {}

    /**
     * Sends one message.
     *
     * @param path of the socket; {@code @} at its beginning stands for the zero of an abstract one
     * @param state lines {@code NAME=value}
     * @throws IOException in one line, if no manager listens there, or this is no Linux
     */
    public static void send(String path, String state) throws IOException {
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        if (!SystemCall.AVAILABLE || name.length == 0 || name.length > PATH_BYTES_MAX) {
            throw new IOException(path + " is not a Unix socket that this system can send to");
        }
        if (name[0] == '@') {
            name[0] = 0;
        }
        byte[] message = state.getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = SystemCall.errno(arena);
            MemorySegment address = arena.allocate(FAMILY_BYTES + name.length + 1L, Long.BYTES);
            address.set(JAVA_SHORT, 0, (short) AF_UNIX);
            MemorySegment.copy(name, 0, address, JAVA_BYTE, FAMILY_BYTES, name.length);
            MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, message);
            long socket = checked(path, SystemCall.call(errno, SystemCall.SOCKET, AF_UNIX, SOCK_DGRAM_CLOEXEC, 0));
            try {
                checked(path, SystemCall.call(
                        errno, SystemCall.SENDTO, socket, bytes.address(), message.length, MsgHdr.MSG_NOSIGNAL,
                        address.address(), FAMILY_BYTES + name.length));
            } finally {
                SystemCall.call(errno, SystemCall.CLOSE, socket, 0, 0);
            }
        }
    }

    private static long checked(String path, long result) throws IOException {
        if (result < 0) {
            throw new IOException(path + " takes no message: " + SystemCall.meaning((int) -result));
        }
        return result;
    }
}
