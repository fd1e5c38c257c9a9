package io.guidepost.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Datagrams of look-ups; that a server understands them is shown by the scenarios of all clients. */
class LookupCodecTest {
    /** Of a server: an IPv4 place with a TTL of a minute, and an IPv6 place that expires. */
    private static final byte[] RESPONSE = HexFormat.of().parseHex("00810062 01020304 003e 0016 0000 0006 7f000001 1389"
            .replace(" ", "") + "0000000000000002" + "000000060a0102030050" + "f006001220010db8000000000000000000000017" + "13c4"
            + "0210000000000000ea600000000000000000" + "81100000000000000000000001ba5e3a69f4");

    @Test
    void aResponseIsRead() {
        LookupCodec.Found found = LookupCodec.response(ByteBuffer.wrap(RESPONSE)).orElseThrow();
        assertThat(found.id()).isEqualTo(0x01020304);
        assertThat(found.success()).isTrue();
        assertThat(found.total()).isEqualTo(2);
        assertThat(found.places()).extracting(NamePlace::address).containsExactly("10.1.2.3:80", "[2001:db8::17]:5060");
        assertThat(found.places()).extracting(NamePlace::ttl).containsExactly(Duration.ofMinutes(1), null);
        assertThat(found.places()).extracting(NamePlace::expires).containsExactly(null, Instant.ofEpochMilli(0x01ba5e3a69f4L));
    }

    @Test
    void noPartOfAResponseIsOne() {
        for (int length = 0; length < RESPONSE.length; length++) {
            byte[] part = Arrays.copyOf(RESPONSE, length);
            assertThat(LookupCodec.response(ByteBuffer.wrap(part))).as("the first %d bytes", length).isEmpty();
            if (length >= 4) {
                part[2] = (byte) (length >> 8);
                part[3] = (byte) length;
                LookupCodec.response(ByteBuffer.wrap(part));
            }
        }
    }

    @Test
    void mutatedDatagramsAreReadOrIgnored() {
        long seed = 20_261_127;
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            byte[] mutated = RESPONSE.clone();
            for (int n = random.nextInt(1, 5); n > 0; n--) {
                mutated[random.nextInt(4, mutated.length)] = (byte) random.nextInt();
            }
            assertThat(LookupCodec.response(ByteBuffer.wrap(mutated)).map(each -> each.places().size()).orElse(0))
                    .as("seed %d, datagram %d", seed, i).isBetween(0, RESPONSE.length / 4);
        }
    }

    @Test
    void aRequestIsAsLongAsItsPaddingDemands() {
        byte[] request = LookupCodec.lookup(7, new byte[20], 600);
        assertThat(request).hasSize(16 + 20 + 4 + 600 + 3 * 2 + 4).startsWith(0, 1, request.length >> 8, request.length & 0xff, 0, 0, 0, 7);
    }
}
