package io.guidepost.middlebox;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Port;
import io.guidepost.packet.backend.FramePortOpener;
import io.guidepost.packet.filter.PacketFilter;
import io.guidepost.packet.worker.DutyCycle;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FrameCaptureTest {
    private static final byte[] WANTED = Packet.udp("10.0.0.1", 5000, "10.0.0.2", 53, "wanted");
    private static final byte[] OTHER = Packet.udp("10.0.0.1", 5000, "10.0.0.2", 54, "another");

    @TempDir
    Path folder;

    private static List<byte[]> read(Path file) throws IOException {
        List<byte[]> frames = new ArrayList<>();
        try (Port port = FramePortOpener.open("pcap:" + file)) {
            Burst burst = port.rx(0).burst();
            while (!port.rx(0).isExhausted()) {
                for (int i = 0, got = port.rx(0).receive(burst); i < got; i++) {
                    frames.add(Packet.bytes(burst, i));
                }
            }
        }
        return frames;
    }

    @Test
    void whatTheFilterWantsIsCountedAndWritten() throws IOException {
        Path file = folder.resolve("out.pcapng");
        try (BoxWire wire = new BoxWire("capture");
                Port out = FramePortOpener.open("pcap:,write=" + file)) {
            FrameCapture capture = new FrameCapture(PacketFilter.parse("udp port 53"), Long.MAX_VALUE);
            DutyCycle tap = capture.tap(wire.port().rx(0), Optional.of(out.tx(0)));
            wire.send(WANTED, OTHER, WANTED, OTHER);
            assertThat(tap.work(0)).isEqualTo(4);
            assertThat(tap.work(0)).isZero();
            assertThat(capture.kept().getFirst().packets()).isEqualTo(2);
            assertThat(capture.kept().getFirst().bytes()).isEqualTo(2L * WANTED.length);
            assertThat(capture.isDone()).isFalse();
        }
        assertThat(read(file)).containsExactly(WANTED, WANTED);
    }

    @Test
    void itKeepsNoMoreThanAskedFor() throws IOException {
        Path file = folder.resolve("out.pcap");
        try (BoxWire wire = new BoxWire("capture");
                Port out = FramePortOpener.open("pcap:,write=" + file)) {
            FrameCapture capture = new FrameCapture(PacketFilter.ALL, 3);
            DutyCycle tap = capture.tap(wire.port().rx(0), Optional.of(out.tx(0)));
            wire.send(WANTED, OTHER);
            tap.work(0);
            assertThat(capture.isDone()).isFalse();
            wire.send(OTHER, WANTED);
            tap.work(0);
            assertThat(capture.isDone()).isTrue();
            wire.send(WANTED);
            assertThat(tap.work(0)).isZero();
            assertThat(capture.kept().getFirst().packets()).isEqualTo(3);
        }
        assertThat(read(file)).containsExactly(WANTED, OTHER, OTHER);
    }

    @Test
    void theEndOfAFileIsItsEnd() throws IOException {
        Path file = folder.resolve("in.pcap");
        try (BoxWire wire = new BoxWire("capture");
                Port out = FramePortOpener.open("pcap:,write=" + file)) {
            DutyCycle tap = new FrameCapture(PacketFilter.ALL, Long.MAX_VALUE).tap(wire.port().rx(0), Optional.of(out.tx(0)));
            for (int i = 0; i < 500; i++) {
                wire.send(WANTED);
                tap.work(0);
            }
        }
        try (Port in = FramePortOpener.open("pcap:" + file)) {
            FrameCapture capture = new FrameCapture(PacketFilter.ALL, Long.MAX_VALUE);
            DutyCycle tap = capture.tap(in.rx(0), Optional.empty());
            while (!capture.isDone()) {
                tap.work(0);
            }
            assertThat(capture.kept().getFirst().packets()).isEqualTo(500);
        }
    }
}
