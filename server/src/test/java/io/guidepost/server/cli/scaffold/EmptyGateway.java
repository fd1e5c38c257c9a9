package io.guidepost.server.cli.scaffold;

import io.guidepost.base.Counters;
import io.guidepost.scaffold.gateway.GatewayStatus;
import io.guidepost.scaffold.gateway.ZoneCount;
import io.guidepost.scaffold.metrics.FlowTally;
import io.guidepost.scaffold.metrics.MachineLoad;
import io.guidepost.server.metrics.Exposition;
import java.util.List;

/** How a gateway is that has just been started, and has no link. */
public final class EmptyGateway {
    private EmptyGateway() {}

    static GatewayStatus status(int routers, int joined) {
        return new GatewayStatus(
                new MachineLoad(0, 0, 0, 0, routers, joined),
                List.of(),
                FlowTally.zero(),
                new Counters<>(ZoneCount.class),
                List.of(),
                List.of());
    }

    /** Returns its metrics, without those that a server has too. */
    public static String metrics() {
        Exposition out = new Exposition();
        GatewayMetrics.write(out, status(1, 0));
        return out.finish();
    }
}
