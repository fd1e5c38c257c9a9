package io.guidepost.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import org.junit.jupiter.api.Test;

class NameTest {
    @Test
    void aGuidsKeyIsItsNamespaceAndItsBytes() throws Malformed {
        Guid guid = Guid.ofAscii("printer");
        byte[] key = Name.of(guid).key();
        assertThat(key).hasSize(21).startsWith(1, 'p', 'r');
        assertThat(Name.ofKey(key)).isEqualTo(Name.of(guid)).hasToString("guid:" + guid);
    }

    @Test
    void changingTheArrayDoesNotChangeTheName() throws Malformed {
        byte[] key = Name.of(Guid.ofAscii("a")).key();
        Name name = Name.ofKey(key);
        key[1] = 'b';
        name.key()[1] = 'c';
        assertThat(name).isEqualTo(Name.of(Guid.ofAscii("a")));
    }

    @Test
    void damagedKeysAreRefused() {
        assertThatThrownBy(() -> Name.ofKey(new byte[] {1})).hasMessageContaining("2 to 2049 bytes");
        assertThatThrownBy(() -> Name.ofKey(new byte[] {9, 1})).hasMessageContaining("namespace 9 is unknown");
        assertThatThrownBy(() -> Name.ofKey(new byte[] {1, 1})).hasMessageContaining("21 bytes, not 2");
        assertThatThrownBy(() -> Name.ofKey(new byte[3000])).hasMessageContaining("not 3000");
    }

    @Test
    void orderIsThatOfTheKeys() throws Malformed {
        Name handle = Name.ofKey(new byte[] {2, 'a'});
        Name high = Name.of(new Guid(-1, -1, -1));
        Name low = Name.of(new Guid(0, 0, 1));
        assertThat(low).isLessThan(high);
        assertThat(high).isLessThan(handle);
    }
}
