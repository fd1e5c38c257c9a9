package io.guidepost.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SourceNetworkTest {
    private static long v4(int a, int b, int c, int d) {
        return 0xffffL << 32 | (a << 24 | b << 16 | c << 8 | d) & 0xffffffffL;
    }

    @Test
    void anIpv4NetworkIsA24() {
        long home = SourceNetwork.of(0, v4(192, 0, 2, 1));
        assertThat(home).isEqualTo(SourceNetwork.of(0, v4(192, 0, 2, 255)));
        assertThat(home).isNotEqualTo(SourceNetwork.of(0, v4(192, 0, 3, 1)));
        assertThat(SourceNetwork.bits(0, v4(192, 0, 2, 1))).isEqualTo(24);
    }

    /** A site with a /48 is one network, however many of its /56 and /64 it sends from. */
    @Test
    void anIpv6NetworkIsA48() {
        long site = SourceNetwork.of(0x2001_0db8_0001_0000L, 1);
        assertThat(site).isEqualTo(SourceNetwork.of(0x2001_0db8_0001_ffffL, 99));
        assertThat(site).isNotEqualTo(SourceNetwork.of(0x2001_0db8_0002_0000L, 1));
        assertThat(SourceNetwork.bits(0x2001_0db8_0001_0000L, 1)).isEqualTo(48);
    }

    @Test
    void familiesShareNoNumber() {
        long home = SourceNetwork.of(0, v4(192, 0, 2, 1));
        assertThat(SourceNetwork.of(home << 16, 0)).isNotEqualTo(home);
    }

    @Test
    void aSubscriberIsAnAddressOrA64() {
        assertThat(SourceNetwork.subscriber(0, v4(192, 0, 2, 1)))
                .isNotEqualTo(SourceNetwork.subscriber(0, v4(192, 0, 2, 2)));
        assertThat(SourceNetwork.subscriberBits(0, v4(192, 0, 2, 1))).isEqualTo(32);
        long home = 0x2001_0db8_0001_0001L;
        assertThat(SourceNetwork.subscriber(home, 1)).isEqualTo(SourceNetwork.subscriber(home, -1));
        assertThat(SourceNetwork.subscriber(home, 1)).isNotEqualTo(SourceNetwork.subscriber(home + 1, 1));
        assertThat(SourceNetwork.subscriberBits(home, 1)).isEqualTo(64);
    }
}
