package io.guidepost.bench.load;

import io.guidepost.base.Addresses;
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
public final class FloodGenerator implements Runnable {
    /** Datagrams sent at once: more would delay honest requests by their sending alone. */
    private static final int BURST = 8;

    /** Datagrams sent at once by a flood without a rate. */
    private static final int BURST_UNLIMITED = 64;

    private static final double NANOS_PER_SECOND = 1e9;

    private final TxQueue[] from;
    private final Burst[] bursts;
    private final List<InetSocketAddress> to;
    private final MemorySegment[] datagrams;
    private final double perSecond;
    private final int idOffset;
    private final int burst;
    private long startNanos;
    private long accepted;
    private long sent;

    /**
     * An attack that begins when it is first run.
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
        this.from = from.stream().map(port -> port.tx(0)).toArray(TxQueue[]::new);
        this.bursts = new Burst[this.from.length];
        for (int i = 0; i < bursts.length; i++) {
            bursts[i] = this.from[i].burst();
        }
        this.to = to;
        this.datagrams = datagrams.stream().map(MemorySegment::ofArray).toArray(MemorySegment[]::new);
        this.perSecond = perSecond;
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
        out.append(length, Addresses.high(server.getAddress()), Addresses.low(server.getAddress()), server.getPort());
    }
}
