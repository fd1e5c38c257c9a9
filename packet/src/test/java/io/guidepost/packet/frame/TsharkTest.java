package io.guidepost.packet.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.base.Addresses;
import io.guidepost.base.Memory;
import io.guidepost.packet.pcap.CaptureWriter;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tshark says of ten thousand frames, and what the headers say. */
class TsharkTest {
    private static final String[] FIELDS = {
        "frame.protocols", "ip.src", "ip.dst", "ipv6.src", "ipv6.dst", "udp.srcport", "udp.dstport", "tcp.srcport",
        "tcp.dstport", "ip.proto"
    };

    @TempDir
    Path folder;

    private final HeaderParser headers = new HeaderParser();

    @Test
    @Tag("long")
    void rightFramesAndBrokenOnes() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/tshark")), "there is no tshark (apt-get install tshark)");
        List<byte[]> frames = new ArrayList<>();
        FrameMaker maker = new FrameMaker(99);
        for (int i = 0; i < 10_000; i++) {
            byte[] frame = maker.make();
            frames.add(i % 3 == 2 ? maker.mutate(frame) : frame);
        }
        List<String> lines = tshark(write(frames));
        assertThat(lines).hasSameSizeAs(frames);
        int compared = 0;
        for (int i = 0; i < frames.size(); i++) {
            compared += compare(i, frames.get(i), lines.get(i).split("\t", -1)) ? 1 : 0;
        }
        assertThat(compared).isGreaterThan(6_000);
    }

    private Path write(List<byte[]> frames) throws IOException {
        Path file = folder.resolve("frames.pcapng");
        long at = Arena.global().allocate(4_096).address();
        try (CaptureWriter writer = CaptureWriter.create(file, "test", "")) {
            for (byte[] each : frames) {
                Memory.copy(each, 0, at, each.length);
                writer.write(at, each.length, 1);
            }
        }
        return file;
    }

    /** Only the outermost of each field, as an ICMP error quotes others; no guessing of what is in UDP and TCP. */
    private static List<String> tshark(Path file) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "/usr/bin/tshark", "-n", "-r", file.toString(), "-T", "fields", "-E", "occurrence=f", "-o",
                "ip.defragment:FALSE", "-o", "ipv6.defragment:FALSE"));
        for (String each : FIELDS) {
            command.addAll(List.of("-e", each));
        }
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        List<String> lines =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        assertThat(process.waitFor()).isZero();
        return lines;
    }

    /** Of frames without a fault everything, of others nothing: tshark shows what it can of them. */
    private boolean compare(int number, byte[] frame, String[] theirs) throws IOException {
        Bytes bytes = Bytes.scratch(frame);
        boolean right = headers.read(bytes.address, frame.length);
        String which = "frame " + number + ": " + Bytes.hex(bytes.address, frame.length);
        if (!right) {
            return false;
        }
        List<String> protocols = List.of(theirs[0].split(":", -1));
        if (headers.isIpv4()) {
            assertThat(protocols).as(which).contains("ip");
            address(which, theirs[1], headers.sourceHigh(), headers.sourceLow());
            address(which, theirs[2], headers.destinationHigh(), headers.destinationLow());
            assertThat(theirs[9]).as(which).isEqualTo(Integer.toString(headers.protocol()));
        } else if (headers.isIpv6()) {
            assertThat(protocols).as(which).contains("ipv6");
            address(which, theirs[3], headers.sourceHigh(), headers.sourceLow());
            address(which, theirs[4], headers.destinationHigh(), headers.destinationLow());
        } else {
            return true;
        }
        // Fragments are not dissected further, not even the first.
        if (headers.isFragment() || headers.transportOffset() < 0) {
            return true;
        }
        // Where an option of an extension header has a wrong length tshark stops; the headers go on, as a router must.
        if (number % 3 == 2 && protocols.getLast().startsWith("ipv6.")) {
            return true;
        }
        boolean udp = headers.protocol() == HeaderParser.UDP;
        boolean tcp = headers.protocol() == HeaderParser.TCP;
        assertThat(protocols.contains("udp")).as(which).isEqualTo(udp);
        assertThat(protocols.contains("tcp")).as(which).isEqualTo(tcp);
        if (udp || tcp) {
            assertThat(theirs[udp ? 5 : 7]).as(which).isEqualTo(Integer.toString(headers.sourcePort()));
            assertThat(theirs[udp ? 6 : 8]).as(which).isEqualTo(Integer.toString(headers.destinationPort()));
        }
        return true;
    }

    private static void address(String which, String theirs, long high, long low) throws IOException {
        assertThat(InetAddress.getByName(theirs)).as(which).isEqualTo(Addresses.toInetAddress(high, low));
    }
}
