package io.guidepost.packet.memory;

import io.guidepost.packet.Burst;
import io.guidepost.packet.PacketMemory;
import io.guidepost.packet.RxQueue;
import io.guidepost.packet.TxQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The single-producer single-consumer ring of frames: a ring of two, so that each side waits for the other. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "All that were sent, whole and in order.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A frame was lost, overtaken, or mixed with another.")
@State
public class FrameRingStress {
    private static final int FRAMES = 8;
    private static final int TRIES = 64;
    private static final Pieces PIECES = new Pieces();

    private final FrameRing ring = new FrameRing(2, 2, PIECES, PIECES);
    private final TxQueue tx = ring.tx();
    private final RxQueue rx = ring.rx();
    private final Burst leaving = tx.burst();
    private final Burst arriving = rx.burst();
    private int sent;
    private int received;
    private int wrong;

    /** Handles without memory: the ring moves descriptions of frames, and no bytes. */
    private record Pieces() implements PacketMemory {
        @Override
        public long take() {
            return NONE;
        }

        @Override
        public long address(long handle) {
            return handle;
        }

        @Override
        public int roomBytes() {
            return 2048;
        }

        @Override
        public int headroomBytes() {
            return 0;
        }

        @Override
        public void free(long handle) {}

        @Override
        public Object pool() {
            return PIECES;
        }
    }

    @Actor
    public void sender() {
        for (int i = 0; i < TRIES && sent < FRAMES; i++) {
            if (leaving.count() == 0) {
                leaving.handedOn(sent + 1, sent + 1, sent + 1, sent + 1);
            }
            sent += tx.send(leaving) == 0 ? 1 : 0;
        }
    }

    @Actor
    public void receiver() {
        for (int i = 0; i < TRIES && received < FRAMES; i++) {
            receive();
        }
    }

    @Arbiter
    public void after(I_Result result) {
        receive();
        result.r1 = wrong + sent - received;
    }

    private void receive() {
        int number = rx.receive(arriving);
        for (int i = 0; i < number; i++) {
            received++;
            boolean whole = arriving.handle(i) == received
                    && arriving.offset(i) == received
                    && arriving.length(i) == received
                    && arriving.mark(i) == received;
            wrong += whole ? 0 : 100;
        }
    }
}
