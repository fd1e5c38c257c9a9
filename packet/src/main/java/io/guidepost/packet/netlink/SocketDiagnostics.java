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
 *  struct inet_diag_msg:  0 family   1 state (10 = listens)
 * </pre>
 */
public final class SocketDiagnostics implements AutoCloseable {
    private static final int SOCK_DIAG_BY_FAMILY = 20;
    private static final int REQUEST_BYTES = 56;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int LISTEN = 10;
    private static final int NONE = -1;
    private static final int UNKNOWN = 0;
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
        begin(protocol, Addresses.isIpv4(high, low));
        if (protocol == UDP) {
            end(FAR_ADDRESS, high, low, FAR_PORT, port);
        } else {
            end(NEAR_ADDRESS, high, low, NEAR_PORT, port);
        }
        return ask() != NONE;
    }

    /**
     * Returns whether there is a connection of TCP between an own address and port, and those of another host.
     *
     * @return true also if the kernel does not tell
     */
    public boolean hasConnection(long ownHigh, long ownLow, int ownPort, long peerHigh, long peerLow, int peerPort) {
        begin(TCP, Addresses.isIpv4(ownHigh, ownLow));
        end(NEAR_ADDRESS, ownHigh, ownLow, NEAR_PORT, ownPort);
        end(FAR_ADDRESS, peerHigh, peerLow, FAR_PORT, peerPort);
        int state = ask();
        // Where there is no connection the kernel finds the socket that would take it.
        return state != NONE && state != LISTEN;
    }

    private void begin(int protocol, boolean ipv4) {
        long body = socket.body();
        for (int i = 0; i < REQUEST_BYTES; i += Long.BYTES) {
            Memory.put64Le(body + i, 0);
        }
        Memory.put16Le(body, protocol << 8 | (ipv4 ? AF_INET : AF_INET6));
        Memory.put32Le(body + 4, -1);
        Memory.put64Le(body + COOKIE, -1);
    }

    private void end(int at, long high, long low, int portAt, int port) {
        boolean ipv4 = Addresses.isIpv4(high, low);
        long address = socket.body() + at;
        Memory.put16(socket.body() + portAt, port);
        Memory.put64(address, ipv4 ? low << Integer.SIZE : high);
        Memory.put64(address + Long.BYTES, ipv4 ? 0 : low);
    }

    /** Returns the state of the socket that the kernel finds, {@link #NONE} if there is none, {@link #UNKNOWN} if it does not tell. */
    private int ask() {
        while (socket.receive() >= 0) {
            // What an earlier request was answered too late is of no use.
        }
        if (socket.send(SOCK_DIAG_BY_FAMILY, 0, REQUEST_BYTES) < 0 || socket.receive() < NetlinkSocket.HEADER_BYTES + Integer.BYTES) {
            return UNKNOWN;
        }
        long answer = socket.received();
        if (Memory.u16Le(answer + NetlinkSocket.TYPE) != NetlinkSocket.NLMSG_ERROR) {
            return Memory.u8(answer + NetlinkSocket.HEADER_BYTES + 1);
        }
        return Memory.i32Le(answer + NetlinkSocket.HEADER_BYTES) == -ENOENT ? NONE : UNKNOWN;
    }

    @Override
    public void close() {
        socket.close();
    }
}
