package io.guidepost.scaffold.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.scaffold.wire.HostLocator;
import org.junit.jupiter.api.Test;

class CookieTest {
    private static final long NOW = 1_800_000_000L;

    private final Cookie cookies = new Cookie(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
    private final byte[] cookie = cookies.of(new HostLocator(1, 2, 3), NOW);

    private boolean check(byte[] bytes, long high, long low, int port, long now) {
        return cookies.check(bytes, new HostLocator(high, low, port), now);
    }

    @Test
    void isGoodForItsAddressAndForAWhile() {
        assertThat(cookie).hasSize(Cookie.BYTES);
        assertThat(check(cookie, 1, 2, 3, NOW)).isTrue();
        assertThat(check(cookie, 1, 2, 3, NOW + Cookie.SECONDS_MAX)).isTrue();
        assertThat(check(cookie, 1, 2, 3, NOW + Cookie.SECONDS_MAX + 1)).as("too late").isFalse();
        assertThat(check(cookie, 1, 2, 3, NOW - 1)).as("of the future").isFalse();
        assertThat(check(cookie, 9, 2, 3, NOW)).isFalse();
        assertThat(check(cookie, 1, 9, 3, NOW)).isFalse();
        assertThat(check(cookie, 1, 2, 9, NOW)).isFalse();
    }

    @Test
    void noChangeOfItIsGood() {
        for (int bit = 0; bit < cookie.length * 8; bit++) {
            byte[] changed = cookie.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(check(changed, 1, 2, 3, NOW)).as("bit %d", bit).isFalse();
        }
    }

    @Test
    void anotherSecretHasOthers() {
        assertThat(new Cookie(new byte[16]).of(new HostLocator(1, 2, 3), NOW)).isNotEqualTo(cookie);
    }
}
