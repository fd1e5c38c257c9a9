package io.guidepost.packet.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.guidepost.base.AddressText;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * MD5 signatures of TCP segments with a password (RFC 2385), which BGP peers require. The kernel signs and verifies; it
 * drops segments with a wrong signature silently. Thread-safe.
 *
 * <p>Java's sockets have no such option and hide their descriptors. So the descriptor is found by its bound address and
 * port, which one socket of this process has.
 *
 * <pre>
 * struct sockaddr_in    0 family (2), port (2, big-endian), address (4)
 * struct sockaddr_in6   0 family (2), port (2, big-endian), flow (4), address (16), scope (4)
 * struct tcp_md5sig     0 address of the peer (128), 130 length of the key (2), 136 key (80)
 * </pre>
 */
public final class TcpMd5Signature {
    /** Bytes of a password at most: the kernel's bound. */
    public static final int KEY_BYTES_MAX = 80;

    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOL_SOCKET = 1;
    private static final int SO_PROTOCOL = 38;
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_MD5SIG = 14;
    private static final int ADDRESS_BYTES = 128;
    private static final int KEY_LENGTH_AT = ADDRESS_BYTES + 2;
    private static final int KEY_AT = ADDRESS_BYTES + 8;
    private static final int SIGNATURE_BYTES = KEY_AT + KEY_BYTES_MAX;

    private TcpMd5Signature() {}

    /**
     * Enables signatures towards a peer. Call it before the socket connects or listens; accepted connections inherit
     * it.
     *
     * @param bound local address and port of the socket, which no other TCP socket of this process has
     * @param peer the peer's address
     * @param key 1 to {@link #KEY_BYTES_MAX} bytes
     * @throws IOException in one line, if the kernel refuses or the socket is not found
     */
    public static void require(InetSocketAddress bound, InetAddress peer, byte[] key) throws IOException {
        if (key.length < 1 || key.length > KEY_BYTES_MAX) {
            throw new IOException("a TCP MD5 password has 1 to " + KEY_BYTES_MAX + " bytes, not " + key.length);
        }
        if (!SystemCall.AVAILABLE) {
            throw new IOException("TCP MD5 signatures need Linux on x86-64 or aarch64");
        }
        try (Arena arena = Arena.ofConfined()) {
            Sockets sockets = new Sockets(arena);
            int descriptor = sockets.boundTo(bound);
            int family = sockets.family();
            MemorySegment signature = arena.allocate(SIGNATURE_BYTES, 8);
            byte[] address = peer.getAddress();
            if (family == AF_INET && address.length != 4) {
                throw new IOException(AddressText.of(peer) + " can't be reached from a socket of IPv4");
            }
            signature.set(JAVA_SHORT, 0, (short) family);
            MemorySegment.copy(
                    MemorySegment.ofArray(family == AF_INET ? address : mapped(address)), 0, signature,
                    family == AF_INET ? 4 : 8, family == AF_INET ? 4 : 16);
            signature.set(JAVA_SHORT, KEY_LENGTH_AT, (short) key.length);
            MemorySegment.copy(MemorySegment.ofArray(key), 0, signature, KEY_AT, key.length);
            long result = SystemCall.call(
                    sockets.errno, SystemCall.SETSOCKOPT, descriptor, IPPROTO_TCP, TCP_MD5SIG, signature.address(),
                    SIGNATURE_BYTES, 0);
            if (result < 0) {
                throw new IOException("the kernel does not sign TCP (CONFIG_TCP_MD5SIG): "
                        + SystemCall.meaning((int) -result));
            }
        }
    }

    private static byte[] mapped(byte[] address) {
        if (address.length == 16) {
            return address;
        }
        byte[] mapped = new byte[16];
        mapped[10] = -1;
        mapped[11] = -1;
        System.arraycopy(address, 0, mapped, 12, 4);
        return mapped;
    }

    /** Iterates over the sockets of this process. */
    private static final class Sockets {
        private final MemorySegment errno;
        private final MemorySegment name;
        private final MemorySegment number;
        private final MemorySegment length;

        Sockets(Arena arena) {
            errno = SystemCall.errno(arena);
            name = arena.allocate(ADDRESS_BYTES, 8);
            number = arena.allocate(JAVA_INT);
            length = arena.allocate(JAVA_INT);
        }

        /** Returns the descriptor of the TCP socket bound to an address, and sets {@link #family}. */
        int boundTo(InetSocketAddress bound) throws IOException {
            List<Integer> found = new ArrayList<>();
            try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
                for (Path each : all) {
                    int descriptor = Integer.parseInt(each.getFileName().toString());
                    if (isTcp(descriptor) && isBoundTo(descriptor, bound)) {
                        found.add(descriptor);
                    }
                }
            }
            if (found.size() != 1 || !isBoundTo(found.getFirst(), bound)) {
                throw new IOException(found.size() + " TCP sockets are bound to " + bound + ", where one was expected");
            }
            return found.getFirst();
        }

        private boolean isTcp(int descriptor) {
            length.set(JAVA_INT, 0, Integer.BYTES);
            long result = SystemCall.call(
                    errno, SystemCall.GETSOCKOPT, descriptor, SOL_SOCKET, SO_PROTOCOL, number.address(), length.address(), 0);
            return result >= 0 && number.get(JAVA_INT, 0) == IPPROTO_TCP;
        }

        private boolean isBoundTo(int descriptor, InetSocketAddress bound) throws IOException {
            length.set(JAVA_INT, 0, ADDRESS_BYTES);
            if (SystemCall.call(errno, SystemCall.GETSOCKNAME, descriptor, name.address(), length.address()) < 0
                    || family() != AF_INET && family() != AF_INET6) {
                return false;
            }
            int port = Short.toUnsignedInt(Short.reverseBytes(name.get(JAVA_SHORT, 2)));
            byte[] address = name.asSlice(family() == AF_INET ? 4 : 8, family() == AF_INET ? 4 : 16).toArray(JAVA_BYTE);
            InetAddress there = InetAddress.getByAddress(address);
            InetAddress wanted = bound.getAddress();
            return port == bound.getPort()
                    && (there.equals(wanted) || there.isAnyLocalAddress() && wanted.isAnyLocalAddress());
        }

        int family() {
            return name.get(JAVA_SHORT, 0);
        }
    }
}
