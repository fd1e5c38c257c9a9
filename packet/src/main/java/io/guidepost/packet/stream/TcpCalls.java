package io.guidepost.packet.stream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.guidepost.packet.handover.InheritedSockets;
import io.guidepost.packet.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * Non-blocking TCP system calls of one thread. Sockets are identified by descriptor numbers. A negative result is a
 * negated error number of {@link SystemCall}.
 *
 * <pre>
 *  struct sockaddr_in, 16:     0 family (short)   2 port (big-endian)   4 address
 *  struct sockaddr_in6, 28:    0 family (short)   2 port (big-endian)   4 flow   8 address   24 scope (int)
 * </pre>
 */
public final class TcpCalls {
    /** Protocol number of MPTCP (RFC 8684): what a socket is opened with. On the wire it is TCP. */
    public static final int MULTIPATH = 262;

    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCK_STREAM_NONBLOCK_CLOEXEC = 0x80801;
    private static final int SOCK_NONBLOCK_CLOEXEC = 0x80800;
    private static final int SOL_SOCKET = 1;
    private static final int SO_REUSEADDR = 2;
    private static final int SO_RCVTIMEO = 20;
    private static final int SOCK_STREAM_CLOEXEC = 0x80001;
    private static final int MICROS_IN_MILLI = 1_000;
    private static final int MILLIS_IN_SECOND = 1_000;
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_NODELAY = 1;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_V6ONLY = 26;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int SHUT_WR = 1;
    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int PORT = 2;
    private static final int IPV4_ADDRESS = 4;
    private static final int IPV6_ADDRESS = 8;
    private static final int IPV6_SCOPE = 24;
    private static final int IPV4_NAME_BYTES = 16;
    private static final int IPV6_NAME_BYTES = 28;

    private final MemorySegment errno = SystemCall.errno(Arena.ofAuto());
    private final MemorySegment name = Arena.ofAuto().allocate(IPV6_NAME_BYTES, Long.BYTES);
    private final MemorySegment number = Arena.ofAuto().allocate(JAVA_INT);

    private final MemorySegment time = Arena.ofAuto().allocate(2 * Long.BYTES, Long.BYTES);
    private final int protocol;

    /** Creates the calls of one thread; on any thread. */
    public TcpCalls() {
        this(0);
    }

    /**
     * Creates the calls of one thread, with sockets of a protocol.
     *
     * @param protocol 0 for TCP, or {@link #MULTIPATH}
     */
    public TcpCalls(int protocol) {
        this.protocol = protocol;
    }

    /**
     * Opens a connection whose calls block.
     *
     * @param silenceMillis after which {@link #receive} returns -{@link SystemCall#EAGAIN}
     * @return its number
     * @throws IOException in a few words, if there is no such connection
     */
    public int connect(InetSocketAddress address, int silenceMillis) throws IOException {
        boolean six = address.getAddress() instanceof Inet6Address;
        int socket = (int) SystemCall.checked(
                SystemCall.call(errno, SystemCall.SOCKET, six ? AF_INET6 : AF_INET, SOCK_STREAM_CLOEXEC, protocol));
        try {
            time.set(JAVA_LONG, 0, silenceMillis / MILLIS_IN_SECOND);
            time.set(JAVA_LONG, Long.BYTES, (long) silenceMillis % MILLIS_IN_SECOND * MICROS_IN_MILLI);
            SystemCall.checked(SystemCall.call(
                    errno, SystemCall.SETSOCKOPT, socket, SOL_SOCKET, SO_RCVTIMEO, time.address(), time.byteSize(), 0));
            int length = write(address);
            SystemCall.checked(SystemCall.call(errno, SystemCall.CONNECT, socket, name.address(), length));
            return socket;
        } catch (IOException e) {
            close(socket);
            throw e;
        }
    }

    /**
     * Opens a listening socket with TCP_NODELAY, or takes the one that another process left there. The IPv6 wildcard includes IPv4.
     *
     * @param backlog connections that the kernel queues until they are accepted
     * @return its number
     * @throws IOException in a few words, if the address cannot be bound
     */
    public int listen(InetSocketAddress address, int backlog) throws IOException {
        int left = InheritedSockets.take(InheritedSockets.Kind.TCP, address);
        if (left >= 0) {
            return left;
        }
        boolean six = address.getAddress() instanceof Inet6Address;
        int socket = (int) SystemCall.checked(
                SystemCall.call(errno, SystemCall.SOCKET, six ? AF_INET6 : AF_INET, SOCK_STREAM_NONBLOCK_CLOEXEC, protocol));
        try {
            set(socket, SOL_SOCKET, SO_REUSEADDR, 1);
            // Accepted sockets inherit it without a call of their own.
            set(socket, IPPROTO_TCP, TCP_NODELAY, 1);
            if (six) {
                set(socket, IPPROTO_IPV6, IPV6_V6ONLY, address.getAddress().isAnyLocalAddress() ? 0 : 1);
            }
            int length = write(address);
            SystemCall.checked(SystemCall.call(errno, SystemCall.BIND, socket, name.address(), length));
            SystemCall.checked(SystemCall.call(errno, SystemCall.LISTEN, socket, backlog, 0));
            return socket;
        } catch (IOException e) {
            close(socket);
            throw e;
        }
    }

    private void set(int socket, int level, int option, int value) throws IOException {
        number.set(JAVA_INT, 0, value);
        SystemCall.checked(SystemCall.call(
                errno, SystemCall.SETSOCKOPT, socket, level, option, number.address(), Integer.BYTES, 0));
    }

    /** Accepts the next connection and returns its socket. {@link #peer} returns its peer until the next call. */
    public int accept(int socket) {
        number.set(JAVA_INT, 0, (int) name.byteSize());
        return (int) SystemCall.call(
                errno, SystemCall.ACCEPT4, socket, name.address(), number.address(), SOCK_NONBLOCK_CLOEXEC, 0, 0);
    }

    /** Returns the peer of the last accepted connection. */
    public InetSocketAddress peer() {
        return readName();
    }

    /** Returns the local address of a socket. */
    public InetSocketAddress local(int socket) {
        return name(SystemCall.GETSOCKNAME, socket);
    }

    /** Returns the peer of a connection; port 0 if it is gone. */
    public InetSocketAddress peer(int socket) {
        return name(SystemCall.GETPEERNAME, socket);
    }

    private InetSocketAddress name(int call, int socket) {
        name.fill((byte) 0);
        number.set(JAVA_INT, 0, (int) name.byteSize());
        SystemCall.call(errno, call, socket, name.address(), number.address());
        return readName();
    }

    /**
     * Receives available bytes.
     *
     * @param address of the destination memory
     * @param bytes size of that memory
     * @return bytes, at least 1; 0 if the peer has sent FIN
     */
    public int receive(int socket, long address, int bytes) {
        return (int) SystemCall.call(errno, SystemCall.RECVFROM, socket, address, bytes, 0, 0, 0);
    }

    /**
     * Sends as many bytes as the socket buffer takes.
     *
     * @param address of the source memory
     * @return bytes, fewer than given if the socket buffer is full (backpressure)
     */
    public int send(int socket, long address, int bytes) {
        return (int) SystemCall.call(errno, SystemCall.SENDTO, socket, address, bytes, MSG_NOSIGNAL, 0, 0);
    }

    /** Returns another number of a socket, which keeps its connection when the first is closed; negative if none is left. */
    public int duplicate(int socket) {
        return (int) SystemCall.call(errno, SystemCall.FCNTL, socket, F_DUPFD_CLOEXEC, 0);
    }

    /** Shuts down the sending direction, behind what was sent. */
    public void endOutput(int socket) {
        SystemCall.call(errno, SystemCall.SHUTDOWN, socket, SHUT_WR, 0);
    }

    /** Closes a socket: the kernel may reuse its number at once. */
    public void close(int socket) {
        SystemCall.call(errno, SystemCall.CLOSE, socket, 0, 0);
    }

    private int write(InetSocketAddress address) {
        boolean six = address.getAddress() instanceof Inet6Address;
        name.fill((byte) 0);
        name.set(JAVA_SHORT, 0, (short) (six ? AF_INET6 : AF_INET));
        name.set(JAVA_SHORT, PORT, Short.reverseBytes((short) address.getPort()));
        byte[] bytes = address.getAddress().getAddress();
        MemorySegment.copy(bytes, 0, name, JAVA_BYTE, six ? IPV6_ADDRESS : IPV4_ADDRESS, bytes.length);
        if (address.getAddress() instanceof Inet6Address of) {
            name.set(JAVA_INT, IPV6_SCOPE, of.getScopeId());
        }
        return six ? IPV6_NAME_BYTES : IPV4_NAME_BYTES;
    }

    private InetSocketAddress readName() {
        boolean six = name.get(JAVA_SHORT, 0) == AF_INET6;
        byte[] bytes = new byte[six ? 16 : 4];
        MemorySegment.copy(name, JAVA_BYTE, six ? IPV6_ADDRESS : IPV4_ADDRESS, bytes, 0, bytes.length);
        int port = Short.toUnsignedInt(Short.reverseBytes(name.get(JAVA_SHORT, PORT)));
        try {
            // An IPv4 peer of an IPv6 socket becomes an IPv4 address here.
            InetAddress address = InetAddress.getByAddress(bytes);
            int scope = six ? name.get(JAVA_INT, IPV6_SCOPE) : 0;
            return new InetSocketAddress(
                    scope != 0 && address instanceof Inet6Address ? Inet6Address.getByAddress(null, bytes, scope) : address,
                    port);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are always an address", e);
        }
    }
}
