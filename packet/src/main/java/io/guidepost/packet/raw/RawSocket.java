package io.guidepost.packet.raw;

import io.guidepost.base.Memory;
import io.guidepost.packet.device.NetDevice;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Creates and configures packet sockets (linux/if_packet.h).
 *
 * <pre>
 *  struct sockaddr_ll, 20 bytes:   0 family   2 protocol (big-endian)   4 interface (int)
 *  struct packet_mreq, 16 bytes:   0 interface (int)   4 what (short)
 *  struct sock_filter, 8 bytes:    0 code (short)   2 jump if true   3 jump if false   4 operand (int)
 *  struct sock_fprog, 16 bytes:    0 instructions (short)   8 their address
 * </pre>
 */
final class RawSocket implements AutoCloseable {
    private static final int AF_PACKET = 17;
    private static final int SOCK_RAW_NONBLOCK_CLOEXEC = 0x80803;
    private static final int ETH_P_ALL = 3;
    private static final int SOL_SOCKET = 1;
    private static final int SO_SNDBUF = 7;
    private static final int SO_RCVBUF = 8;
    private static final int SO_ATTACH_FILTER = 26;
    private static final int SO_SNDBUFFORCE = 32;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int SOL_PACKET = 263;
    private static final int PACKET_ADD_MEMBERSHIP = 1;
    private static final int PACKET_AUXDATA = 8;
    private static final int PACKET_VNET_HDR = 15;
    private static final int PACKET_FANOUT = 18;
    private static final int PACKET_QDISC_BYPASS = 20;
    private static final int PACKET_IGNORE_OUTGOING = 23;
    private static final int PACKET_MR_PROMISC = 1;
    private static final int PACKET_OTHERHOST = 3;
    private static final int FANOUT_UNIQUE_ID = 0x2000;

    /** A fanout group ignores its sockets' own option for outgoing frames: it has this flag. */
    private static final int FANOUT_IGNORE_OUTGOING = 0x4000;

    /** Kernel receive buffer: some 5,000 small frames, 10 ms at 500,000 in a second, as for UDP. */
    private static final int RECEIVE_BUFFER_BYTES = 4 << 20;

    private static final int SEND_BUFFER_BYTES = 4 << 20;

    private final String port;
    private final NetDevice device;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment errno = SystemCall.errno(arena);
    private final long block = arena.allocate(64, Long.BYTES).address();
    private int fanoutId = -1;

    RawSocket(String port, NetDevice device) {
        this.port = port;
        this.device = device;
    }

    /**
     * Returns a socket that receives all incoming frames.
     *
     * @param fanout the kernel's number of the fanout mode; -1 for a single socket
     */
    SharedDescriptor receiving(boolean promiscuous, int fanout) throws IOException {
        SharedDescriptor socket = open();
        try {
            set(socket, SOL_PACKET, PACKET_AUXDATA, 1, "VLAN tags beside the frame (PACKET_AUXDATA)");
            set(socket, SOL_PACKET, PACKET_VNET_HDR, 1, "checksum state beside the frame (PACKET_VNET_HDR)");
            set(socket, SOL_PACKET, PACKET_IGNORE_OUTGOING, 1, "no frames that leave (PACKET_IGNORE_OUTGOING, Linux 4.20)");
            buffer(socket, SO_RCVBUFFORCE, SO_RCVBUF, RECEIVE_BUFFER_BYTES);
            if (promiscuous) {
                Memory.put64Le(block, device.index());
                Memory.put64Le(block + 8, 0);
                Memory.put16Le(block + 4, PACKET_MR_PROMISC);
                require(option(socket, SOL_PACKET, PACKET_ADD_MEMBERSHIP, 16), "frames for other addresses");
            } else {
                refuseOthers(socket);
            }
            bind(socket, ETH_P_ALL);
            if (fanout >= 0) {
                join(socket, fanout);
            }
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Returns a socket that only sends.
     *
     * @param partial whether each frame has a virtio header in front, for partial checksums
     */
    SharedDescriptor sending(boolean bypass, boolean partial) throws IOException {
        SharedDescriptor socket = open();
        try {
            if (partial) {
                set(socket, SOL_PACKET, PACKET_VNET_HDR, 1, "checksum state beside the frame (PACKET_VNET_HDR)");
            }
            if (bypass) {
                set(socket, SOL_PACKET, PACKET_QDISC_BYPASS, 1, "the way past the queueing discipline");
            }
            buffer(socket, SO_SNDBUFFORCE, SO_SNDBUF, SEND_BUFFER_BYTES);
            bind(socket, 0);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private SharedDescriptor open() throws IOException {
        // Protocol 0: nothing is received before the socket is bound to its interface.
        long result = SystemCall.call(errno, SystemCall.SOCKET, AF_PACKET, SOCK_RAW_NONBLOCK_CLOEXEC, 0);
        if (result == -SystemCall.EPERM || result == -SystemCall.EACCES) {
            throw new IOException(port + ": packet sockets take root or the capability CAP_NET_RAW; to try it without,"
                    + " start in a network namespace of your own: unshare -rn");
        }
        require(result, "a packet socket");
        return new SharedDescriptor((int) result);
    }

    private void bind(SharedDescriptor socket, int protocol) throws IOException {
        Memory.put64Le(block, AF_PACKET | protocol << 24 | (long) device.index() << 32);
        Memory.put64Le(block + 8, 0);
        Memory.put64Le(block + 16, 0);
        require(SystemCall.call(errno, SystemCall.BIND, socket.number(), block, 20), "the interface");
    }

    /** Joins the fanout group; the first socket creates it. */
    private void join(SharedDescriptor socket, int fanout) throws IOException {
        int mode = (fanout | FANOUT_IGNORE_OUTGOING) << 16;
        int group = fanoutId < 0 ? mode | FANOUT_UNIQUE_ID << 16 : mode | fanoutId;
        set(socket, SOL_PACKET, PACKET_FANOUT, group, "several queues (PACKET_FANOUT)");
        if (fanoutId < 0) {
            Memory.put32Le(block + 8, Integer.BYTES);
            require(
                    SystemCall.call(
                            errno,
                            SystemCall.GETSOCKOPT,
                            socket.number(),
                            SOL_PACKET,
                            PACKET_FANOUT,
                            block,
                            block + 8,
                            0),
                    "the number of its group");
            fanoutId = Memory.u16Le(block);
        }
    }

    /** Attaches a filter of four instructions that drops frames for other Ethernet addresses. */
    private void refuseOthers(SharedDescriptor socket) throws IOException {
        long code = block + 16;
        instruction(code, 0x20, 0, 0, 0xffff_f004); // load the packet type
        instruction(code + 8, 0x15, 1, 0, PACKET_OTHERHOST);
        instruction(code + 16, 0x06, 0, 0, -1); // accept the whole frame
        instruction(code + 24, 0x06, 0, 0, 0);
        Memory.put64Le(block, 4);
        Memory.put64Le(block + 8, code);
        require(option(socket, SOL_SOCKET, SO_ATTACH_FILTER, 16), "a filter for its own address");
    }

    private static void instruction(long at, int code, int ifTrue, int ifFalse, int operand) {
        Memory.put64Le(at, code | ifTrue << 16 | ifFalse << 24 | (long) operand << 32);
    }

    private void buffer(SharedDescriptor socket, int force, int ask, int bytes) {
        Memory.put32Le(block, bytes);
        if (option(socket, SOL_SOCKET, force, Integer.BYTES) < 0) {
            // Without root: as much as the system allows every user.
            option(socket, SOL_SOCKET, ask, Integer.BYTES);
        }
    }

    private void set(SharedDescriptor socket, int level, int option, int value, String what) throws IOException {
        Memory.put32Le(block, value);
        require(option(socket, level, option, Integer.BYTES), what);
    }

    private long option(SharedDescriptor socket, int level, int option, int bytes) {
        return SystemCall.call(errno, SystemCall.SETSOCKOPT, socket.number(), level, option, block, bytes, 0);
    }

    private void require(long result, String what) throws IOException {
        if (result < 0) {
            throw new IOException(
                    port + ": this kernel does not give " + what + ": " + SystemCall.meaning((int) -result));
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
