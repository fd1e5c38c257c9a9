package io.guidepost.bench.packet;

import io.guidepost.base.Memory;
import io.guidepost.bench.load.LoadResult;
import io.guidepost.bench.process.GeneratorPriority;
import io.guidepost.bench.process.NamespacePair;
import io.guidepost.bench.process.ProcessMeter;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.frame.InternetChecksum;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * A closed loop over a port of frames: it keeps a window of UDP datagrams over IPv4 in flight to an echo server.
 * Belongs to one thread.
 */
final class FrameGenerator {
    private static final int HEADERS_BYTES = 42;
    private static final int SOURCE_PORT = 4000;

    /** Time without any response after which those in flight are lost. */
    private static final long LOST_NANOS = 100_000_000;

    private final Port port;
    private final int frameBytes;
    private final int window;
    private final int servicePort;
    private final LongSupplier serverNanos;
    private final Burst in;
    private final Burst out;
    private long next;
    private long awaited;

    /**
     * Creates a generator that has sent nothing.
     *
     * @param frameBytes bytes of a frame without its check sequence, 60 to 1,514
     * @param window datagrams in flight
     * @param serverNanos processor time of the server
     */
    FrameGenerator(Port port, int frameBytes, int window, int servicePort, LongSupplier serverNanos) {
        this.port = port;
        this.frameBytes = frameBytes;
        this.window = window;
        this.servicePort = servicePort;
        this.serverNanos = serverNanos;
        this.in = port.rx(0).burst();
        this.out = port.tx(0).burst();
    }

    /** Runs a warm-up, then the measured window. */
    LoadResult run(long warmNanos, long windowNanos) {
        GeneratorPriority.take();
        long begin = System.nanoTime() + warmNanos;
        loop(begin);
        long server = serverNanos.getAsLong();
        Counts counts = loop(begin + windowNanos);
        long used = serverNanos.getAsLong() - server;
        long nanos = System.nanoTime() - begin;
        drain();
        return new LoadResult(
                nanos, counts.sent, counts.replies, counts.replies, counts.lost, counts.stray, 0, 0, 0,
                new Histogram(2), counts.idleNanos, server == ProcessMeter.UNKNOWN ? ProcessMeter.UNKNOWN : used);
    }

    private static final class Counts {
        private long sent;
        private long replies;
        private long lost;
        private long stray;
        private long idleNanos;
    }

    private Counts loop(long end) {
        Counts counts = new Counts();
        long now = System.nanoTime();
        long answered = now;
        while (now - end < 0) {
            int sent = send();
            counts.sent += sent;
            int got = receive(counts);
            long after = System.nanoTime();
            if (got > 0) {
                answered = after;
            } else if (sent == 0) {
                GeneratorPriority.idle();
                counts.idleNanos += after - now;
                if (after - answered > LOST_NANOS) {
                    counts.lost += awaited;
                    awaited = 0;
                    answered = after;
                }
            }
            now = after;
        }
        return counts;
    }

    private int send() {
        while (awaited + out.count() < window && out.hasRoom()) {
            write(out.room());
            out.append(frameBytes);
        }
        int waiting = out.count();
        int sent = waiting == 0 ? 0 : waiting - port.tx(0).send(out);
        awaited += sent;
        return sent;
    }

    private int receive(Counts counts) {
        int number = port.rx(0).receive(in);
        for (int i = 0; i < number; i++) {
            if (isAnswer(in.offset(i), in.length(i))) {
                counts.replies++;
                awaited = Math.max(0, awaited - 1);
            } else {
                counts.stray++;
            }
        }
        return number;
    }

    /** Receives what is in flight, so that it does not disturb another contestant's round. */
    private void drain() {
        long end = System.nanoTime() + LOST_NANOS;
        Counts counts = new Counts();
        while (awaited > 0 && System.nanoTime() - end < 0) {
            receive(counts);
        }
        awaited = 0;
    }

    private boolean isAnswer(long at, int length) {
        return length >= HEADERS_BYTES
                && Memory.u8(at + 23) == 17
                && Memory.i32(at + 34) == (servicePort << 16 | SOURCE_PORT);
    }

    private void write(long at) {
        int ipBytes = frameBytes - 14;
        Memory.put64(at, NamespacePair.FAR_MAC << 16 | NamespacePair.NEAR_MAC >>> 32);
        Memory.put32(at + 8, (int) NamespacePair.NEAR_MAC);
        Memory.put16(at + 12, 0x0800);
        Memory.put64(at + 14, 0x4500_0000_0000_4000L | (long) ipBytes << 32);
        Memory.put32(at + 22, 64 << 24 | 17 << 16);
        Memory.put32(at + 26, 10 << 24 | 92 << 16 | 1);
        Memory.put32(at + 30, 10 << 24 | 92 << 16 | 2);
        Memory.put16(at + 24, InternetChecksum.of(at + 14, 20));
        Memory.put32(at + 34, SOURCE_PORT << 16 | servicePort);
        // IPv4 allows a UDP datagram without a checksum.
        Memory.put32(at + 38, ipBytes - 20 << 16);
        Memory.put64(at + 42, next++);
    }
}
