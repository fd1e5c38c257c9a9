package io.guidepost.bench.load;

import io.guidepost.base.Addresses;
import io.guidepost.bench.process.GeneratorPriority;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A load generator for a UDP protocol, in a closed loop or, with a rate, in an open one.
 * One thread that never sleeps and allocates nothing, as
 * {@link GnrsLoadGenerator}.
 */
public final class UdpLoadGenerator {
    private static final int BURST = 64;
    private static final int EXPIRE_SLOTS = 64;
    private static final long TIMEOUT_NANOS = 500_000_000;

    private final UdpRequests requests;
    private final RxQueue rx;
    private final TxQueue tx;
    private final Burst in;
    private final Burst out;
    private final long serverHigh;
    private final long serverLow;
    private final int serverPort;
    private final LongSupplier serverNanos;
    private final OutstandingRequests outstanding;
    private final LongConsumer lost = this::lose;
    private final double perSecond;
    private Runnable alongside = () -> {};
    private OpenLoopSchedule pace = new OpenLoopSchedule(0, 1, 1);
    private long issued;
    private LoadRecorder watch = new LoadRecorder(Long.MAX_VALUE, Long.MAX_VALUE);
    private int next;

    /** Creates a generator in a closed loop. */
    public UdpLoadGenerator(
            Port port, InetSocketAddress server, UdpRequests requests, int waiting, LongSupplier serverNanos) {
        this(port, server, requests, waiting, 0, serverNanos);
    }

    /**
     * Creates a generator.
     *
     * @param port bound to an address that the server can reach; the caller closes it
     * @param server destination of requests
     * @param waiting most outstanding requests
     * @param perSecond rate of an open loop, 0 for a closed one
     * @param serverNanos processor time of the server
     */
    public UdpLoadGenerator(
            Port port,
            InetSocketAddress server,
            UdpRequests requests,
            int waiting,
            double perSecond,
            LongSupplier serverNanos) {
        this.perSecond = perSecond;
        this.requests = requests;
        this.rx = port.rx(0);
        this.tx = port.tx(0);
        this.in = rx.burst();
        this.out = tx.burst();
        this.serverHigh = Addresses.high(server.getAddress());
        this.serverLow = Addresses.low(server.getAddress());
        this.serverPort = server.getPort();
        this.serverNanos = serverNanos;
        this.outstanding = new OutstandingRequests(waiting, (int) (System.nanoTime() >>> 10));
    }

    /** Registers a task for every turn on this thread; it must be short, as it adds to latencies. */
    public void alongside(Runnable task) {
        alongside = task;
    }

    /** Runs a warm-up, then the measured window, then waits for outstanding requests. */
    public LoadResult run(long warmNanos, long windowNanos) {
        GeneratorPriority.take();
        long start = System.nanoTime();
        pace = new OpenLoopSchedule(start, perSecond > 0 ? perSecond : 1, 1);
        issued = 0;
        watch = new LoadRecorder(start + warmNanos, start + warmNanos + windowNanos);
        turnUntil(watch.startNanos, true);
        long cpuBefore = serverNanos.getAsLong();
        turnUntil(watch.endNanos, true);
        long cpuAfter = serverNanos.getAsLong();
        long drained = System.nanoTime() + TIMEOUT_NANOS;
        while (outstanding.count() > 0 && System.nanoTime() - drained < 0) {
            turnUntil(System.nanoTime() + 1, false);
        }
        outstanding.expire(System.nanoTime() + 1, Integer.MAX_VALUE, lost);
        return watch.tally(windowNanos, cpuBefore, cpuAfter);
    }

    private void turnUntil(long endNanos, boolean sending) {
        for (long now = System.nanoTime(); now - endNanos < 0; now = System.nanoTime()) {
            int moved = rx.receive(in);
            long came = moved > 0 ? System.nanoTime() : now;
            for (int i = 0; i < moved; i++) {
                take(i, came);
            }
            outstanding.expire(now - TIMEOUT_NANOS, EXPIRE_SLOTS, lost);
            if (sending) {
                moved += send(came);
                alongside.run();
            }
            watch.turn(now, moved);
            if (moved == 0) {
                GeneratorPriority.idle();
            }
        }
    }

    private void take(int index, long now) {
        MemorySegment segment = in.segment();
        long offset = in.offset(index);
        boolean ours = in.peerLow(index) == serverLow
                && in.peerPort(index) == serverPort
                && in.peerHigh(index) == serverHigh
                && requests.isResponse(segment, offset, in.length(index));
        int slot = ours ? outstanding.slot(requests.idOf(segment, offset), requests.idMask()) : OutstandingRequests.NONE;
        if (slot == OutstandingRequests.NONE) {
            watch.stray++;
            return;
        }
        watch.answered(
                requests.verdict((int) outstanding.what(slot), segment, offset, in.length(index)),
                outstanding.intendedNanos(slot),
                outstanding.sentNanos(slot),
                now);
        outstanding.close(slot);
    }

    private int send(long now) {
        if (out.count() > 0 && tx.send(out) > 0) {
            return 0; // The socket buffer is full; the rest of the burst goes first.
        }
        int due = due(now);
        for (int i = 0; i < due; i++) {
            byte[] request = requests.message(next);
            long room = out.room();
            MemorySegment.copy(request, 0, out.segment(), ValueLayout.JAVA_BYTE, room, request.length);
            long intended = perSecond > 0 ? pace.intendedNanos(issued) : now;
            issued++;
            requests.setId(out.segment(), room, outstanding.open(next, intended, now));
            out.append(request.length, serverHigh, serverLow, serverPort);
            next = next + 1 == requests.count() ? 0 : next + 1;
        }
        if (due > 0) {
            tx.send(out);
            watch.sent(now, due);
        }
        return due;
    }

    private int due(long now) {
        int room = Math.min(BURST, outstanding.room());
        return perSecond > 0 ? (int) Math.min(room, pace.due(now) - issued) : room;
    }

    private void lose(long slot) {
        watch.lost(outstanding.sentNanos((int) slot));
    }
}
