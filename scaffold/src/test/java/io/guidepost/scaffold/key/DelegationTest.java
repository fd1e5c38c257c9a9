package io.guidepost.scaffold.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Which hosts may serve an object, in the words of its key. */
class DelegationTest {
    private static final Guid HOST = Guid.ofAscii("host");
    private static final long EXPIRY = 1_800_000_000L;

    private final ObjectKey key = ObjectKey.generate(new SecureRandom());

    @Test
    void isReadAsWritten() throws Malformed {
        Delegation delegation = key.delegate(HOST, EXPIRY);
        byte[] bytes = delegation.bytes();

        assertThat(bytes).hasSize(Delegation.BYTES);
        assertThat(HexFormat.of().formatHex(bytes, 0, 60))
                .isEqualTo(HexFormat.of().formatHex(key.open()) + "686f737400000000000000000000000000000000" + "000000006b49d200");
        Delegation again = Delegation.read(bytes);
        assertThat(Delegation.parse(again.toString())).isEqualTo(again);
        assertThat(again).isEqualTo(delegation).hasSameHashCodeAs(delegation);
        assertThat(again.isSigned()).isTrue();
        assertThat(again.object()).isEqualTo(key.guid());
        assertThat(again.host()).isEqualTo(HOST);
        assertThat(again.expirySeconds()).isEqualTo(EXPIRY);
    }

    @Test
    void noChangeOfItIsSigned() throws Malformed {
        byte[] bytes = key.delegate(HOST, EXPIRY).bytes();
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= (byte) (1 << i % 8);
            assertThat(Delegation.read(changed).isSigned()).as("byte %d", i).isFalse();
        }
    }

    @Test
    void anotherKeyIsAnotherObject() {
        assertThat(ObjectKey.generate(new SecureRandom()).delegate(HOST, EXPIRY).object()).isNotEqualTo(key.guid());
    }

    @Test
    void hasOneLength() {
        assertThatThrownBy(() -> Delegation.read(new byte[123])).isInstanceOf(Malformed.class).hasMessageContaining("124 bytes, not 123");
        assertThatThrownBy(() -> Delegation.parse("%")).isInstanceOf(Malformed.class);
    }
}
