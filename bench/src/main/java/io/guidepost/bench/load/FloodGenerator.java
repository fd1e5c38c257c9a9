package io.guidepost.bench.load;

import io.guidepost.base.Addresses;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A flood client of any door: it sends datagrams at a rate or as fast as it can, from one or several sockets in turn, to one
 * or several servers in turn, and does not wait for responses. A {@link GnrsLoadGenerator} runs it
 * {@linkplain GnrsLoadGenerator#alongside alongside} the honest load, a few datagrams at a time, as honest requests wait
 * meanwhile.
 */
public final class FloodGenerator implements Runnable {
    /** Datagrams sent at once: more would delay honest requests by their sending alone. */
    private static final int BURST = 8;

    /** Datagrams sent at once by a flood without a rate. */
    private static final int BURST_UNLIMITED = 64;

    private static final double NANOS_PER_SECOND = 1e9;

    private final RxQueue[] rx;
    private final Burst[] responses;
    private final TxQueue[] from;
    private final Burst[] bursts;
    private final List<InetSocketAddress> to;
    private final MemorySegment[] datagrams;
    private final double perSecond;
    private final int idOffset;
    private final int burst;
    private @Nullable SplittableRandom spoofed;
    private long startNanos;
    private long accepted;
    private long answers;
    private long sent;

    /**
     * Creates a flood that begins when it is first run.
     *
     * @param from its sockets
     * @param to the servers; a datagram goes to each of them before the next one's turn
     * @param datagrams what is sent, again and again
     * @param idOffset where each gets a number of its own, or the requests would be retransmissions
     * @param perSecond datagrams a second in all; infinite for as many as the socket takes
     */
    public FloodGenerator(List<Port> from, List<InetSocketAddress> to, List<byte[]> datagrams, int idOffset, double perSecond) {
        this.idOffset = idOffset;
        this.burst = Double.isInfinite(perSecond) ? BURST_UNLIMITED : BURST;
        this.rx = from.stream().map(port -> port.rx(0)).toArray(RxQueue[]::new);
        this.responses = Arrays.stream(rx).map(RxQueue::burst).toArray(Burst[]::new);
        this.from = from.stream().map(port -> port.tx(0)).toArray(TxQueue[]::new);
        this.bursts = Arrays.stream(this.from).map(TxQueue::burst).toArray(Burst[]::new);
        this.to = to;
        this.datagrams = datagrams.stream().map(MemorySegment::ofArray).toArray(MemorySegment[]::new);
        this.perSecond = perSecond;
    }

    /** Creates a flood as fast as its sockets take it, with the messages of a door. */
    public static FloodGenerator unlimited(List<Port> from, InetSocketAddress server, UdpRequests requests) {
        List<byte[]> messages =
                IntStream.range(0, requests.count()).mapToObj(requests::message).toList();
        return new FloodGenerator(from, List.of(server), messages, requests.idOffset(), Double.POSITIVE_INFINITY);
    }

    /**
     * Spoofs sources: from now on each datagram comes from another address of 127.0.0.0/8. All of these are this machine's,
     * so the kernel sends from them; the sockets must be bound to every address.
     */
    public FloodGenerator spoofing() {
        spoofed = new SplittableRandom(1);
        return this;
    }

    public double perSecond() {
        return perSecond;
    }

    /** Begins again now: what was not due while it rested is not made up for. */
    public void begin(long nowNanos) {
        startNanos = nowNanos;
        sent = 0;
    }

    /** Sends what is due, a few datagrams at most. */
    @Override
    public void run() {
        long now = System.nanoTime();
        long due = (long) ((now - startNanos) / NANOS_PER_SECOND * perSecond) - sent;
        if (due <= 0) {
            return;
        }
        // What is sent at once goes from one socket, so that it is one call; sockets take turns.
        int socket = (int) (sent / burst % from.length);
        Burst out = bursts[socket];
        long last = sent + Math.min(due, burst);
        while (sent < last) {
            add(out, sent++);
        }
        int before = out.count();
        int left = from[socket].send(out);
        accepted += before - left;
        if (left > 0) {
            from[socket].drop(out);
        }
    }

    /** Receives responses, one burst of each socket, and counts them. */
    public void drain() {
        for (int i = 0; i < rx.length; i++) {
            answers += rx[i].receive(responses[i]);
        }
    }

    /** Returns the number of responses that it received. */
    public long answers() {
        return answers;
    }

    /** Returns the datagrams that the sockets have taken since it was made. */
    public long accepted() {
        return accepted;
    }

    private void add(Burst out, long number) {
        InetSocketAddress server = to.get((int) (number % to.size()));
        MemorySegment datagram = datagrams[(int) (number / to.size() % datagrams.length)];
        int length = (int) datagram.byteSize();
        MemorySegment.copy(datagram, 0, out.segment(), out.room(), length);
        out.segment().set(ValueLayout.JAVA_INT_UNALIGNED, out.room() + idOffset, (int) number);
        long high = Addresses.high(server.getAddress());
        long low = Addresses.low(server.getAddress());
        if (spoofed == null) {
            out.append(length, high, low, server.getPort());
        } else {
            long source = Addresses.ipv4Low(127 << 24 | 1 + spoofed.nextInt((1 << 24) - 2));
            out.append(length, high, low, server.getPort(), 0, source);
        }
    }
}
