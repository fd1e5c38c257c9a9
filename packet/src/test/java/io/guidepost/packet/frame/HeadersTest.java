package io.guidepost.packet.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.packet.Memory;
import java.lang.foreign.Arena;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class HeadersTest {
    private final Headers headers = new Headers();

    private boolean read(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        long at = Arena.global().allocate(2048).address();
        Memory.copy(bytes, 0, at, bytes.length);
        return headers.read(at, bytes.length);
    }

    @Test
    void udpOverIpv4InAVlan() {
        assertThat(read("020000000001 020000000002 8100 0064 0800"
                        + "4500001c 00004000 40110000 0a000001 0a000002 1389 1388 0008 0000"))
                .isTrue();
        assertThat(headers.vlan()).isEqualTo(100);
        assertThat(headers.isIpv4()).isTrue();
        assertThat(headers.protocol()).isEqualTo(Headers.UDP);
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
        assertThat(headers.fault()).isEqualTo(Headers.Fault.BAD_IP);
    }
}
