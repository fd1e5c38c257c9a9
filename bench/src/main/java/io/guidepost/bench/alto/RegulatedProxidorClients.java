package io.guidepost.bench.alto;

import io.guidepost.base.Addresses;
import io.guidepost.bench.process.BenchFailure;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;

/**
 * Regulated clients at one address: each sends a request, waits for the response or a time-out, then a delay, and
 * repeats. All share one thread and one socket; the identification of a request contains its client.
 */
final class RegulatedProxidorClients {
    private static final int BURST = 64;

    /** Low bits of an identification: the client; the others count its requests. */
    private static final int CLIENT_BITS = 12;

    private final ProxidorRequests questions;
    private final RxQueue rx;
    private final TxQueue tx;
    private final Burst in;
    private final Burst out;
    private final long serverHigh;
    private final long serverLow;
    private final int serverPort;
    private final long timeoutNanos;
    private final long delayNanos;
    private final int[] asked;
    private final long[] sentNanos;
    private final long[] dueNanos;
    private long answers;
    private long timeouts;
    private long latencyNanos;
    private int next;

    RegulatedProxidorClients(
            Port port, InetSocketAddress server, ProxidorRequests questions, int clients, long timeoutNanos, long delayNanos) {
        if (clients < 1 || clients > 1 << CLIENT_BITS) {
            throw new BenchFailure("1 to " + (1 << CLIENT_BITS) + " clients are at one address, not " + clients);
        }
        this.questions = questions;
        this.rx = port.rx(0);
        this.tx = port.tx(0);
        this.in = rx.burst();
        this.out = tx.burst();
        this.serverHigh = Addresses.high(server.getAddress());
        this.serverLow = Addresses.low(server.getAddress());
        this.serverPort = server.getPort();
        this.timeoutNanos = timeoutNanos;
        this.delayNanos = delayNanos;
        this.asked = new int[clients];
        this.sentNanos = new long[clients];
        this.dueNanos = new long[clients];
        // Starts are spread over one delay.
        long now = System.nanoTime();
        for (int i = 0; i < clients; i++) {
            sentNanos[i] = Long.MIN_VALUE;
            dueNanos[i] = now + delayNanos * i / clients;
        }
    }

    /** Receives responses, expires requests, and sends those that are due. */
    void turn(long now) {
        int count = rx.receive(in);
        for (int i = 0; i < count; i++) {
            take(i, now);
        }
        if (out.count() > 0 && tx.send(out) > 0) {
            return;
        }
        for (int client = 0; client < asked.length && out.count() < BURST; client++) {
            if (sentNanos[client] != Long.MIN_VALUE && now - sentNanos[client] >= timeoutNanos) {
                timeouts++;
                rest(client, now);
            }
            if (sentNanos[client] == Long.MIN_VALUE && now - dueNanos[client] >= 0) {
                ask(client, now);
            }
        }
        if (out.count() > 0) {
            tx.send(out);
        }
    }

    private void take(int index, long now) {
        MemorySegment segment = in.segment();
        long offset = in.offset(index);
        if (in.length(index) < ProxidorRequests.HEADER_BYTES || in.peerPort(index) != serverPort) {
            return;
        }
        int id = ProxidorRequests.id(segment, offset);
        int client = id & (1 << CLIENT_BITS) - 1;
        if (client < asked.length
                && id >>> CLIENT_BITS == asked[client]
                && sentNanos[client] != Long.MIN_VALUE
                && ProxidorRequests.isRanked(segment, offset)) {
            answers++;
            latencyNanos += now - sentNanos[client];
            rest(client, now);
        }
    }

    private void rest(int client, long now) {
        sentNanos[client] = Long.MIN_VALUE;
        dueNanos[client] = now + delayNanos;
    }

    private void ask(int client, long now) {
        asked[client] = asked[client] + 1 & -1 >>> CLIENT_BITS;
        byte[] question = questions.message(next);
        next = next + 1 == questions.count() ? 0 : next + 1;
        long room = out.room();
        MemorySegment.copy(question, 0, out.segment(), ValueLayout.JAVA_BYTE, room, question.length);
        ProxidorRequests.id(out.segment(), room, asked[client] << CLIENT_BITS | client);
        out.append(question.length, serverHigh, serverLow, serverPort);
        sentNanos[client] = now;
    }

    /** Returns the number of responses so far. */
    long answers() {
        return answers;
    }

    /** Returns the number of timed-out requests so far. */
    long timeouts() {
        return timeouts;
    }

    /** Returns the sum of the latencies so far. */
    long latencyNanos() {
        return latencyNanos;
    }
}
