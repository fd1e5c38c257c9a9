package io.guidepost.scaffold.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Keys as files: what was written is read, so is what OpenSSL writes, and other keys are refused. */
class KeyFileTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** RFC 8410 section 10.3, the private key of its public key 19bf4409... */
    private static final String RFC_8410 =
            "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n";

    @Test
    void aHostsKeyIsReadAsItWasWritten() throws Malformed {
        HostKey key = HostKey.generate(RANDOM);
        HostKey other = HostKey.generate(RANDOM);
        HostKey read = HostKey.read(key.write());

        assertThat(read.guid()).isEqualTo(key.guid());
        assertThat(read.open()).isEqualTo(key.open());
        assertThat(read.agree(other.open())).isEqualTo(other.agree(key.open()));
    }

    @Test
    void anObjectsKeyIsReadAsItWasWritten() throws Malformed {
        ObjectKey key = ObjectKey.generate(RANDOM);
        ObjectKey read = ObjectKey.read(key.write());

        assertThat(read.guid()).isEqualTo(key.guid());
        assertThat(read.delegate(key.guid(), 7)).isEqualTo(key.delegate(key.guid(), 7));
    }

    @Test
    void aKeyOfTheStandardsExampleHasItsPublicKey() throws Malformed {
        ObjectKey key = ObjectKey.read(RFC_8410.getBytes(StandardCharsets.US_ASCII));

        assertThat(HexFormat.of().formatHex(key.open())).isEqualTo("19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1");
    }

    @Test
    void whatIsNoKeyOfTheKindIsRefusedWithWhatWouldBeRight() {
        assertThatThrownBy(() -> HostKey.read(ObjectKey.generate(RANDOM).write()))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("openssl genpkey -algorithm X25519");
        assertThatThrownBy(() -> ObjectKey.read(HostKey.generate(RANDOM).write())).isInstanceOf(Malformed.class);
        assertThatThrownBy(() -> ObjectKey.read(new byte[0])).isInstanceOf(Malformed.class).hasMessageContaining("BEGIN");
        assertThatThrownBy(() -> ObjectKey.read(RFC_8410.replace("MC4", "MC5").getBytes(StandardCharsets.US_ASCII)))
                .isInstanceOf(Malformed.class);
    }
}
