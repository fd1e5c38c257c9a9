package io.guidepost.scaffold.flow;

import io.guidepost.scaffold.metrics.FlowTally;
import java.util.ArrayDeque;
import java.util.List;

/** The last flows that changed their instance, or lost it; the newest first. One thread adds, any thread reads. */
final class FailoverLog {
    static final int KEPT_MAX = 64;

    private final ArrayDeque<FlowMachine.Failover> last = new ArrayDeque<>();

    synchronized void add(CarriedFlow flow, LocalHost host, boolean resumed, String cause) {
        if (last.size() == KEPT_MAX) {
            last.removeLast();
        }
        long nanos = flow.lostNanos == 0 ? 0 : host.nowNanos - flow.lostNanos;
        last.addFirst(new FlowMachine.Failover(host.nowMillis, flow.id, flow.object, cause, nanos / 1e6, resumed));
        FlowTally tally = host.tally;
        (resumed ? tally.resumed() : tally.reset()).count(flow.lostCause);
        if (resumed) {
            tally.outageNanos().record(nanos);
        }
    }

    synchronized List<FlowMachine.Failover> list() {
        return List.copyOf(last);
    }
}
