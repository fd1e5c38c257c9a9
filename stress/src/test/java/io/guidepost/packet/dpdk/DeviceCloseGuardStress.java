package io.guidepost.packet.dpdk;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The guard of a device, whose closing side alone has a fence: a burst that entered finds the device open to its end. */
@JCStressTest
@Outcome(id = {"0", "3"}, expect = Expect.ACCEPTABLE, desc = "Refused, or open throughout.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Closed under a burst.")
@State
public class DeviceCloseGuardStress {
    private final DeviceCloseGuard guard = new DeviceCloseGuard();
    private final long[] device = {1, 2};

    @Actor
    public void queue(I_Result result) {
        if (guard.enter()) {
            result.r1 = (int) (device[0] + device[1]);
            guard.leave();
        }
    }

    @Actor
    public void closer() {
        guard.shut();
        device[1] = 0;
        device[0] = 0;
    }
}
