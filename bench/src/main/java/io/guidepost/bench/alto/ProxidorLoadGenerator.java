package io.guidepost.bench.alto;

import io.guidepost.base.Addresses;
import io.guidepost.bench.load.GnrsLoadGenerator;
import io.guidepost.bench.load.LoadRecorder;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.load.OutstandingRequests;
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
 * A load generator for Proxidor in a closed loop. One thread that never sleeps and allocates nothing, as
 * {@link GnrsLoadGenerator}.
 */
final class ProxidorLoadGenerator {
    private static final int BURST = 64;
    private static final int EXPIRE_SLOTS = 64;
    private static final long TIMEOUT_NANOS = 500_000_000;

    private final ProxidorRequests questions;
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
    private LoadRecorder watch = new LoadRecorder(Long.MAX_VALUE, Long.MAX_VALUE);
    private int next;

    ProxidorLoadGenerator(Port port, InetSocketAddress server, ProxidorRequests questions, int waiting, LongSupplier serverNanos) {
        this.questions = questions;
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

    /** Runs a warm-up, then the measured window, then waits for outstanding requests. */
    LoadResult run(long warmNanos, long windowNanos) {
        GeneratorPriority.take();
        long start = System.nanoTime();
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
            }
            watch.turn(now, moved);
        }
    }

    private void take(int index, long now) {
        MemorySegment segment = in.segment();
        long offset = in.offset(index);
        boolean ours = in.length(index) >= ProxidorRequests.HEADER_BYTES
                && in.peerLow(index) == serverLow
                && in.peerPort(index) == serverPort
                && in.peerHigh(index) == serverHigh;
        int slot = ours ? outstanding.slot(ProxidorRequests.id(segment, offset)) : OutstandingRequests.NONE;
        if (slot == OutstandingRequests.NONE) {
            watch.stray++;
            return;
        }
        watch.answered(
                questions.verdict((int) outstanding.what(slot), segment, offset, in.length(index)),
                outstanding.intendedNanos(slot),
                outstanding.sentNanos(slot),
                now);
        outstanding.close(slot);
    }

    private int send(long now) {
        if (out.count() > 0 && tx.send(out) > 0) {
            return 0; // The socket buffer is full; the rest of the burst goes first.
        }
        int due = Math.min(BURST, outstanding.room());
        for (int i = 0; i < due; i++) {
            byte[] question = questions.message(next);
            long room = out.room();
            MemorySegment.copy(question, 0, out.segment(), ValueLayout.JAVA_BYTE, room, question.length);
            ProxidorRequests.id(out.segment(), room, outstanding.open(next, now, now));
            out.append(question.length, serverHigh, serverLow, serverPort);
            next = next + 1 == questions.count() ? 0 : next + 1;
        }
        if (due > 0) {
            tx.send(out);
            watch.sent(now, due);
        }
        return due;
    }

    private void lose(long slot) {
        watch.lost(outstanding.sentNanos((int) slot));
    }
}
