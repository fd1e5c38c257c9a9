package io.guidepost.packet.xdp;

import io.guidepost.base.Memory;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The ring that a queue shares with the kernel, with both of its sides in this process. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "All that were published, in order.")
@Outcome(expect = Expect.FORBIDDEN, desc = "An entry was lost, overtaken or read before it was written.")
@State
public class XskRingStress {
    private static final int ENTRIES = 8;
    private static final int TRIES = 64;

    /** More rings than exist at a time; a ring has a cache line for each index and its entries. */
    private static final int RINGS = 1 << 16;

    private static final int RING_BYTES = 256;
    private static final long RINGS_AT = Arena.global().allocate((long) RINGS * RING_BYTES, 64).address();
    private static final long OFFSETS = Arena.global().allocate(32, 8).address();
    private static final AtomicInteger NEXT = new AtomicInteger();

    static {
        Memory.put64(OFFSETS, Long.reverseBytes(0));
        Memory.put64(OFFSETS + 8, Long.reverseBytes(64));
        Memory.put64(OFFSETS + 16, Long.reverseBytes(128));
        Memory.put64(OFFSETS + 24, Long.reverseBytes(192));
    }

    private final XskRing producing;
    private final XskRing consuming;
    private int published;
    private int consumed;
    private int wrong;

    /** Creates both sides of an empty ring. */
    public XskRingStress() {
        long at = RINGS_AT + (long) (NEXT.getAndIncrement() & RINGS - 1) * RING_BYTES;
        for (int i = 0; i < RING_BYTES; i += Long.BYTES) {
            Memory.put64(at + i, 0);
        }
        producing = new XskRing(at, RING_BYTES, OFFSETS, 2, 3);
        consuming = new XskRing(at, RING_BYTES, OFFSETS, 2, 3);
    }

    @Actor
    public void producer() {
        for (int i = 0; i < TRIES && published < ENTRIES; i++) {
            if (producing.room(1) == 1) {
                published++;
                Memory.put64(producing.entry(0), published);
                producing.publish(1);
            }
        }
    }

    @Actor
    public void consumer() {
        for (int i = 0; i < TRIES && consumed < ENTRIES; i++) {
            read();
        }
    }

    @Arbiter
    public void after(I_Result result) {
        read();
        read();
        result.r1 = wrong + published - consumed;
    }

    private void read() {
        if (consuming.available(1) == 1) {
            consumed++;
            wrong += Memory.i64(consuming.entry(0)) == consumed ? 0 : 100;
            consuming.release(1);
        }
    }
}
