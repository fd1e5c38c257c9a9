package io.guidepost.lab.simulation;

import io.guidepost.base.Addresses;
import io.guidepost.base.Prefix;
import io.guidepost.gnrs.GnrsSettings;
import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.relay.RelayBound;
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
 * @param profile what the run is made to show
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
        ReplicationSettings settings,
        SimulationProfile profile) {

    /** The largest jump of a clock. */
    static final long JUMP_MILLIS_MAX = 3_600_000;

    /** Requests to all servers of a GUID, of a few clients, may be in flight whatever an operator sets. */
    private static final long REQUESTS_MAX_LEAST = 128;

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
        faults.removeAll(options.profile().without());
        boolean calm = options.profile().fresh();
        boolean rough = random.nextBoolean() && !calm;
        boolean doubles = rough && !options.profile().without().contains(FaultKind.DUPLICATES);
        return new SimulationScenario(
                random.nextInt(4) == 0 ? random.nextInt(1, 8) : 5,
                random.nextInt(2, 9),
                random.nextInt(3, 13),
                (long) options.operations() * (50 + random.nextInt(50)),
                random.nextInt(300, 4000),
                faults,
                rough ? 0.05 * random.nextDouble() : 0,
                doubles ? 0.05 * random.nextDouble() : 0,
                rough ? 0.1 * random.nextDouble() : 0,
                calm ? 0 : random.nextInt(3) * 50L,
                settings(random, options.profile()),
                options.profile());
    }

    private static ReplicationSettings settings(SplittableRandom random, SimulationProfile profile) {
        int timeoutMillis = random.nextInt(200, 600);
        int attemptsMax = random.nextInt(1, 4);
        ReplicationSettings.Choice choice = List.of(ReplicationSettings.Choice.values()).get(random.nextInt(3));
        return new ReplicationSettings(
                timeoutMillis,
                attemptsMax,
                profile.asksAll() ? ReplicationSettings.Choice.ALL : choice,
                random.nextBoolean(),
                random.nextInt(4) == 0 ? 3 : 1,
                random.nextInt(8) == 0 ? ReplicationSettings.Quorum.ALL : ReplicationSettings.Quorum.MAJORITY,
                profile.relaysMax(),
                profile.cacheBytesMax(),
                profile.cacheMillis(random.nextInt(3) * 500L),
                profile.cacheMillis(random.nextInt(3) * 500L),
                ReplicationSettings.defaults().tombstoneMillis(),
                profile.hintBytesMax(),
                ReplicationSettings.defaults().catchUpBytesPerSecond(),
                3000,
                profile.compareMillis(random.nextInt(3000, 8000)),
                random.nextInt(8) == 0 ? new byte[] {1, 2, 3, 4} : new byte[0]);
    }

    /** Returns the operator's settings of each server's door. */
    GnrsSettings doorSettings() {
        Prefix clientNet =
                new Prefix(Addresses.IPV4_HIGH, SimulatedAddresses.low(SimulatedNetwork.CLIENTS_FROM), 96 + 16);
        return new GnrsSettings(
                profile.bindingsMax(),
                65_000,
                3,
                List.of(clientNet),
                List.of(clientNet),
                0,
                0,
                0,
                0,
                profile.writesInFlightMax(),
                16,
                Optional.empty());
    }

    /** Returns the bound of what a server may hold. */
    long max(RelayBound bound) {
        return switch (bound) {
            case REQUESTS -> Math.max(2L * settings.relaysMax(), REQUESTS_MAX_LEAST);
            case CACHE_BYTES -> settings.cacheBytesMax();
            case HINT_BYTES -> settings.hintBytesMax();
            case WRITES -> settings.relaysMax();
            case WRITES_OF_A_NAME -> profile.bounds().waitingPerNameMax();
            case DUPLICATE_REQUESTS -> profile.bounds().repeatsMax();
            case CACHED_NAMES -> profile.bounds().cachedNamesMax();
            case CACHING_PEERS -> profile.bounds().cachingPeersMax();
            case FORGETS -> profile.bounds().forgetsMax();
            case MAILBOX -> profile.bounds().mailboxMax();
            case MERGES -> profile.writesInFlightMax();
        };
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
