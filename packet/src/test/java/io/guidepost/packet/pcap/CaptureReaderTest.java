package io.guidepost.packet.pcap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files written down by hand, right ones and wrong ones. */
class CaptureReaderTest {
    private static final String CLASSIC = "a1b2c3d4 0002 0004 00000000 00000000 00040000 00000001";
    private static final String CLASSIC_LITTLE = "d4c3b2a1 0200 0400 00000000 00000000 00000400 01000000";
    private static final String SECTION = "0a0d0d0a 0000001c 1a2b3c4d 0001 0000 ffffffffffffffff 0000001c";
    private static final String INTERFACE = "00000001 00000014 0001 0000 00000000 00000014";

    @TempDir
    Path folder;

    private Path file(String hex) throws IOException {
        return Files.write(folder.resolve("a.pcap"), HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    private static List<String> packets(CaptureReader reader) {
        List<String> packets = new ArrayList<>();
        while (reader.next()) {
            byte[] bytes = new byte[reader.length()];
            Memory.copy(reader.address(), bytes, 0, bytes.length);
            packets.add(reader.timeNanos() + " " + HexFormat.of().formatHex(bytes) + " " + reader.wireLength());
        }
        return packets;
    }

    private List<String> read(String hex) throws IOException {
        CaptureReader reader = CaptureReader.open(file(hex));
        List<String> packets = packets(reader);
        assertThat(reader.failure()).isEmpty();
        assertThat(packets(reader.another())).isEqualTo(packets);
        return packets;
    }

    @Test
    void classicInBothOrdersAndResolutions() throws IOException {
        String big = " 00000002 00000003 00000002 00000005 abcd";
        String little = " 02000000 03000000 02000000 05000000 abcd";
        assertThat(read(CLASSIC + big + big)).containsExactly("2000003000 abcd 5", "2000003000 abcd 5");
        assertThat(read(CLASSIC.replace("a1b2c3d4", "a1b23c4d") + big)).containsExactly("2000000003 abcd 5");
        assertThat(read(CLASSIC_LITTLE + little)).containsExactly("2000003000 abcd 5");
        assertThat(read(CLASSIC_LITTLE.replace("d4c3b2a1", "4d3cb2a1") + little)).containsExactly("2000000003 abcd 5");
        assertThat(read(CLASSIC)).isEmpty();
    }

    @Test
    void sectionsOfBothOrdersInOneFile() throws IOException {
        String big = SECTION + INTERFACE
                + "00000006 00000024 00000000 00000000 00000007 00000003 00000009 aabbcc00 00000024";
        String little = "0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000"
                + "01000000 20000000 0100 0000 00000000 0900 0100 09000000 0000 0000 20000000"
                + "06000000 24000000 00000000 01000000 02000000 04000000 04000000 aabbccdd 24000000";
        assertThat(read(big + little)).containsExactly("7000 aabbcc 9", (1L << 32 | 2) + " aabbccdd 4");
    }

    @Test
    void simpleOldAndUnknownBlocks() throws IOException {
        String snapped = "00000001 00000014 0001 0000 00000002 00000014";
        String unknown = "40000bad 00000010 12345678 00000010";
        String old = "00000002 00000024 0000 0001 00000000 00000005 00000001 00000001 ee000000 00000024";
        String simple = "00000003 00000014 00000009 aabb0000 00000014";
        assertThat(read(SECTION + snapped + unknown + old + simple)).containsExactly("5000 ee 1", "5000 aabb 9");
    }

    @Test
    void timesOfInterfaces() {
        assertThat(PcapngReader.nanos(7, 6)).isEqualTo(7_000);
        assertThat(PcapngReader.nanos(7, 0)).isEqualTo(7_000_000_000L);
        assertThat(PcapngReader.nanos(7, 9)).isEqualTo(7);
        assertThat(PcapngReader.nanos(7_999, 12)).isEqualTo(7);
        assertThat(PcapngReader.nanos(-1, 127)).isZero();
        assertThat(PcapngReader.nanos(3, 0x80 | 1)).isEqualTo(1_500_000_000L);
        assertThat(PcapngReader.nanos(5L << 40 | 1L << 39, 0x80 | 40)).isEqualTo(5_500_000_000L);
        assertThat(PcapngReader.nanos(-1, 0x80 | 63)).isEqualTo(1_999_999_999L);
        assertThat(PcapngReader.nanos(-1, 0xff)).isZero();
    }

    @Test
    void anOffsetOfSecondsCounts() throws IOException {
        String shifted = "00000001 00000024 0001 0000 00000000 000e 0008 0000000000000064 0000 0000 00000024";
        assertThat(read(SECTION + shifted
                        + "00000006 00000024 00000000 00000000 00000007 00000003 00000003 aabbcc00 00000024"))
                .containsExactly("100000007000 aabbcc 3");
    }

    private void refused(String hex, String why) throws IOException {
        Path file = file(hex);
        assertThatThrownBy(() -> CaptureReader.open(file)).isInstanceOf(IOException.class).hasMessage(file + why);
    }

    @Test
    void whatIsWrongAtTheBeginningIsSaidWhenItIsOpened() throws IOException {
        refused("a1b2", ":0: 2 bytes are no capture file");
        refused("1f8b0800", ":0: it is compressed; unpack it first");
        refused("12345678", ":0: it begins with 0x12345678; a pcap file begins with a1b2c3d4 or a1b23c4d in either byte order,"
                + " a pcapng file with 0a0d0d0a");
        refused("a1b2c3d4 0002", ":0: it has 6 bytes; the header of a pcap file has 24");
        refused(CLASSIC.replace("00000001", "00000065"),
                ":0: its packets have link type 101; only Ethernet (1) can be read");
        refused(SECTION + INTERFACE.replace(" 0001 0000", " 0065 0000"),
                ":28: an interface has link type 101; only Ethernet (1) can be read");
        refused(SECTION.replace("1a2b3c4d", "1a2b3c4e"),
                ":0: a section with byte order 1a2b3c4e; it must be 1a2b3c4d in either order");
        refused(SECTION.replace("0000001c", "0000001a"),
                ":0: a block of 26 bytes; it must be a multiple of 4, 12 or more");
        refused(SECTION.substring(0, SECTION.length() - 2) + "1b",
                ":0: a block of 28 bytes ends with another length, 27");
        assertThatThrownBy(() -> CaptureReader.open(folder.resolve("b.pcap")))
                .hasMessage(folder.resolve("b.pcap") + ": there is no such file");
        assertThatThrownBy(() -> CaptureReader.open(folder)).hasMessage(folder + ": cannot be read as a file");
    }

    private void endsAt(String hex, int packets, String why) throws IOException {
        Path file = file(hex);
        CaptureReader reader = CaptureReader.open(file);
        assertThat(packets(reader)).hasSize(packets);
        assertThat(reader.failure()).isEqualTo(file + why);
        assertThat(reader.next()).isFalse();
    }

    @Test
    void whatIsWrongLaterEndsTheWalkThere() throws IOException {
        String packet = " 00000002 00000003 00000002 00000005 abcd";
        endsAt(CLASSIC + packet + " 0000", 1, ":42: it breaks off in the header of a packet: 2 bytes of 16");
        endsAt(CLASSIC + packet + packet.substring(0, packet.length() - 2), 1, ":42: it breaks off in a packet: 1 bytes of 2");
        endsAt(CLASSIC + packet + packet.replace("00000002 00000005", "80000000 80000000"), 1,
                ":42: a packet of 2147483648 bytes; the bound is 262144");
        String enhanced = "00000006 00000024 00000000 00000000 00000007 00000003 00000009 aabbcc00 00000024";
        String begin = SECTION + INTERFACE + enhanced;
        endsAt(begin + enhanced.replace("00000024 00000000 0", "00000024 00000001 0"), 1,
                ":84: a packet of interface 1; the section has 1");
        endsAt(begin + enhanced.replace("00000003", "00000005"), 1,
                ":84: a packet of 5 bytes in a block with room for 4");
        endsAt(begin + enhanced.replace("00000003", "fffffff0"), 1,
                ":84: a packet of 4294967280 bytes in a block with room for 4");
        endsAt(begin + enhanced.substring(0, 40), 1, ":84: it breaks off in a block: 16 bytes of 36".replace("16", "18"));
        endsAt(begin + "00000006", 1, ":84: it breaks off in the header of a block: 4 bytes of 12");
        endsAt(begin + SECTION + enhanced, 1, ":112: a packet of interface 0; the section has 0");
        endsAt(begin + SECTION + "00000003 00000014 00000004 aabbccdd 00000014", 1,
                ":112: a packet, and the section has no interface");
    }
}
