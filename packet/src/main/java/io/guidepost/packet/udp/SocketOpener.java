package io.guidepost.packet.udp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.guidepost.base.AddressText;
import io.guidepost.packet.device.SharedDescriptor;
import io.guidepost.packet.handover.InheritedSockets;
import io.guidepost.packet.linux.MsgHdr;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * Opens the sockets of one port.
 *
 * <p>Several queues share the address by SO_REUSEPORT. The first socket is bound without it and joins the group
 * afterwards: with it from the start, the kernel would silently let in a second server of the same user, which would
 * take half of the requests.
 */
final class SocketOpener implements AutoCloseable {
    private static final int SOCK_DGRAM_NONBLOCK_CLOEXEC = 0x80802;
    private static final int SOL_SOCKET = 1;
    private static final int SO_SNDBUF = 7;
    private static final int SO_RCVBUF = 8;
    private static final int SO_REUSEPORT = 15;
    private static final int SO_BINDTODEVICE = 25;
    private static final int SO_SNDBUFFORCE = 32;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int SO_ATTACH_REUSEPORT_CBPF = 51;
    private static final int IPV6_V6ONLY = 26;
    private static final int IPV6_RECVPKTINFO = 49;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment errno = SystemCall.errno(arena);
    private final MemorySegment name = arena.allocate(1L << MsgHdr.NAME_SHIFT, Long.BYTES);
    private final MemorySegment number = arena.allocate(JAVA_INT);
    private final UdpSettings settings;
    private final boolean ipv6;
    private boolean first = true;

    SocketOpener(UdpSettings settings) {
        this.settings = settings;
        this.ipv6 = settings.ipv6();
    }

    /** Opens sockets that join the group of a bound one. */
    static SocketOpener joining(UdpSettings settings, SharedDescriptor bound) {
        SocketOpener opener = new SocketOpener(settings);
        opener.set(bound, SOL_SOCKET, SO_REUSEPORT, 1);
        opener.first = false;
        return opener;
    }

    /**
     * Attaches a program that selects among the sockets of a reuseport group, replacing any earlier one.
     *
     * <pre>
     *  struct sock_fprog, 16 bytes: 0 short number of instructions   8 address of the first
     * </pre>
     *
     * @param socket one of the group
     * @return 0, or the kernel's error number
     */
    static int attach(SharedDescriptor socket, long[] instructions) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment code = arena.allocateFrom(JAVA_LONG, instructions);
            MemorySegment program = arena.allocate(2L * Long.BYTES, Long.BYTES);
            program.set(JAVA_SHORT, 0, (short) instructions.length);
            program.set(JAVA_LONG, Long.BYTES, code.address());
            return (int) -SystemCall.call(
                    SystemCall.errno(arena),
                    SystemCall.SETSOCKOPT,
                    socket.number(),
                    SOL_SOCKET,
                    SO_ATTACH_REUSEPORT_CBPF,
                    program.address(),
                    program.byteSize(),
                    0);
        }
    }

    /** Opens the next socket of the port, or takes one that another process left there. */
    SharedDescriptor open(InetSocketAddress local) throws IOException {
        int left = InheritedSockets.take(InheritedSockets.Kind.UDP, local);
        if (left >= 0) {
            SharedDescriptor inherited = new SharedDescriptor(left);
            first = false;
            // Others may join it, as it may have been the only one.
            set(inherited, SOL_SOCKET, SO_REUSEPORT, 1);
            return inherited;
        }
        int family = ipv6 ? MsgHdr.AF_INET6 : MsgHdr.AF_INET;
        long result = SystemCall.call(errno, SystemCall.SOCKET, family, SOCK_DGRAM_NONBLOCK_CLOEXEC, 0);
        if (result < 0) {
            throw BindRefusal.of(local, (int) -result);
        }
        SharedDescriptor socket = new SharedDescriptor((int) result);
        try {
            prepare(socket);
            bind(socket, local);
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** Returns the bound address: the requested one with the real port number. */
    InetSocketAddress bound(SharedDescriptor socket) throws IOException {
        number.set(JAVA_INT, 0, (int) name.byteSize());
        long result =
                SystemCall.call(errno, SystemCall.GETSOCKNAME, socket.number(), name.address(), number.address());
        if (result < 0) {
            throw BindRefusal.of(settings.local(), (int) -result);
        }
        int port = Short.toUnsignedInt(Short.reverseBytes(name.get(JAVA_SHORT, Short.BYTES)));
        return new InetSocketAddress(settings.local().getAddress(), port);
    }

    private void prepare(SharedDescriptor socket) throws IOException {
        boolean wildcard = settings.wildcard();
        if (!set(socket, SOL_SOCKET, SO_RCVBUFFORCE, settings.receiveBufferBytes())) {
            set(socket, SOL_SOCKET, SO_RCVBUF, settings.receiveBufferBytes());
        }
        if (!set(socket, SOL_SOCKET, SO_SNDBUFFORCE, settings.sendBufferBytes())) {
            set(socket, SOL_SOCKET, SO_SNDBUF, settings.sendBufferBytes());
        }
        if (ipv6 && wildcard) {
            set(socket, MsgHdr.SOL_IPV6, IPV6_V6ONLY, 0);
            set(socket, MsgHdr.SOL_IPV6, IPV6_RECVPKTINFO, 1);
        } else if (wildcard) {
            set(socket, MsgHdr.SOL_IP, MsgHdr.IP_PKTINFO, 1);
        }
        boolean taken = settings.segmentationOffload() == SegmentationOffload.OFF || set(socket, MsgHdr.SOL_UDP, MsgHdr.UDP_GRO, 1);
        if (!taken && settings.segmentationOffload() == SegmentationOffload.ON) {
            throw new IOException("UDP " + AddressText.of(settings.local())
                    + " cannot be opened with segmentation offload on: this kernel has no UDP_GRO (Linux 5.0 has); choose auto or off");
        }
        if (!first) {
            set(socket, SOL_SOCKET, SO_REUSEPORT, 1);
        }
        if (!settings.device().isEmpty()) {
            bindToDevice(socket, settings.device());
        }
    }

    private void bindToDevice(SharedDescriptor socket, String device) throws IOException {
        byte[] bytes = device.getBytes(StandardCharsets.UTF_8);
        long result = SystemCall.call(
                errno,
                SystemCall.SETSOCKOPT,
                socket.number(),
                SOL_SOCKET,
                SO_BINDTODEVICE,
                arena.allocateFrom(JAVA_BYTE, bytes).address(),
                bytes.length,
                0);
        if (result < 0) {
            throw new IOException("UDP " + AddressText.of(settings.local()) + " cannot be bound to the interface " + device + ": "
                    + SystemCall.meaning((int) -result));
        }
    }

    private void bind(SharedDescriptor socket, InetSocketAddress local) throws IOException {
        int length = writeName(local);
        long result = SystemCall.call(errno, SystemCall.BIND, socket.number(), name.address(), length);
        if (result < 0) {
            throw BindRefusal.of(local, (int) -result);
        }
        if (first && settings.queues() > 1) {
            set(socket, SOL_SOCKET, SO_REUSEPORT, 1);
        }
        first = false;
    }

    private int writeName(InetSocketAddress local) {
        name.fill((byte) 0);
        name.set(JAVA_SHORT, 0, (short) (ipv6 ? MsgHdr.AF_INET6 : MsgHdr.AF_INET));
        name.set(JAVA_SHORT, Short.BYTES, Short.reverseBytes((short) local.getPort()));
        byte[] bytes = local.getAddress().getAddress();
        MemorySegment.copy(bytes, 0, name, JAVA_BYTE, ipv6 ? MsgHdr.IPV6_ADDRESS : Integer.BYTES, bytes.length);
        if (local.getAddress() instanceof Inet6Address six) {
            name.set(JAVA_INT, MsgHdr.IPV6_SCOPE, six.getScopeId());
        }
        return ipv6 ? MsgHdr.IPV6_NAME_BYTES : MsgHdr.IPV4_NAME_BYTES;
    }

    /** Sets an option; returns whether the kernel accepted it. */
    private boolean set(SharedDescriptor socket, int level, int option, int value) {
        number.set(JAVA_INT, 0, value);
        return SystemCall.call(
                        errno,
                        SystemCall.SETSOCKOPT,
                        socket.number(),
                        level,
                        option,
                        number.address(),
                        Integer.BYTES,
                        0)
                == 0;
    }

    @Override
    public void close() {
        arena.close();
    }
}
