package io.guidepost.server;

import io.guidepost.base.Addresses;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.udp.UdpBackEnd;
import io.guidepost.packet.udp.UdpPorts;
import io.guidepost.packet.udp.UdpSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;

/** Sends datagrams from a port of any kind, and waits for those that come. For one thread. */
final class DatagramPeer implements DatagramClient {
    private static final long WAIT_NANOS_MAX = 120_000_000_000L;

    private final Port port;
    private final Burst out;
    private final Burst in;
    private final Queue<Datagram> received = new ArrayDeque<>();

    DatagramPeer(Port port) {
        this.port = port;
        this.out = port.tx(0).burst();
        this.in = port.rx(0).burst();
    }

    /** Opens one on a socket of the kernel. */
    static DatagramPeer at(String address) throws IOException {
        return new DatagramPeer(UdpPorts.open(
                UdpSettings.of(new InetSocketAddress(InetAddress.ofLiteral(address), 0)).withBackEnd(UdpBackEnd.CHANNEL)));
    }

    Port port() {
        return port;
    }

    @Override
    public void send(InetSocketAddress to, byte[] bytes) {
        MemorySegment.copy(bytes, 0, out.segment(), ValueLayout.JAVA_BYTE, out.room(), bytes.length);
        out.append(bytes.length, Addresses.high(to.getAddress()), Addresses.low(to.getAddress()), to.getPort());
        port.tx(0).send(out);
    }

    @Override
    public void turn() {
        port.rx(0).receive(in);
        for (int i = 0; i < in.count(); i++) {
            byte[] bytes = in.segment().asSlice(in.offset(i), in.length(i)).toArray(ValueLayout.JAVA_BYTE);
            InetAddress from = Addresses.toInetAddress(in.peerHigh(i), in.peerLow(i));
            received.add(new Datagram(new InetSocketAddress(from, in.peerPort(i)), bytes));
        }
        port.tx(0).send(out);
    }

    /** Returns whether a datagram waits. */
    boolean hasReceived() {
        return !received.isEmpty();
    }

    @Override
    public Datagram receive() {
        long end = System.nanoTime() + WAIT_NANOS_MAX;
        while (received.isEmpty()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("nothing came to " + port.name());
            }
            turn();
            LockSupport.parkNanos(20_000);
        }
        return received.remove();
    }

    @Override
    public void close() {
        port.close();
    }

    /** Obeys lines: {@code send ADDRESS PORT HEX}, and {@code receive}, which it answers with {@code ADDRESS PORT HEX}. */
    public static void main(String[] args) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (DatagramPeer peer = at(args[0])) {
            System.out.println("ready");
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", -1);
                if (words[0].equals("send")) {
                    InetAddress to = InetAddress.ofLiteral(words[1]);
                    peer.send(new InetSocketAddress(to, Integer.parseInt(words[2])), HexFormat.of().parseHex(words[3]));
                } else {
                    Datagram came = peer.receive();
                    System.out.println(came.from().getAddress().getHostAddress() + " " + came.from().getPort() + " "
                            + HexFormat.of().formatHex(came.bytes()));
                }
            }
        }
    }
}
