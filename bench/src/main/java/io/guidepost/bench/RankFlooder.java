package io.guidepost.bench;

import io.guidepost.packet.Addresses;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;

/** Asks as fast as it can, and waits for nothing. */
final class RankFlooder {
    private static final int BURST = 64;

    private final RankQuestions questions;
    private final RxQueue rx;
    private final TxQueue tx;
    private final Burst in;
    private final Burst out;
    private final long serverHigh;
    private final long serverLow;
    private final int serverPort;
    private long sent;
    private long answers;
    private int next;

    RankFlooder(Port port, InetSocketAddress server, RankQuestions questions) {
        this.questions = questions;
        this.rx = port.rx(0);
        this.tx = port.tx(0);
        this.in = rx.burst();
        this.out = tx.burst();
        this.serverHigh = Addresses.high(server.getAddress());
        this.serverLow = Addresses.low(server.getAddress());
        this.serverPort = server.getPort();
    }

    /** Sends one burst, and looks what was answered. */
    void turn() {
        answers += rx.receive(in);
        while (out.count() < BURST && out.hasRoom()) {
            byte[] question = questions.message(next);
            next = next + 1 == questions.count() ? 0 : next + 1;
            long room = out.room();
            MemorySegment.copy(question, 0, out.segment(), ValueLayout.JAVA_BYTE, room, question.length);
            RankQuestions.id(out.segment(), room, (int) sent);
            out.append(question.length, serverHigh, serverLow, serverPort);
        }
        int before = out.count();
        sent += before - tx.send(out);
    }

    /** Takes answers that still come. */
    void drain() {
        answers += rx.receive(in);
    }

    /** Questions so far. */
    long sent() {
        return sent;
    }

    /** Answers so far. */
    long answers() {
        return answers;
    }
}
