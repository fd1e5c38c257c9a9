package io.guidepost.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {
    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "127.0.0.1", "255.255.255.255", "::", "::1", "2001:db8::ff00:42:8329", "fe80::1"})
    void anAddressGoesThereAndBack(String text) {
        InetAddress address = InetAddress.ofLiteral(text);
        assertThat(Addresses.toInetAddress(Addresses.high(address), Addresses.low(address)))
                .isEqualTo(address);
    }

    @Test
    void aLinkLocalAddressKeepsItsLink() throws UnknownHostException {
        byte[] bytes = InetAddress.ofLiteral("fe80::1:2").getAddress();
        Inet6Address address = Inet6Address.getByAddress(null, bytes, 7);
        long high = Addresses.high(address);
        assertThat(high).isEqualTo(0xfe80_0000_0000_0007L);
        assertThat(Addresses.scope(high)).isEqualTo(7);
        assertThat(Addresses.withoutScope(high)).isEqualTo(0xfe80_0000_0000_0000L);
        Inet6Address back = (Inet6Address) Addresses.toInetAddress(high, Addresses.low(address));
        assertThat(back.getScopeId()).isEqualTo(7);
    }

    @Test
    void mappedFormIsThatOfTheStandard() {
        assertThat(Addresses.ipv4Low(0x01020304)).isEqualTo(0xffff_0102_0304L);
        assertThat(Addresses.ipv4Low(-1)).isEqualTo(0xffff_ffff_ffffL);
        assertThat(Addresses.isIpv4(0, 0xffff_0102_0304L)).isTrue();
        assertThat(Addresses.isIpv4(1, 0xffff_0102_0304L)).isFalse();
    }
}
