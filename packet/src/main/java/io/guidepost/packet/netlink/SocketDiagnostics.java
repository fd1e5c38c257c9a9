package io.guidepost.packet.netlink;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import java.io.IOException;

/**
 * Asks the kernel for the socket that a packet would come to (sock_diag(7)): one request and one answer, however many sockets there
 * are. Belongs to one thread at a time, and to the network namespace of the one that opened it.
 *
 * <pre>
 *  struct inet_diag_req_v2, 56 bytes
 *   0 family   1 protocol   2 extensions   4 states (int)   8 own port (big-endian)   10 other port   12 own address, 16 bytes
 *  28 other address, 16 bytes   44 interface (int)   48 cookie, 8 bytes; of UDP own and other are exchanged
 *  struct inet_diag_msg:  0 family   1 state
 * </pre>
 */
public final class SocketDiagnostics implements AutoCloseable {
    private static final int SOCK_DIAG_BY_FAMILY = 20;
    private static final int REQUEST_BYTES = 56;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int UDP = 17;
    private static final int NEAR_PORT = 8;
    private static final int FAR_PORT = 10;
    private static final int NEAR_ADDRESS = 12;
    private static final int FAR_ADDRESS = 28;
    private static final int COOKIE = 48;
    private static final int ENOENT = 2;

    private final NetlinkSocket socket = new NetlinkSocket(NetlinkSocket.SOCK_DIAG, 0);

    /**
     * Opens a socket.
     *
     * @throws IOException if the kernel has no netlink
     */
    public SocketDiagnostics() throws IOException {}

    /**
     * Returns whether a socket takes new connections at an address and port, or datagrams; one that is bound to every address
     * does too.
     *
     * @param protocol number of TCP or UDP
     * @param high high half of the address, as in {@link Addresses}
     * @return true also if the kernel does not tell
     */
    public boolean listens(int protocol, long high, long low, int port) {
        long body = socket.body();
        for (int i = 0; i < REQUEST_BYTES; i += Long.BYTES) {
            Memory.put64Le(body + i, 0);
        }
        boolean ipv4 = Addresses.isIpv4(high, low);
        long address = body + (protocol == UDP ? FAR_ADDRESS : NEAR_ADDRESS);
        Memory.put16Le(body, protocol << 8 | (ipv4 ? AF_INET : AF_INET6));
        Memory.put32Le(body + 4, -1);
        Memory.put16(body + (protocol == UDP ? FAR_PORT : NEAR_PORT), port);
        Memory.put64(address, ipv4 ? low << Integer.SIZE : high);
        Memory.put64(address + Long.BYTES, ipv4 ? 0 : low);
        Memory.put64Le(body + COOKIE, -1);
        while (socket.receive() >= 0) {
            // What an earlier request was answered too late is of no use.
        }
        if (socket.send(SOCK_DIAG_BY_FAMILY, 0, REQUEST_BYTES) < 0 || socket.receive() < NetlinkSocket.HEADER_BYTES + Integer.BYTES) {
            return true;
        }
        return Memory.u16Le(socket.received() + NetlinkSocket.TYPE) != NetlinkSocket.NLMSG_ERROR
                || Memory.i32Le(socket.received() + NetlinkSocket.HEADER_BYTES) != -ENOENT;
    }

    @Override
    public void close() {
        socket.close();
    }
}
