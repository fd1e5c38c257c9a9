package io.guidepost.bench.alto;

import io.guidepost.base.Addresses;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.SplittableRandom;

/** A flood client: it sends as fast as it can and ignores responses; with its own source address, or spoofed ones. */
final class ProxidorFlooder {
    private static final int BURST = 64;

    private final ProxidorRequests questions;
    private final RxQueue rx;
    private final TxQueue tx;
    private final Burst in;
    private final Burst out;
    private final long serverHigh;
    private final long serverLow;
    private final int serverPort;
    private final boolean forging;
    private final SplittableRandom random = new SplittableRandom(1);
    private long sent;
    private long answers;
    private int next;

    /** Creates a flooder with the address of its port. */
    ProxidorFlooder(Port port, InetSocketAddress server, ProxidorRequests questions) {
        this(port, server, questions, false);
    }

    /**
     * Creates a flooder that may spoof its sources: each request then comes from another address of 127.0.0.0/8. All of
     * these are this machine's, so the kernel sends from them; the port must be bound to every address.
     */
    ProxidorFlooder(Port port, InetSocketAddress server, ProxidorRequests questions, boolean forging) {
        this.forging = forging;
        this.questions = questions;
        this.rx = port.rx(0);
        this.tx = port.tx(0);
        this.in = rx.burst();
        this.out = tx.burst();
        this.serverHigh = Addresses.high(server.getAddress());
        this.serverLow = Addresses.low(server.getAddress());
        this.serverPort = server.getPort();
    }

    /** Sends one burst, and receives responses. */
    void turn() {
        answers += rx.receive(in);
        while (out.count() < BURST && out.hasRoom()) {
            byte[] question = questions.message(next);
            next = next + 1 == questions.count() ? 0 : next + 1;
            long room = out.room();
            MemorySegment.copy(question, 0, out.segment(), ValueLayout.JAVA_BYTE, room, question.length);
            ProxidorRequests.id(out.segment(), room, (int) sent);
            long source = forging ? Addresses.ipv4Low(127 << 24 | 1 + random.nextInt((1 << 24) - 2)) : 0;
            out.append(question.length, serverHigh, serverLow, serverPort, 0, source);
        }
        int before = out.count();
        sent += before - tx.send(out);
    }

    /** Receives late responses. */
    void drain() {
        answers += rx.receive(in);
    }

    /** Returns the number of requests so far. */
    long sent() {
        return sent;
    }

    /** Returns the number of responses so far. */
    long answers() {
        return answers;
    }
}
