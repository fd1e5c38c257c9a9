package io.guidepost.packet.xdp;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Eventually;
import io.guidepost.packet.Port;
import io.guidepost.packet.QueueStatistics;
import io.guidepost.packet.TxQueue;
import io.guidepost.packet.backend.FramePortOpener;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is sent to an interface that cannot send does not count as sent. */
class XdpLossTest {
    private static final int BURST = 40;

    private static void send(TxQueue tx, Burst out) {
        for (int i = 0; i < BURST; i++) {
            Memory.put64(out.room(), -1L);
            Memory.put64(out.room() + 8, 0x0000_0000_88b5_0000L);
            out.append(60);
        }
        assertThat(tx.send(out)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "native, left, ip link set left down, ip link set left up",
        "generic, left, ip link set left down, ip link set left up",
        "native, right, ip link set right down, ip link set right up",
        "generic, right, ip link set right down, ip link set right up",
        "native, left, ip link del left, ",
        "generic, left, ip link del left, "
    })
    void framesForADeadLinkAreUnreachable(String mode, String side, String loss, String back) throws IOException {
        try (XdpTestWire wire = XdpTestWire.open(1500, 1);
                Port port = wire.inLeft(() -> FramePortOpener.open("xdp:left,mode=" + mode))) {
            TxQueue tx = port.tx(0);
            Burst out = tx.burst();
            QueueStatistics statistics = tx.statistics();
            send(tx, out);
            assertThat(statistics.packets()).isEqualTo(BURST);
            run(wire, side, loss);
            for (int i = 0; i < 5; i++) {
                send(tx, out);
            }
            assertThat(statistics.packets()).as("sent").isEqualTo(BURST);
            assertThat(statistics.drops(Drop.UNREACHABLE)).as("unreachable").isEqualTo(5 * BURST);
            if (back != null) {
                run(wire, side, back);
                Eventually.await("frames to leave again", () -> {
                    send(tx, out);
                    return statistics.packets() > BURST;
                });
            }
        }
    }

    private static void run(XdpTestWire wire, String side, String command) throws IOException {
        String[] words = command.strip().split(" ");
        if (side.equals("left")) {
            wire.leftRun(words);
        } else {
            wire.rightRun(words);
        }
    }
}
