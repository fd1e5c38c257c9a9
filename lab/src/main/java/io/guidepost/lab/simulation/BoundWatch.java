package io.guidepost.lab.simulation;

import io.guidepost.base.Counters;
import io.guidepost.gnrs.GnrsCount;
import io.guidepost.gnrs.relay.RelayBound;
import java.util.Map;
import java.util.TreeMap;

/**
 * Watches the bounds of all servers of a run: none may be exceeded after any turn, and how often each was reached is
 * counted, as a bound that no run reaches promises nothing. What the bounds are, the scenario says, and not the servers; how
 * many requests of clients wait at a server is seen from outside, but for writes that are refused and wait for their answer only.
 */
final class BoundWatch {
    /** What doors count where a bound refuses something. */
    private static final GnrsCount[] REFUSALS = {
        GnrsCount.LOOKUPS_PEERS_MAX,
        GnrsCount.LOOKUPS_SOURCE_QUOTA,
        GnrsCount.WRITES_PEERS_MAX,
        GnrsCount.WRITES_SOURCE_QUOTA,
        GnrsCount.WRITES_NAME_QUOTA,
        GnrsCount.WRITES_BINDINGS_MAX
    };

    private static final RelayBound[] BOUNDS = RelayBound.values();

    private final SimulationScenario scenario;
    private final boolean alone;
    private final Counters<RelayBound> reached = new Counters<>(RelayBound.class);
    private final Map<String, Long> counted = new TreeMap<>();

    BoundWatch(SimulationScenario scenario, boolean alone) {
        this.scenario = scenario;
        this.alone = alone;
    }

    /** Checks a server after a turn. */
    void check(SimulatedServer server, SimulatedServer.Running running) {
        for (RelayBound each : BOUNDS) {
            long held = running.relay.held(each);
            long most = scenario.max(each);
            if (held > most) {
                throw new Violation(
                        null, "server " + server.number() + " exceeds a bound of its memory: " + held + " " + each + ", not " + most);
            }
            reached.add(each, held == most ? 1 : 0);
        }
        int waiting = Math.max(running.lookupsWaiting, running.writesWaiting - running.door.refusalsWaiting());
        if (!alone && waiting > scenario.settings().relaysMax()) {
            throw new Violation(null, "server " + server.number() + " lets " + waiting + " requests of clients wait");
        }
    }

    /** Takes the counters of a process that ends. */
    void ended(SimulatedServer.Running running) {
        for (RelayBound each : BOUNDS) {
            reached.add(each, running.relay.hits(each));
        }
        for (GnrsCount each : REFUSALS) {
            counted.merge(each.name(), running.door.counts().get(each), Long::sum);
        }
    }

    /** Returns how often each bound was reached, by name. */
    Map<String, Long> reached() {
        Map<String, Long> all = new TreeMap<>(counted);
        for (RelayBound each : BOUNDS) {
            all.put(each.name(), reached.get(each));
        }
        return all;
    }
}
