package io.guidepost.handle.client;

import io.guidepost.base.Counters;
import io.guidepost.handle.message.HandleEnvelope;
import io.guidepost.handle.message.MessageFragmenter;
import io.guidepost.handle.message.MessageFraming;
import io.guidepost.handle.message.MessagePacketCount;
import io.guidepost.handle.message.MessageReassembly;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The transport over UDP: a request in one or several packets, retransmitted up to twice with the same id, as existing
 * clients do. Each request has its own socket, so that an attacker must guess the port (source port randomization).
 */
final class HandleUdpTransport implements HandleTransport {
    private static final int ATTEMPTS = 3;

    /** The fragmentation flag in the third byte of an envelope. */
    private static final byte SPLIT = 0x20;

    private static final int FLAGS = 2;

    /** Buffer for packets, larger than the protocol's: a longer packet is detected by its length and ignored. */
    private static final int PACKET_BYTES = 4 * MessageFragmenter.BYTES_MAX;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final InetSocketAddress server;
    private final Duration firstWait;

    HandleUdpTransport(InetSocketAddress server, Duration firstWait) {
        this.server = server;
        this.firstWait = firstWait;
    }

    @Override
    public byte[] ask(byte[] request, boolean repeatable) throws IOException {
        List<byte[]> packets = MessageFragmenter.of(request);
        if (packets.size() > 1) {
            packets.forEach(each -> each[FLAGS] |= SPLIT);
        }
        MessageReassembly reassembly = new MessageReassembly(new Counters<>(MessagePacketCount.class));
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(server);
            for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
                for (byte[] each : packets) {
                    socket.send(new DatagramPacket(each, each.length));
                }
                long until = System.nanoTime() + attempt * firstWait.toNanos();
                Optional<byte[]> answer = receive(socket, MessageFraming.requestId(request), until, reassembly);
                if (answer.isPresent()) {
                    return answer.get();
                }
            }
        }
        throw new SocketTimeoutException("no answer from udp://" + server.getHostString() + ":" + server.getPort()
                + " to " + ATTEMPTS + " attempts");
    }

    private static Optional<byte[]> receive(DatagramSocket socket, int requestId, long until, MessageReassembly reassembly)
            throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[PACKET_BYTES], PACKET_BYTES);
        while (true) {
            long millis = (until - System.nanoTime()) / NANOS_PER_MILLI;
            if (millis <= 0) {
                return Optional.empty();
            }
            socket.setSoTimeout((int) Math.min(millis, Integer.MAX_VALUE));
            packet.setLength(packet.getData().length);
            try {
                socket.receive(packet);
            } catch (SocketTimeoutException e) {
                return Optional.empty();
            }
            if (packet.getLength() >= HandleEnvelope.BYTES && MessageFraming.requestId(packet.getData()) == requestId) {
                Optional<byte[]> whole = reassembly.take(
                        0,
                        0,
                        0,
                        MemorySegment.ofArray(packet.getData()),
                        0,
                        packet.getLength(),
                        System.nanoTime() / NANOS_PER_MILLI);
                if (whole.isPresent()) {
                    return whole;
                }
            }
        }
    }

    /** Sends a request for a list. Lists do not fit datagrams: only the first message is taken. */
    @Override
    public void requestAll(byte[] request, Each each) throws IOException {
        if (each.take(ask(request, true))) {
            throw new IOException("the answer has several parts, which UDP does not carry: ask over TCP");
        }
    }

    @Override
    public void close() {}
}
