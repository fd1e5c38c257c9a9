package io.guidepost.server.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.packet.udp.SegmentationOffload;
import io.guidepost.packet.worker.RealTimePolicy;
import io.guidepost.packet.worker.WorkerSettings;
import io.guidepost.server.config.AdmissionControl;
import io.guidepost.server.config.Configuration;
import io.guidepost.server.config.ConfigurationKeys;
import io.guidepost.server.config.ConfigurationException;
import io.guidepost.server.http.HttpServerSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the keys of workers and sockets are for the framework, whose own tests show what it does with them. */
class WorkerKeysTest {
    private static Configuration configuration(String... sets) throws ConfigurationException {
        return Configuration.load(null, Map.of(), List.of(sets));
    }

    @Test
    void workersWaitAsTheirKeysSay() throws Exception {
        Configuration configuration = configuration(
                "workers.count=2",
                "workers.cpus=1,-1",
                "workers.busy-poll-micros=50",
                "workers.coalesce-micros=7",
                "workers.real-time=true");
        List<WorkerSettings> workers = WorkerOptions.of(configuration);
        assertThat(workers).hasSize(2);
        WorkerSettings first = workers.getFirst();
        assertThat(first.cpu()).isEqualTo(1);
        assertThat(workers.get(1).cpu()).isEqualTo(-1);
        assertThat(first.spinNanos()).isEqualTo(50_000);
        assertThat(first.coalesceNanos()).isEqualTo(7_000);
        assertThat(first.realTime()).isEqualTo(RealTimePolicy.TRUE);
        assertThat(HttpServerSettings.of(configuration).loops()).as("event loops of HTTP").isEqualTo(2);
    }

    @Test
    void workersAreInRealTimeWhereEachMayHaveAProcessor() throws Exception {
        List<WorkerSettings> workers = WorkerOptions.of(configuration("workers.count=1"));
        assertThat(workers.getFirst().realTime()).isEqualTo(RealTimePolicy.AUTO);
        assertThat(WorkerOptions.realTime(RealTimePolicy.AUTO, 2, 2)).isEqualTo(RealTimePolicy.AUTO);
        assertThat(WorkerOptions.realTime(RealTimePolicy.AUTO, 3, 2)).isEqualTo(RealTimePolicy.FALSE);
        assertThat(WorkerOptions.realTime(RealTimePolicy.TRUE, 3, 2)).isEqualTo(RealTimePolicy.TRUE);
    }

    @Test
    void portsOfAllServicesAreOpenedAsTheirKeysSay() throws Exception {
        Configuration configuration =
                configuration("udp.segmentation-offload=off", "udp.admission=off", "packet.eal=memory=256,huge=off");
        assertThat(configuration.get(ConfigurationKeys.UDP_OFFLOAD)).isEqualTo(SegmentationOffload.OFF);
        assertThat(configuration.get(ConfigurationKeys.UDP_ADMISSION)).isEqualTo(AdmissionControl.OFF);
        assertThat(Workers.standards(configuration, "dpdk:net_null0")).isEqualTo(Map.of("eal-memory", "256", "eal-huge", "off"));
        assertThat(Workers.standards(configuration, "xdp:eth0")).isEmpty();
        assertThatThrownBy(() -> configuration("packet.eal=in-memory"))
                .hasMessageContaining("packet.eal");
    }
}
