package io.guidepost.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The vectors of docs/http.md, and what is no name. */
final class NameFormTest {
    @ParameterizedTest
    @CsvSource({
        "printer, printer, 7072696e74657200000000000000000000000000",
        "guid:printer, printer, 7072696e74657200000000000000000000000000",
        "orders.prod.eu-west-1.example, orders.prod.eu-west-1.example, 629af2c4bba649f143cdb54a97d56bcf7c362224",
        "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6, f81d4fae-7dec-11d0-a765-00a0c91e6bf6, 30a5154b77ab8b2ddbe19f5e7af72f33cc2a4a41",
        "1234/library, 1234/LIBRARY, ac1f83be74c2e28ef526d354c3d224c65c0bb689",
        "0.na/1234, 0.NA/1234, 186df4584cd18d281500068c4739438d35a2570f",
        "café/€, café/€, ccd7b870ff2cff474d173ed73891b511ff6c708b",
        "cafe\u0301/€, café/€, ccd7b870ff2cff474d173ed73891b511ff6c708b",
        "\u212a, K, 4b00000000000000000000000000000000000000",
        "two words, two words, a03f1d611645eb53ad16c1af546ca0792dc88450",
        "10.0.0.0, 10.0.0.0, 31302e302e302e30000000000000000000000000",
        "example.com/path, example.com/path, 6578616d706c652e636f6d2f7061746800000000"
    })
    void aNameHasItsFormAndItsGuid(String written, String form, String guid) throws Malformed {
        NameForm name = NameForm.parse(written);
        assertThat(name.text()).contains(form);
        assertThat(name.guid()).hasToString(guid);
        assertThat(NameForm.parse(form)).isEqualTo(name);
        assertThat(NameForm.matches(form, name.guid())).isTrue();
        assertThat(NameForm.isWord(name.guid())).isEqualTo(NameForm.word(name.guid()).isPresent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0123456789abcdef0123456789ABCDEF01234567", "guid:0123456789abcdef0123456789abcdef01234567"})
    void aGuidHasNoText(String written) throws Malformed {
        assertThat(NameForm.parse(written).text()).isEmpty();
        assertThat(NameForm.parse(written)).hasToString("guid:0123456789abcdef0123456789abcdef01234567");
    }

    @Test
    void theGuidOfAWordTellsTheWord() throws Malformed {
        assertThat(NameForm.parse("guid:" + Guid.ofAscii("alice"))).isEqualTo(NameForm.parse("alice"));
        assertThat(NameForm.word(Guid.ofAscii("12345678901234567890"))).contains("12345678901234567890");
        // As a name this is a handle, whose GUID is another one.
        assertThat(NameForm.word(Guid.ofAscii("1234/library"))).isEmpty();
        assertThat(NameForm.isWord(Guid.ofAscii("1234/library"))).isFalse();
        assertThat(NameForm.word(Guid.ofAscii(""))).isEmpty();
    }

    @Test
    void namesHaveBounds() throws Malformed {
        assertThat(NameForm.parse("é".repeat(1024)).text()).isPresent();
        assertThatThrownBy(() -> NameForm.parse("é".repeat(1024) + "x")).hasMessageContaining("2049");
        assertThatThrownBy(() -> NameForm.parse("")).hasMessageContaining("at least one");
        assertThatThrownBy(() -> NameForm.parse("a\nb")).hasMessageContaining("U+000A");
        assertThatThrownBy(() -> NameForm.parse("a\ud800b")).hasMessageContaining("surrogate");
        assertThatThrownBy(() -> NameForm.parse("guid:")).isInstanceOf(Malformed.class);
    }
}
