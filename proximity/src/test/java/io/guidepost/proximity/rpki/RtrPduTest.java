package io.guidepost.proximity.rpki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.base.Prefix;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes are put together by hand from the figures of RFC 8210 and RFC 6810. */
class RtrPduTest {
    private static RtrPdu read(String hex) throws Malformed, RtrPdu.UnknownType {
        return RtrPdu.read(ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", ""))), 0);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 01 00 abcd 0000000c 00000102, 'SerialNotify[session=43981, serial=258]'",
        "1, 01 01 abcd 0000000c ffffffff, 'SerialQuery[session=43981, serial=-1]'",
        "0, 00 02 0000 00000008, ResetQuery[]",
        "1, 01 03 0007 00000008, CacheResponse[session=7]",
        "1, 01 04 0000 00000014 01181800 c0000200 0000fbf4,"
                + " 'Payload[announced=true, vrp=Vrp[prefix=192.0.2.0/24, maxLength=120, as=64500]]'",
        "0, 00 06 0000 00000020 00203000 20010db8000000000000000000000000 fa56ea00,"
                + " 'Payload[announced=false, vrp=Vrp[prefix=2001:db8::/32, maxLength=48, as=4200000000]]'",
        "1, 01 07 0007 00000018 00000009 00000e10 00000258 00001c20,"
                + " 'EndOfData[session=7, serial=9, refreshSeconds=3600, retrySeconds=600, expireSeconds=7200]'",
        "0, 00 07 0007 0000000c 00000009,"
                + " 'EndOfData[session=7, serial=9, refreshSeconds=0, retrySeconds=0, expireSeconds=0]'",
        "1, 01 08 0000 00000008, CacheReset[]"
    })
    void itIsReadAndWritten(int version, String hex, String text) throws Exception {
        RtrPdu pdu = read(hex);
        assertThat(pdu).hasToString(text);
        assertThat(HexFormat.of().formatHex(pdu.write(version))).isEqualTo(hex.replace(" ", ""));
    }

    @Test
    void anErrorReportIsReadAndWritten() throws Exception {
        String hex = "01 0a 0002 00000018 00000004 01020304 00000004 6e6f6e65";
        RtrPdu.ErrorReport pdu = (RtrPdu.ErrorReport) read(hex);
        assertThat(pdu.code()).isEqualTo(2);
        assertThat(pdu.cause()).containsExactly(1, 2, 3, 4);
        assertThat(pdu.text()).isEqualTo("none");
        assertThat(HexFormat.of().formatHex(pdu.write(1))).isEqualTo(hex.replace(" ", ""));
    }

    @Test
    void aKeyOfARouterIsOfVersionOne() throws Exception {
        String key = "09 0100 00000020 " + "00".repeat(20) + "0000fbf4";
        assertThat(read("01 " + key)).isEqualTo(new RtrPdu.RouterKey());
        assertThatThrownBy(() -> read("00 " + key)).isInstanceOf(RtrPdu.UnknownType.class).hasMessage("a PDU has type 9");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "01 00 abcd 00000008",
        "01 03 0007 00000009",
        "01 04 0000 00000020 01181800 c0000200 0000fbf4",
        "01 04 0000 00000014 01191800 c0000200 0000fbf4",
        "01 04 0000 00000014 01182100 c0000200 0000fbf4",
        "01 04 0000 00000014 01ffff00 c0000200 0000fbf4",
        "01 06 0000 00000020 00208100 20010db8000000000000000000000000 fa56ea00",
        "01 07 0007 0000000c 00000009",
        "01 0a 0002 00000008",
        "01 0a 0002 00000010 00000005 00000000",
        "01 0a 0002 00000010 ffffffff 00000000",
        "01 0a 0002 00000014 00000004 01020304 00000001",
        "01 09 0000 00000007",
        "01 0a 0002 7fffffff 00000000 00000000",
        "01 0a 0002 ffffffff 00000000 00000000"
    })
    void whatContradictsItselfIsMalformed(String hex) {
        assertThatThrownBy(() -> read(hex)).isInstanceOf(Malformed.class);
    }

    @Test
    void bitsBehindThePrefixAreCleared() throws Exception {
        RtrPdu.Payload pdu = (RtrPdu.Payload) read("01 04 0000 00000014 01181800 c00002ff 0000fbf4");
        assertThat(pdu.vrp().prefix()).isEqualTo(Prefix.parse("192.0.2.0/24"));
    }
}
