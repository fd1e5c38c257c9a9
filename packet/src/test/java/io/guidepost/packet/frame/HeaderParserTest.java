package io.guidepost.packet.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class HeaderParserTest {
    private static final String SIX = "020000000001020000000002 86dd 60000000";
    private static final String FROM = " fe800000000000000000000000000001";
    private static final String TO = " fe800000000000000000000000000002 ";

    private final HeaderParser headers = new HeaderParser();

    private Bytes bytes = Bytes.room(1);

    private boolean read(String hex) {
        bytes = Bytes.of(hex);
        return headers.read(bytes.address, bytes.length());
    }

    @Test
    void udpOverIpv4InAVlan() {
        assertThat(read("020000000001 020000000002 8100 0064 0800"
                        + "4500001c 00004000 40110000 0a000001 0a000002 1389 1388 0008 0000"))
                .isTrue();
        assertThat(headers.vlan()).isEqualTo(100);
        assertThat(headers.isIpv4()).isTrue();
        assertThat(headers.protocol()).isEqualTo(HeaderParser.UDP);
        assertThat(headers.sourceLow()).isEqualTo(0xffff_0a00_0001L);
        assertThat(headers.destinationLow()).isEqualTo(0xffff_0a00_0002L);
        assertThat(headers.sourcePort()).isEqualTo(5001);
        assertThat(headers.destinationPort()).isEqualTo(5000);
        assertThat(headers.payloadOffset()).isEqualTo(18 + 20 + 8);
    }

    @Test
    void aTotalLengthBeyondTheFrameIsAFault() {
        assertThat(read("020000000001 020000000002 0800 4500001d 00004000 40110000 0a000001 0a000002 1389 1388 0008 0000"))
                .isFalse();
        assertThat(headers.fault()).isEqualTo(HeaderParser.Fault.BAD_IP);
    }

    @Test
    void plainFramesOfEachFamily() {
        assertThat(read(Bytes.UDP4)).isTrue();
        assertThat(headers.vlan()).isEqualTo(-1);
        assertThat(headers.networkOffset()).isEqualTo(14);
        assertThat(headers.networkEnd()).isEqualTo(44);
        assertThat(headers.transportOffset()).isEqualTo(34);
        assertThat(headers.ports()).isEqualTo(5001 << 16 | 5000);
        assertThat(headers.destinationMac()).isEqualTo(0x02_00_00_00_00_01L);
        assertThat(headers.sourceMac()).isEqualTo(0x02_00_00_00_00_02L);
        assertThat(read(SIX + "0008 11 40" + FROM + TO + "1389 1388 0008 0000")).isTrue();
        assertThat(headers.isIpv6()).isTrue();
        assertThat(headers.sourceHigh()).isEqualTo(0xfe80L << 48);
        assertThat(headers.sourceLow()).isEqualTo(1);
        assertThat(headers.destinationLow()).isEqualTo(2);
        assertThat(headers.payloadOffset()).isEqualTo(62);
        assertThat(headers.ports()).isEqualTo(5001 << 16 | 5000);
    }

    @Test
    void extensionHeadersArePassedOver() {
        assertThat(read(SIX + "0018 00 40" + FROM + TO + "3c00 050200000100   1100 010400000000   1389 1388 0008 0000"))
                .isTrue();
        assertThat(headers.protocol()).isEqualTo(HeaderParser.UDP);
        assertThat(headers.transportOffset()).isEqualTo(70);
        assertThat(read(SIX + "0008 00 40" + FROM + TO + "3c01 050200000100")).isFalse();
        assertThat(headers.fault()).isEqualTo(HeaderParser.Fault.BAD_EXTENSION);
        assertThat(headers.sourceLow()).isEqualTo(1);
        assertThat(headers.transportOffset()).isEqualTo(-1);
        assertThat(read(SIX + "0048 00 40" + FROM + TO + "0000000000000000".repeat(9))).isFalse();
        assertThat(headers.fault()).isEqualTo(HeaderParser.Fault.BAD_EXTENSION);
    }

    @Test
    void onlyTheFirstFragmentHasPorts() {
        String first = Bytes.UDP4.replace("00004000", "00072000").replace("000a 5c5d", "0800 5c5d");
        assertThat(read(first)).isTrue();
        assertThat(headers.isFragment()).isTrue();
        assertThat(headers.sourcePort()).isEqualTo(5001);
        int hash = headers.flowHash();
        assertThat(read(Bytes.UDP4.replace("00004000", "000720b9"))).isTrue();
        assertThat(headers.isFirstFragment()).isFalse();
        assertThat(headers.transportOffset()).isEqualTo(-1);
        assertThat(headers.payloadOffset()).isEqualTo(34);
        assertThat(headers.ports()).isZero();
        assertThat(headers.flowHash()).isEqualTo(hash);
        assertThat(read(SIX + "0010 2c 40" + FROM + TO + "1100 0008 0000002a 1389 1388 0008 0000")).isTrue();
        assertThat(headers.isFirstFragment()).isFalse();
        assertThat(headers.ports()).isZero();
        // All of a packet in one fragment.
        assertThat(read(SIX + "0010 2c 40" + FROM + TO + "1100 0000 0000002a 1389 1388 0008 0000")).isTrue();
        assertThat(headers.isFragment()).isFalse();
        assertThat(headers.sourcePort()).isEqualTo(5001);
    }

    @Test
    void faultsAndWhatIsKnownInSpiteOfThem() {
        assertThat(read("0200")).isFalse();
        assertThat(headers.fault()).isEqualTo(HeaderParser.Fault.SHORT_ETHERNET);
        assertThat(headers.etherType()).isEqualTo(-1);
        assertThat(read("020000000001020000000002 8100 0001 8100 0002 8100 0003 0800")).isFalse();
        assertThat(headers.fault()).isEqualTo(HeaderParser.Fault.TOO_MANY_TAGS);
        assertThat(read(Bytes.UDP4.replace(" 4500", " 4400"))).isFalse();
        assertThat(headers.fault()).isEqualTo(HeaderParser.Fault.BAD_IP);
        assertThat(headers.isIpv4()).isFalse();
        assertThat(read(Bytes.UDP4.replace("000a 5c5d", "000b 5c5d"))).isFalse();
        assertThat(headers.fault()).isEqualTo(HeaderParser.Fault.BAD_TRANSPORT);
        assertThat(headers.isIpv4()).isTrue();
        assertThat(headers.sourceLow()).isEqualTo(0xffff_0a00_0001L);
        assertThat(headers.ports()).isZero();
        assertThat(read("ffffffffffff020000000002 0806 0001")).isTrue();
        assertThat(headers.etherType()).isEqualTo(HeaderParser.ARP);
    }

    @Test
    void bothDirectionsHaveOneHashAndOthersOthers() {
        assertThat(read(Bytes.UDP4)).isTrue();
        int there = headers.flowHash();
        assertThat(read(Bytes.UDP4.replace("0a000001 0a000002 1389 1388", "0a000002 0a000001 1388 1389"))).isTrue();
        assertThat(headers.flowHash()).isEqualTo(there);
        // The same addresses with exchanged ports are another conversation.
        assertThat(read(Bytes.UDP4.replace("1389 1388", "1388 1389"))).isTrue();
        assertThat(headers.flowHash()).isNotEqualTo(there);
        int[] queues = new int[4];
        for (int port = 1024; port < 1024 + 4000; port++) {
            read(Bytes.UDP4.replace("1389", String.format("%04x", port)));
            queues[headers.flowHash() >>> 30]++;
        }
        assertThat(Arrays.stream(queues)).allMatch(number -> number > 900 && number < 1100);
    }
}
