package io.guidepost.store.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Epoch-based reclamation: memory that a reader in a burst can reach is not reused. */
@JCStressTest
@Outcome(id = {"1", "2"}, expect = Expect.ACCEPTABLE, desc = "The old image or the new one.")
@Outcome(expect = Expect.FORBIDDEN, desc = "The old image after its memory was reused.")
@State
public class EpochReclaimerStress {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private final EpochReclaimer epochs = new EpochReclaimer();
    private final long[] reader = epochs.register();
    private final long[] memory = {1, 2};
    private final long[] linked = {0};

    @Actor
    public void reader(I_Result result) {
        epochs.enter(reader);
        int at = (int) (long) CELL.getAcquire(linked, 0);
        result.r1 = (int) (long) CELL.getOpaque(memory, at);
        epochs.exit(reader);
    }

    @Actor
    public void writer() {
        CELL.setRelease(linked, 0, 1L);
        epochs.retire(() -> CELL.setOpaque(memory, 0, 9L));
        epochs.reclaim();
    }
}
