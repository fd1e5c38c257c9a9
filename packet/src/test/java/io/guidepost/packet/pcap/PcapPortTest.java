package io.guidepost.packet.pcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.base.Memory;
import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;
import io.guidepost.packet.Port;
import io.guidepost.packet.backend.FramePortOpener;
import io.guidepost.packet.frame.FrameMaker;
import io.guidepost.packet.frame.HeaderParser;
import io.guidepost.packet.frame.InternetChecksum;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcapPortTest {
    @TempDir
    Path folder;

    /** A file of packets that are numbered by their times, some milliseconds apart. */
    private Path recorded(int number, long apartNanos) throws IOException {
        Path file = folder.resolve("in.pcapng");
        FrameMaker maker = new FrameMaker(5);
        long at = Arena.global().allocate(2_048).address();
        try (CaptureWriter writer = CaptureWriter.create(file, "test", "")) {
            for (int i = 0; i < number; i++) {
                byte[] frame = maker.make();
                Memory.copy(frame, 0, at, frame.length);
                writer.write(at, frame.length, 1_000_000_000_000L + i * apartNanos);
            }
        }
        return file;
    }

    private static List<String> all(Port port, int queue) {
        List<String> frames = new ArrayList<>();
        Burst burst = port.rx(queue).burst();
        while (!port.rx(queue).isExhausted()) {
            int got = port.rx(queue).receive(burst);
            for (int i = 0; i < got; i++) {
                frames.add(burst.timeNanos(i) + " " + hex(burst.offset(i), burst.length(i)));
            }
        }
        assertThat(port.rx(queue).receive(burst)).isZero();
        return frames;
    }

    private static String hex(long address, int length) {
        byte[] bytes = new byte[length];
        Memory.copy(address, bytes, 0, length);
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void framesComeInTheirOrderAsOftenAsAskedFor() throws IOException {
        Path file = recorded(1_000, 1_000);
        try (Port once = FramePortOpener.open("pcap:" + file); Port thrice = FramePortOpener.open("pcap:" + file + ",loop=3,burst=7")) {
            List<String> frames = all(once, 0);
            assertThat(frames).hasSize(1_000);
            assertThat(frames.getLast()).startsWith("1000000999000 ");
            assertThat(once.rx(0).statistics().packets()).isEqualTo(1_000);
            assertThat(once.failure()).isEmpty();
            List<String> more = new ArrayList<>(frames);
            more.addAll(frames);
            more.addAll(frames);
            assertThat(all(thrice, 0)).isEqualTo(more);
        }
    }

    @Test
    void whatIsReceivedAndSentAgainIsTheSameFile() throws IOException {
        Path file = recorded(3_000, 777);
        Path out = folder.resolve("out.pcap");
        try (Port port = FramePortOpener.open("pcap:" + file + ",write=" + out)) {
            Burst in = port.rx(0).burst();
            Burst leaving = port.tx(0).burst();
            while (!port.rx(0).isExhausted()) {
                int got = port.rx(0).receive(in);
                for (int i = 0; i < got; i++) {
                    assertThat(leaving.take(in, i)).isTrue();
                }
                assertThat(port.tx(0).send(leaving)).isZero();
            }
            assertThat(port.tx(0).statistics().packets()).isEqualTo(3_000);
        }
        try (Port before = FramePortOpener.open("pcap:" + file); Port after = FramePortOpener.open("pcap:" + out)) {
            assertThat(all(after, 0)).isEqualTo(all(before, 0));
        }
    }

    @Test
    void conversationsAreSpreadOverQueuesAndKeepTheirOrder() throws IOException {
        Path file = recorded(4_000, 1_000);
        Map<Integer, Integer> queueOfFlow = new HashMap<>();
        List<String> together = new ArrayList<>();
        try (Port port = FramePortOpener.open("pcap:" + file + ",queues=3")) {
            HeaderParser headers = new HeaderParser();
            for (int queue = 0; queue < 3; queue++) {
                List<String> frames = all(port, queue);
                assertThat(frames).hasSizeGreaterThan(600).isSorted();
                together.addAll(frames);
                for (String each : frames) {
                    byte[] bytes = HexFormat.of().parseHex(each.substring(each.indexOf(' ') + 1));
                    long at = Arena.ofAuto().allocate(2_048).address();
                    Memory.copy(bytes, 0, at, bytes.length);
                    headers.read(at, bytes.length);
                    assertThat(queueOfFlow.merge(headers.flowHash(), queue, (before, now) -> now)).isEqualTo(queue);
                    assertThat(queueOfFlow).containsEntry(headers.flowHash(), queue);
                }
            }
        }
        try (Port port = FramePortOpener.open("pcap:" + file)) {
            assertThat(together).containsExactlyInAnyOrderElementsOf(all(port, 0));
        }
    }

    @Test
    void recordedTimeIsNotLessThanItWas() throws IOException {
        Path file = recorded(20, 2_000_000);
        try (Port port = FramePortOpener.open("pcap:" + file + ",speed=recorded,loop=2")) {
            long begun = System.nanoTime();
            assertThat(all(port, 0)).hasSize(40);
            assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(2 * 19 * 2_000_000L);
        }
    }

    @Test
    void aFileThatBreaksOffGivesWhatIsBefore() throws IOException {
        Path file = recorded(100, 1_000);
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 5));
        try (Port port = FramePortOpener.open("pcap:" + file + ",loop=0")) {
            assertThat(all(port, 0)).hasSize(99);
            assertThat(port.failure().orElseThrow()).startsWith(file + ":").contains("it breaks off in a block");
            assertThat(port.rx(0).statistics().drops(Drop.MALFORMED)).isEqualTo(1);
        }
    }

    /** Who reads a file takes a partial checksum for a wrong one. */
    @Test
    void partialChecksumsAreCompletedInAFile() throws IOException {
        Path file = folder.resolve("completed.pcapng");
        try (Port port = FramePortOpener.open("pcap:,write=" + file)) {
            assertThat(port.offloads()).isEmpty();
            Burst out = port.tx(0).burst();
            HeaderParser headers = new HeaderParser();
            FrameMaker maker = new FrameMaker(System.nanoTime());
            for (int i = 0; i < out.capacity(); i++) {
                byte[] frame = maker.make();
                Memory.copy(frame, 0, out.room(), frame.length);
                out.append(frame.length);
                headers.read(out, i);
                InternetChecksum.leave(out, i, headers);
            }
            assertThat(port.tx(0).send(out)).isZero();
        }
        try (Port port = FramePortOpener.open("pcap:" + file)) {
            Burst in = port.rx(0).burst();
            assertThat(port.rx(0).receive(in)).isEqualTo(in.capacity());
            HeaderParser headers = new HeaderParser();
            for (int i = 0; i < in.count(); i++) {
                headers.read(in, i);
                assertThat(InternetChecksum.check(in, i, headers)).isNotIn(InternetChecksum.State.WRONG, InternetChecksum.State.PARTIAL);
            }
        }
    }

    @Test
    void framesLongerThanTheMemoryAreCounted() throws IOException {
        Path file = folder.resolve("long.pcap");
        long at = Arena.global().allocate(4_000).address();
        try (CaptureWriter writer = CaptureWriter.create(file, "test", "")) {
            for (int length : new int[] {1_792, 1_793, 0}) {
                writer.write(at, length, 1);
            }
        }
        try (Port port = FramePortOpener.open("pcap:" + file)) {
            assertThat(port.frameBytesMax()).isEqualTo(1_792);
            assertThat(all(port, 0)).hasSize(2);
            assertThat(port.rx(0).statistics().drops(Drop.TRUNCATED)).isEqualTo(1);
        }
    }

    @Test
    void afterItWasClosedNothingComesAndNothingGoes() throws IOException {
        Path out = folder.resolve("out.pcapng");
        Port port = FramePortOpener.open("pcap:" + recorded(10, 1) + ",write=" + out);
        port.close();
        Burst in = port.rx(0).burst();
        assertThat(port.rx(0).receive(in)).isZero();
        Burst burst = port.tx(0).burst();
        burst.append(60);
        assertThat(port.tx(0).send(burst)).isZero();
        assertThat(port.tx(0).statistics().drops(Drop.CLOSED)).isEqualTo(1);
        assertThat(CaptureReader.open(out).next()).isFalse();
        port.close();
    }

    @Test
    void withoutAFileToWriteWhatIsSentHasNoWay() throws IOException {
        try (Port port = FramePortOpener.open("pcap:" + recorded(10, 1))) {
            Burst burst = port.tx(0).burst();
            burst.append(60);
            assertThat(port.tx(0).send(burst)).isZero();
            assertThat(port.tx(0).statistics().drops(Drop.UNREACHABLE)).isEqualTo(1);
        }
    }

    @Test
    void aNameThatIsWrongIsAnswered() throws IOException {
        Path file = recorded(1, 1);
        refused("pcap:" + file + ",speed=2", "speed is \"2\"; it must be full or recorded");
        refused("pcap:" + file + ",loop=-1", "loop is \"-1\"; it must be a number, 0 to 2147483647");
        refused("pcap:" + file + ",lop=1", "no option \"lop\"; there are comment, loop, speed, write");
        refused("pcap:", "no file; write pcap:FILE to read, or pcap:,write=FILE to write");
        refused("pcap:,write=" + folder.resolve("no/where"), "cannot be written");
    }

    private static void refused(String name, String why) {
        assertThatThrownBy(() -> FramePortOpener.open(name)).isInstanceOf(IOException.class).hasMessageContaining(why);
    }

    @Test
    void tsharkReadsWhatWasWritten() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/tshark")), "there is no tshark (apt-get install tshark)");
        for (String name : List.of("out.pcap", "out.pcapng")) {
            Path out = folder.resolve(name);
            Path file = recorded(500, 1_000);
            try (Port port = FramePortOpener.open("pcap:" + file + ",comment=a comment,write=" + out)) {
                Burst in = port.rx(0).burst();
                Burst leaving = port.tx(0).burst();
                while (!port.rx(0).isExhausted()) {
                    for (int i = 0, got = port.rx(0).receive(in); i < got; i++) {
                        leaving.take(in, i);
                    }
                    port.tx(0).send(leaving);
                }
            }
            assertThat(tshark(out, "-T", "fields", "-e", "frame.time_epoch")).hasSize(500).last().asString()
                    .startsWith("1000.000499");
            assertThat(tshark(out, "-Y", "_ws.malformed")).isEmpty();
        }
    }

    private static List<String> tshark(Path file, String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("/usr/bin/tshark", "-n", "-r", file.toString()));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        assertThat(process.waitFor()).isZero();
        return lines;
    }
}
