package io.guidepost.packet;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.guidepost.base.Addresses;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One queue of a port as tests use it: with byte arrays. */
public final class TestPeer {
    private final Port port;
    private final int queue;
    private final Burst in;
    private final Burst out;

    /** One datagram that came, with everything that the burst said of it. */
    public record Datagram(byte[] bytes, InetSocketAddress peer, long localHigh, long localLow) {}

    public TestPeer(Port port) {
        this(port, 0);
    }

    public TestPeer(Port port, int queue) {
        this.port = port;
        this.queue = queue;
        in = port.rx(queue).burst();
        out = port.tx(queue).burst();
    }

    public static byte[] pattern(int length, int seed) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 + seed * 7 + (i >> 8));
        }
        return bytes;
    }

    Burst in() {
        return in;
    }

    public Burst out() {
        return out;
    }

    public void append(byte[] bytes, InetSocketAddress to) {
        MemorySegment.copy(bytes, 0, out.segment(), JAVA_BYTE, out.room(), bytes.length);
        out.append(bytes.length, Addresses.high(to.getAddress()), Addresses.low(to.getAddress()), to.getPort());
    }

    public int flush() {
        return port.tx(queue).send(out);
    }

    public void send(byte[] bytes, InetSocketAddress to) {
        append(bytes, to);
        Eventually.await("the port has a place for the datagram", () -> flush() == 0);
    }

    /** Receives until so many have come. */
    public List<Datagram> receive(int number) {
        List<Datagram> datagrams = new ArrayList<>();
        Eventually.await("the arrival of " + number + " datagrams", () -> {
            datagrams.addAll(receiveNow());
            return datagrams.size() >= number;
        });
        return datagrams;
    }

    public List<Datagram> receiveNow() {
        List<Datagram> datagrams = new ArrayList<>();
        int count = port.rx(queue).receive(in);
        for (int i = 0; i < count; i++) {
            byte[] bytes = in.segment().asSlice(in.offset(i), in.length(i)).toArray(JAVA_BYTE);
            InetSocketAddress peer = new InetSocketAddress(
                    Addresses.toInetAddress(in.peerHigh(i), in.peerLow(i)), in.peerPort(i));
            datagrams.add(new Datagram(bytes, peer, in.localHigh(i), in.localLow(i)));
        }
        return datagrams;
    }

    /** Sends back what is in the burst that was received last. */
    public void echo() {
        for (int i = 0; i < in.count(); i++) {
            MemorySegment.copy(in.segment(), in.offset(i), out.segment(), out.room(), in.length(i));
            out.append(in.length(i), in, i);
        }
        Eventually.await("the port has a place for the answers", () -> flush() == 0);
    }

    public long sum(Drop... reasons) {
        return Arrays.stream(reasons)
                .mapToLong(reason -> port.rx(queue).statistics().drops(reason)
                        + port.tx(queue).statistics().drops(reason))
                .sum();
    }
}
