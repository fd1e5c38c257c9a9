package io.guidepost.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.FrameSettings;
import io.guidepost.packet.memory.MemoryLink;
import io.guidepost.packet.worker.Worker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class OneWayTest {
    private static final String ETHERNET = "02000000000a02000000000b0800";

    /** IPv4 and TCP from port 8080 to 80; the flags are left out. */
    private static final String TCP = "45000028000040004006" + "26ce" + "0a0000010a000002" + "1f900050" + "00000001" + "00000000" + "50";

    private static byte[] tcp(String flags) {
        return HexFormat.of().parseHex(ETHERNET + TCP + flags + "2000" + "00000000");
    }

    private static byte[] udp(int port) {
        return HexFormat.of().parseHex(ETHERNET + "4500001c00004000401126cf0a0000010a0000021f90"
                + HexFormat.of().toHexDigits((short) port) + "00080000");
    }

    private static void send(MemoryLink link, byte[] frame) {
        Burst burst = link.right().tx(0).burst();
        Memory.copy(frame, 0, burst.room(), frame.length);
        burst.append(frame.length);
        assertThat(link.right().tx(0).send(burst)).isZero();
    }

    private static int received(MemoryLink link, int number) {
        Burst burst = link.right().rx(0).burst();
        int all = 0;
        long end = System.nanoTime() + 20_000_000_000L;
        while (all < number && System.nanoTime() < end) {
            all += link.right().rx(0).receive(burst);
            LockSupport.parkNanos(100_000);
        }
        return all;
    }

    @Test
    void connectionsAreOpenedFromInsideOnly() throws Exception {
        try (MemoryLink outside = new MemoryLink(FrameSettings.of("outside"));
                MemoryLink inside = new MemoryLink(FrameSettings.of("inside"));
                Worker worker = OneWay.join(outside.left(), inside.left())) {
            send(outside, tcp("02"));
            send(outside, udp(53));
            send(outside, tcp("12"));
            send(outside, udp(4000));
            send(inside, tcp("02"));
            worker.start();
            assertThat(received(inside, 2)).isEqualTo(2);
            assertThat(received(outside, 1)).isEqualTo(1);
            assertThat(outside.left().rx(0).statistics().drops(Drop.REFUSED)).isEqualTo(2);
        }
    }

    @Test
    void theDocumentationShowsItAsItIs() throws Exception {
        String source = Files.readString(Path.of("src/test/java/io/guidepost/example/OneWay.java"));
        assertThat(source.lines().count()).isLessThan(60);
        assertThat(Files.readString(Path.of("..", "docs", "packet.md")))
                .contains(source.substring(source.indexOf("/** A middlebox")));
    }
}
