package io.guidepost.server;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.HexFormat;

/** A socket that speaks in hexadecimal: datagrams as they stand in a specification. */
final class HexSocket implements AutoCloseable {
    private static final int WAIT_MILLIS = 5000;
    private static final int SILENCE_MILLIS = 150;
    private static final int ORIGIN_PORT = 20;

    private final DatagramSocket socket;
    private final InetSocketAddress server;

    private HexSocket(DatagramSocket socket, InetSocketAddress server) {
        this.socket = socket;
        this.server = server;
    }

    static HexSocket to(InetSocketAddress server) throws IOException {
        return new HexSocket(new DatagramSocket(0, InetAddress.getLoopbackAddress()), server);
    }

    /** Sends a request whose origin is 127.0.0.1, with the port of this socket in place of the one written there. */
    HexSocket send(String hex) throws IOException {
        byte[] bytes = HexFormat.of().parseHex(hex);
        for (int at = 0; at + ORIGIN_PORT + 1 < bytes.length; at += length(bytes, at)) {
            bytes[at + ORIGIN_PORT] = (byte) (socket.getLocalPort() >> 8);
            bytes[at + ORIGIN_PORT + 1] = (byte) socket.getLocalPort();
        }
        return sendAsItIs(bytes);
    }

    private static int length(byte[] bytes, int at) {
        return Math.max(1, (bytes[at + 2] & 0xff) << 8 | bytes[at + 3] & 0xff);
    }

    HexSocket sendAsItIs(byte[] bytes) throws IOException {
        socket.send(new DatagramPacket(bytes, bytes.length, server));
        return this;
    }

    /** The next datagram that comes. */
    String receive() throws IOException {
        socket.setSoTimeout(WAIT_MILLIS);
        return next();
    }

    /** What is asked, and what is answered. */
    String ask(String hex) throws IOException {
        return send(hex).receive();
    }

    /** Whether nothing comes; a datagram that the server answers at all is answered long before this gives up. */
    boolean silent() throws IOException {
        socket.setSoTimeout(SILENCE_MILLIS);
        try {
            next();
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        }
    }

    private String next() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[65536], 65536);
        socket.receive(packet);
        return HexFormat.of().formatHex(Arrays.copyOf(packet.getData(), packet.getLength()));
    }

    @Override
    public void close() {
        socket.close();
    }
}
