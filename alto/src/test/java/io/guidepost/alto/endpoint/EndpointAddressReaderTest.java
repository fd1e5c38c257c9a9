package io.guidepost.alto.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.alto.protocol.EndpointAddress;
import io.guidepost.base.Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses read and written by hand, against those that the library reads and writes. */
class EndpointAddressReaderTest {
    private static final long SEED = 93;

    private final EndpointAddressReader reader = new EndpointAddressReader();

    private Optional<Address> read(String text) {
        byte[] bytes = ("x\"" + text + "\"").getBytes(StandardCharsets.UTF_8);
        int end = reader.read(bytes, 2);
        return end == bytes.length - 1 ? Optional.of(new Address(reader.high(), reader.low())) : Optional.empty();
    }

    @Test
    void whatIsWrittenIsReadAndIsCanonical() throws Exception {
        Random random = new Random(SEED);
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = new byte[16];
            random.nextBytes(bytes);
            for (int group = 0; group < 8; group++) {
                if (random.nextInt(3) > 0) {
                    bytes[2 * group] = 0;
                    bytes[2 * group + 1] = random.nextBoolean() ? 0 : bytes[2 * group + 1];
                }
            }
            ByteBuffer halves = ByteBuffer.wrap(bytes);
            Address address = new Address(halves.getLong(), halves.getLong());
            if (address.isIpv4()) {
                continue;
            }
            String text = EndpointAddress.of(address);
            assertThat(InetAddress.ofLiteral(text.substring(5)).getAddress()).as(text).isEqualTo(bytes);
            assertThat(read(text)).as(text).contains(address);
            assertThat(read(text.toUpperCase(Locale.ROOT).replace("IPV6", "ipv6"))).contains(address);
            assertThat(read("ipv6:" + InetAddress.getByAddress(bytes).getHostAddress())).contains(address);
            assertThat(EndpointAddress.parse(text)).contains(address);
        }
    }

    @Test
    void allOfIpv4IsRead() {
        Random random = new Random(SEED);
        for (int i = 0; i < 5_000; i++) {
            Address address = Address.ofIpv4(random.nextInt());
            assertThat(EndpointAddress.of(address)).isEqualTo("ipv4:" + address);
            assertThat(read("ipv4:" + address)).contains(address);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "2001:db8::1=2001:db8::1", "2001:db8:0:0:1:0:0:1=2001:db8::1:0:0:1", "2001:0:0:1:0:0:0:1=2001:0:0:1::1",
        "::=::", "::1=::1", "1::=1::", "1:0:2:3:4:5:6:7=1:0:2:3:4:5:6:7", "0:0:1::=0:0:1::", "2001:DB8:0000::=2001:db8::"
    })
    void theCanonicalFormIsThatOfRfc5952(String pair) throws Exception {
        Address address = Address.parse(pair.substring(0, pair.indexOf('=')));
        assertThat(EndpointAddress.of(address)).isEqualTo("ipv6:" + pair.substring(pair.indexOf('=') + 1));
    }

    /** 010 is 8 to some readers and 10 to others. */
    @ParameterizedTest
    @ValueSource(strings = {"ipv4:010.0.2.1", "ipv4:10.00.2.1", "ipv4:10.0.02.1", "ipv4:10.0.2.01", "ipv6:::ffff:010.0.2.1"})
    void aNumberInIpv4HasNoLeadingZero(String text) {
        assertThat(read(text)).isEmpty();
        assertThat(EndpointAddress.parse(text)).isEmpty();
    }

    @Test
    void nothingIsReadThatTheLongWayRefuses() {
        Random random = new Random(SEED);
        String[] seeds = {"ipv6:2001:db8::1", "ipv4:192.0.2.1", "ipv6:1:2:3:4:5:6:7:8", "ipv6:::", "ipv6:::ffff:1.2.3.4"};
        String letters = "0123456789abcdefABCDEFg:./ipv%\"\\ ";
        int read = 0;
        for (int i = 0; i < 60_000; i++) {
            StringBuilder text = new StringBuilder(seeds[random.nextInt(seeds.length)]);
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                int at = random.nextInt(text.length() + 1);
                char letter = letters.charAt(random.nextInt(letters.length()));
                switch (random.nextInt(3)) {
                    case 0 -> text.insert(at, letter);
                    case 1 -> text.setCharAt(Math.min(at, text.length() - 1), letter);
                    default -> text.deleteCharAt(Math.min(at, text.length() - 1));
                }
            }
            Optional<Address> quick = read(text.toString());
            if (quick.isPresent()) {
                read++;
                assertThat(EndpointAddress.parse(text.toString())).as(text.toString()).isEqualTo(quick);
            }
        }
        assertThat(read).isGreaterThan(5_000);
    }
}
