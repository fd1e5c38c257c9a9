package io.guidepost.server.cli.scaffold;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.scaffold.gateway.GatewayStatus;
import io.guidepost.scaffold.gateway.GatewayWay;
import io.guidepost.scaffold.metrics.FlowCount;
import io.guidepost.scaffold.wire.HostLocator;
import io.guidepost.server.service.HealthCondition;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a gateway says that it is not well; that it counts is shown by {@link ScaffoldDemoTest}. */
class GatewayMetricsTest {
    private static GatewayStatus status(int routers, int joined, boolean up) {
        GatewayStatus empty = EmptyGateway.status(routers, joined);
        return new GatewayStatus(
                empty.now(),
                List.of(new GatewayWay("eth0", new HostLocator(0, 1, 5500), up)),
                empty.tally(),
                empty.zone(),
                empty.ports(),
                empty.workers());
    }

    @Test
    void routersLinksAndMemoryAreReasons() {
        assertThat(GatewayMetrics.conditions(status(2, 2, true))).isEmpty();
        assertThat(GatewayMetrics.conditions(status(2, 1, true)))
                .containsExactly(new HealthCondition("gateway-router-silent", "1 of 2 object routers do not answer", true));
        assertThat(GatewayMetrics.conditions(status(2, 0, false)))
                .containsExactly(
                        new HealthCondition("gateway-not-joined", "2 of 2 object routers do not answer", false),
                        new HealthCondition("gateway-no-link", "no link with an own address is up", false));
        GatewayStatus full = status(1, 1, true);
        full.tally().counts().add(FlowCount.BOUNDS_FLOWS_KEPT, 3);
        assertThat(GatewayMetrics.conditions(full))
                .containsExactly(new HealthCondition("gateway-flows-not-kept", "3 flows do not outlive this process", true));
    }
}
