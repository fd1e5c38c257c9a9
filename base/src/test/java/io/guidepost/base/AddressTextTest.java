package io.guidepost.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressTextTest {
    /** The rules of RFC 5952 section 4, one after the other. */
    @ParameterizedTest
    @CsvSource({
        "2001:0db8:0:0:0:0:0:0001, 2001:db8::1",
        "2001:db8:0:0:0:0:2:1,     2001:db8::2:1",
        "2001:db8:0:1:1:1:1:1,     2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1,       2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1,     2001:db8::1:0:0:1",
        "2001:DB8:0:0:0:0:0:ABCD,  2001:db8::abcd",
        "0:0:0:0:0:0:0:1,          ::1",
        "0:0:0:0:0:0:0:0,          ::",
        "1:0:0:0:0:0:0:0,          1::",
        "1111:2222:3333:4444:5555:6666:7777:8888, 1111:2222:3333:4444:5555:6666:7777:8888",
        "0.0.0.0,                  0.0.0.0",
        "203.0.113.255,            203.0.113.255"
    })
    void anAddressHasOneText(String given, String canonical) throws Exception {
        InetAddress address = InetAddress.ofLiteral(given);
        assertThat(AddressText.of(address)).isEqualTo(canonical);
        assertThat(Address.parse(given)).hasToString(canonical);
        assertThat(Address.of(address).prefix()).hasToString(canonical + (canonical.contains(":") ? "/128" : "/32"));
        assertThat(AddressText.of(new InetSocketAddress(address, 80)))
                .isEqualTo(canonical.contains(":") ? "[" + canonical + "]:80" : canonical + ":80");
        byte[] text = new byte[AddressText.BYTES_MAX];
        int end = address instanceof Inet6Address
                ? AddressText.ipv6(Addresses.high(address), Addresses.low(address), text, 0)
                : AddressText.ipv4((int) Addresses.low(address), text, 0);
        assertThat(new String(text, 0, end, StandardCharsets.US_ASCII)).isEqualTo(canonical);
    }

    @Test
    void aScopeIsKeptAndAMappedAddressOfIpv6StaysOne() throws Exception {
        byte[] bytes = InetAddress.ofLiteral("fe80::1").getAddress();
        assertThat(AddressText.of(Inet6Address.getByAddress(null, bytes, 7))).isEqualTo("fe80::1%7");
        byte[] mapped = new byte[16];
        mapped[10] = mapped[11] = (byte) 0xff;
        mapped[15] = 9;
        assertThat(AddressText.ipv6(mapped)).isEqualTo("::ffff:0:9");
    }
}
