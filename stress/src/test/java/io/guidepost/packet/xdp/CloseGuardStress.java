package io.guidepost.packet.xdp;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The guard of mapped rings: a burst that entered finds them mapped to its end. */
@JCStressTest
@Outcome(id = {"0", "3"}, expect = Expect.ACCEPTABLE, desc = "Refused, or mapped throughout.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Unmapped under a burst.")
@State
public class CloseGuardStress {
    private final CloseGuard guard = new CloseGuard();
    private final long[] memory = {1, 2};

    @Actor
    public void queue(I_Result result) {
        if (guard.enter()) {
            result.r1 = (int) (memory[0] + memory[1]);
            guard.leave();
        }
    }

    @Actor
    public void closer() {
        guard.close();
        memory[1] = 0;
        memory[0] = 0;
    }
}
