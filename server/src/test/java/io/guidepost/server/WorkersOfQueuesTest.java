package io.guidepost.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.ip.HostPort;
import io.guidepost.packet.ip.InterfaceAddress;
import io.guidepost.packet.memory.MemoryLink;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A port takes all queues of its device: fewer workers serve several each. */
class WorkersOfQueuesTest {
    private static final int QUEUES = 3;

    /** Who has 10.79.1.9? */
    private static final String ARP = "ffffffffffff02000000000a0806" + "0001080006040001" + "02000000000a0a4f0101" + "0000000000000a4f0109";

    @Test
    void oneWorkerServesAllQueues(@TempDir Path folder) throws Exception {
        try (MemoryLink link = new MemoryLink(FrameSettings.of("queues").withQueues(QUEUES));
                RunningServer server = RunningServer.start(
                        folder,
                        List.of("workers.count=1", "gnrs.listen=", "gnrs.port=5001", "gnrs.writers=10.0.0.0/8",
                                "packet.ports=memory:queues,address=10.79.1.9/24,queues=" + QUEUES),
                        (_, udpPorts, _) -> HostPort.of(link.left(), InterfaceAddress.parse("10.79.1.9/24"), udpPorts))) {
            byte[] request = HexFormat.of().parseHex(ARP);
            for (int i = 0; i < QUEUES; i++) {
                int queue = i;
                Burst out = link.right().tx(queue).burst();
                Memory.copy(request, 0, out.room(), request.length);
                out.append(request.length);
                assertThat(link.right().tx(queue).send(out)).isZero();
                Burst in = link.right().rx(queue).burst();
                assertThat(RunningServer.eventually(() -> link.right().rx(queue).receive(in) == 1)).as("queue %d", queue).isTrue();
            }
            assertThat(server.sum("guidepost_port_packets_total", "port=\"host:memory:")).as("datagrams").isZero();
        }
    }
}
