package io.guidepost.packet.netlink;

import io.guidepost.base.Memory;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.linux.MappedMemory;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A netlink socket (netlink(7), RFC 3549). The kernel answers a request before the call that sends it returns, so that a read
 * never waits. Belongs to one thread at a time.
 *
 * <pre>
 *  struct sockaddr_nl, 12 bytes:  0 family (short)   4 port (int)   8 groups (int)
 *  struct nlmsghdr, 16 bytes:     0 length with this header (int)   4 type (short)   6 flags (short)   8 sequence   12 port
 *  struct nlattr, 4 bytes:        0 length with this header (short)   2 type (short), then data; each begins at a multiple of 4
 *  struct nlmsgerr:               0 the negative error number (int), then the request
 * </pre>
 */
final class NetlinkSocket implements AutoCloseable {
    static final int ROUTE = 0;
    static final int SOCK_DIAG = 4;

    static final int HEADER_BYTES = 16;
    static final int ATTRIBUTE_BYTES = 4;
    static final int TYPE = 4;

    static final int NLM_F_REQUEST = 1;
    static final int NLM_F_ACK = 4;
    static final int NLM_F_REPLACE = 0x100;
    static final int NLM_F_CREATE = 0x400;
    static final int NLM_F_DUMP = 0x300;

    static final int NLMSG_ERROR = 2;

    private static final int FLAGS = 6;
    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW_NONBLOCK_CLOEXEC = 0x80803;
    private static final int NAME_BYTES = 12;

    /** What the kernel sends at most in one piece (netlink's own NLMSG_GOODSIZE and the size that dumps grow to). */
    private static final int BUFFER_BYTES = 32_768;

    private final MemorySegment errno = SystemCall.errno(Arena.global());
    private final MappedMemory memory = new MappedMemory(BUFFER_BYTES);
    private final long buffer = memory.segment().address();
    private final SharedDescriptor socket;

    /**
     * Opens a socket in the network namespace of this thread.
     *
     * @param groups bits of the multicast groups whose events it receives
     * @throws IOException if the kernel has none
     */
    NetlinkSocket(int protocol, int groups) throws IOException {
        long result = SystemCall.AVAILABLE
                ? SystemCall.call(errno, SystemCall.SOCKET, AF_NETLINK, SOCK_RAW_NONBLOCK_CLOEXEC, protocol)
                : -SystemCall.ENOSYS;
        if (result >= 0) {
            socket = new SharedDescriptor((int) result);
            Memory.put64Le(buffer, AF_NETLINK);
            Memory.put64Le(buffer + Long.BYTES, groups);
            result = SystemCall.call(errno, SystemCall.BIND, socket.number(), buffer, NAME_BYTES);
            if (result < 0) {
                socket.close();
            }
        } else {
            socket = new SharedDescriptor(-1);
        }
        if (result < 0) {
            throw new IOException("the kernel gives no netlink socket: " + SystemCall.meaning((int) -result));
        }
    }

    /** Returns the address of the body of the next request. */
    long body() {
        return buffer + HEADER_BYTES;
    }

    /**
     * Sends the request whose body was written.
     *
     * @return 0, or the negative error number
     */
    int send(int type, int flags, int bodyBytes) {
        int bytes = HEADER_BYTES + bodyBytes;
        Memory.put32Le(buffer, bytes);
        Memory.put16Le(buffer + TYPE, type);
        Memory.put16Le(buffer + FLAGS, NLM_F_REQUEST | flags);
        Memory.put64Le(buffer + Long.BYTES, 0);
        return (int) Math.min(0, SystemCall.call(errno, SystemCall.SENDTO, socket.number(), buffer, bytes, 0, 0, 0));
    }

    /** Receives messages to {@link #received}; returns their bytes, or a negative error number: EAGAIN if there are none. */
    int receive() {
        return (int) SystemCall.call(errno, SystemCall.RECVFROM, socket.number(), buffer, BUFFER_BYTES, 0, 0, 0);
    }

    /** Returns the address of the messages of the last {@link #receive}. */
    long received() {
        return buffer;
    }

    /** Returns the length of a message or attribute with the padding behind it. */
    static int aligned(int bytes) {
        return bytes + 3 & ~3;
    }

    /** Writes an attribute of four bytes in the processor's order; returns the address behind it. */
    static long putInt(long at, int type, int value) {
        Memory.put16Le(at, ATTRIBUTE_BYTES + Integer.BYTES);
        Memory.put16Le(at + 2, type);
        Memory.put32Le(at + ATTRIBUTE_BYTES, value);
        return at + ATTRIBUTE_BYTES + Integer.BYTES;
    }

    /** Writes an attribute that is an address; returns the address behind it. */
    static long putAddress(long at, int type, boolean ipv4, long high, long low) {
        int bytes = ipv4 ? Integer.BYTES : 2 * Long.BYTES;
        Memory.put16Le(at, ATTRIBUTE_BYTES + bytes);
        Memory.put16Le(at + 2, type);
        Memory.put64(at + ATTRIBUTE_BYTES, ipv4 ? low << Integer.SIZE : high);
        Memory.put64(at + ATTRIBUTE_BYTES + Long.BYTES, low);
        return at + ATTRIBUTE_BYTES + bytes;
    }

    Readiness readiness() {
        return socket.readiness();
    }

    @Override
    public void close() {
        socket.close();
        memory.close();
    }
}
