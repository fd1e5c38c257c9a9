package io.guidepost.server.cli.boxes;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.backend.FramePortOpener;
import io.guidepost.server.cli.CommandRun;
import io.guidepost.server.cli.support.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaptureCommandTest {
    @TempDir
    private Path folder;

    /** A file of 1,000 frames of 60 bytes, every tenth of them ARP, to broadcast. */
    private Path file() throws IOException {
        Path file = folder.resolve("in.pcapng");
        try (Port port = FramePortOpener.open("pcap:,write=" + file)) {
            Burst burst = port.tx(0).burst();
            for (int i = 0; i < 1_000; i++) {
                long room = burst.room();
                Memory.put64(room, i % 10 == 0 ? -1 : 0x0200_0000_0001_0200L);
                Memory.put32(room + 8, i);
                Memory.put16(room + 12, i % 10 == 0 ? 0x0806 : 0x88b5);
                burst.append(60);
                port.tx(0).send(burst);
            }
        }
        return file;
    }

    @Test
    void aFileIsFilteredIntoAnother() throws IOException {
        Path file = file();
        Path arp = folder.resolve("arp.pcap");
        CommandRun ran = CommandRun.of("capture", "pcap:" + file, "--filter", "arp", "--write", arp.toString(), "--quiet");
        assertThat(ran.err()).contains("guidepost: 100 of 1000 frames, 6000 bytes, in ", "written to " + arp);
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("queue", "wanted");
        CommandRun again = CommandRun.of("capture", "pcap:" + arp, "--queues", "2", "--quiet", "--json");
        assertThat(again.code()).isZero();
        assertThat(again.err()).contains("guidepost: 100 of 100 frames, 6000 bytes");
        assertThat(again.out()).contains("\"queue\": 1", "\"wanted\": ");
        CommandRun some = CommandRun.of("capture", "pcap:" + arp, "--count", "7", "--quiet");
        assertThat(some.err()).contains("guidepost: 7 of ");
    }

    @Test
    void whatIsWrongIsOneLine() throws IOException {
        Path file = file();
        CommandRun filter = CommandRun.of("capture", "pcap:" + file, "--filter", "udp prot 5");
        assertThat(filter.code()).isEqualTo(ExitCode.FAILED);
        assertThat(filter.err()).startsWith("guidepost: filter, column 5: \"prot\" is more than there should be");
        assertThat(CommandRun.of("capture", "pcap:" + folder.resolve("none.pcap")).err()).contains("there is no such file");
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 3));
        CommandRun broken = CommandRun.of("capture", "pcap:" + file, "--quiet");
        assertThat(broken.code()).isEqualTo(ExitCode.FAILED);
        assertThat(broken.err()).contains("999 of 999 frames", "it breaks off in a block");
    }
}
