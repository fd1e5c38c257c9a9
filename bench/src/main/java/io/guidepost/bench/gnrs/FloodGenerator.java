package io.guidepost.bench.gnrs;

import io.guidepost.base.Addresses;
import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.TxQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Datagrams that someone sends who does not wait for answers: from one or several sockets in turn, to one or several
 * servers in turn, at a rate. A {@link GnrsLoadGenerator} runs it {@linkplain GnrsLoadGenerator#alongside alongside} the honest load,
 * a few datagrams at a time, as honest requests wait meanwhile.
 */
final class FloodGenerator implements Runnable {
    /** Datagrams sent at once: more would delay honest requests by their sending alone. */
    private static final int BURST = 8;

    private static final double NANOS_PER_SECOND = 1e9;

    private final TxQueue[] from;
    private final Burst[] bursts;
    private final List<InetSocketAddress> to;
    private final MemorySegment[] datagrams;
    private final double perSecond;
    private long startNanos;
    private long sent;

    /**
     * An attack that begins when it is first run.
     *
     * @param from its sockets
     * @param to the servers; a datagram goes to each of them before the next one's turn
     * @param datagrams what is sent, again and again
     * @param perSecond datagrams a second in all
     */
    FloodGenerator(List<Port> from, List<InetSocketAddress> to, List<byte[]> datagrams, double perSecond) {
        this.from = from.stream().map(port -> port.tx(0)).toArray(TxQueue[]::new);
        this.bursts = new Burst[this.from.length];
        for (int i = 0; i < bursts.length; i++) {
            bursts[i] = this.from[i].burst();
        }
        this.to = to;
        this.datagrams = datagrams.stream().map(MemorySegment::ofArray).toArray(MemorySegment[]::new);
        this.perSecond = perSecond;
    }

    double perSecond() {
        return perSecond;
    }

    /** Begins again now: what was not due while it rested is not made up for. */
    void begin(long nowNanos) {
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
        int socket = (int) (sent / BURST % from.length);
        Burst burst = bursts[socket];
        long last = sent + Math.min(due, BURST);
        while (sent < last) {
            add(burst, sent++);
        }
        from[socket].send(burst);
        if (burst.count() > 0) {
            from[socket].drop(burst);
        }
    }

    private void add(Burst burst, long number) {
        InetSocketAddress server = to.get((int) (number % to.size()));
        MemorySegment datagram = datagrams[(int) (number / to.size() % datagrams.length)];
        int length = (int) datagram.byteSize();
        MemorySegment.copy(datagram, 0, burst.segment(), burst.room(), length);
        // A request id of its own, or the requests would be repetitions.
        burst.segment().set(ValueLayout.JAVA_INT_UNALIGNED, burst.room() + 4, (int) number);
        burst.append(length, Addresses.high(server.getAddress()), Addresses.low(server.getAddress()), server.getPort());
    }
}
