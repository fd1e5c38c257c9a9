package io.guidepost.lab.simulation;

import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.peer.ReplicationSettings;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The kind of run, drawn from the seed: calm runs and wild ones, runs with one kind of fault and runs with all.
 *
 * @param replicas K of the placement
 * @param guids names that clients use
 * @param clients the number of clients
 * @param troubleMillis the time during which clients work and faults are injected
 * @param pauseMillis mean time between faults
 * @param faults the kinds of faults
 * @param loss probability of loss without a fault
 * @param doubled probability of duplication
 * @param overtaken probability of reordering
 * @param skewMillisMax the largest clock skew, jumps aside
 * @param settings the operator's settings of the deployment
 */
record SimulationScenario(
        int replicas,
        int guids,
        int clients,
        long troubleMillis,
        long pauseMillis,
        Set<FaultKind> faults,
        double loss,
        double doubled,
        double overtaken,
        long skewMillisMax,
        ReplicationSettings settings) {

    /** The largest jump of a clock. */
    static final long JUMP_MILLIS_MAX = 3_600_000;

    static SimulationScenario draw(SplittableRandom random, ClusterOptions options) {
        EnumSet<FaultKind> faults = EnumSet.noneOf(FaultKind.class);
        double wildness = random.nextDouble();
        for (FaultKind each : FaultKind.values()) {
            boolean drawn = random.nextDouble() < wildness;
            if (drawn && options.faults().contains(each)) {
                faults.add(each);
            }
        }
        if (options.nodes() == 1) {
            faults.removeAll(Set.of(FaultKind.TABLE_CHANGE, FaultKind.DISK_LOST));
        }
        boolean rough = random.nextBoolean();
        return new SimulationScenario(
                random.nextInt(4) == 0 ? random.nextInt(1, 8) : 5,
                random.nextInt(2, 9),
                random.nextInt(3, 13),
                (long) options.operations() * (50 + random.nextInt(50)),
                random.nextInt(300, 4000),
                faults,
                rough ? 0.05 * random.nextDouble() : 0,
                rough ? 0.05 * random.nextDouble() : 0,
                rough ? 0.1 * random.nextDouble() : 0,
                random.nextInt(3) * 50L,
                settings(random));
    }

    private static ReplicationSettings settings(SplittableRandom random) {
        return new ReplicationSettings(
                random.nextInt(200, 600),
                random.nextInt(1, 4),
                List.of(ReplicationSettings.Choice.values()).get(random.nextInt(3)),
                random.nextBoolean(),
                random.nextInt(4) == 0 ? 3 : 1,
                random.nextInt(8) == 0 ? ReplicationSettings.Quorum.ALL : ReplicationSettings.Quorum.MAJORITY,
                64,
                1 << 16,
                random.nextInt(3) * 500L,
                random.nextInt(3) * 500L,
                ReplicationSettings.defaults().tombstoneMillis(),
                1 << 18,
                ReplicationSettings.defaults().catchUpBytesPerSecond(),
                3000,
                random.nextInt(3000, 8000),
                random.nextInt(8) == 0 ? new byte[] {1, 2, 3, 4} : new byte[0]);
    }

    /** Returns the operator's settings of each server's door. */
    GnrsSettings doorSettings() {
        Prefix clientNet =
                new Prefix(Addresses.IPV4_HIGH, SimulatedAddresses.low(SimulatedNetwork.CLIENTS_FROM), 96 + 16);
        return new GnrsSettings(1000, 65_000, 3, List.of(clientNet), List.of(clientNet), 0, 0, 0, 0, 64, 16, Optional.empty());
    }

    /** Returns the clock skew of a server without a fault. */
    long skewMillis(SplittableRandom random) {
        return skewMillisMax == 0 ? 0 : random.nextLong(-skewMillisMax, skewMillisMax + 1);
    }

    /** Returns whether clocks may be so wrong that they do not order two writes. */
    boolean clocksLie() {
        return faults.contains(FaultKind.CLOCK_JUMP);
    }
}
