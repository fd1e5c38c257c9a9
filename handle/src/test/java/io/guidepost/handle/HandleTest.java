package io.guidepost.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.handle.value.ValueReference;
import io.guidepost.names.Name;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Names: where they are split, how they are folded, what they are under. */
class HandleTest {
    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void theFirstSlashDivides() {
        Handle handle = Handle.of("10.1000/a/b");
        assertThat(handle.prefix()).isEqualTo("10.1000");
        assertThat(handle.suffix()).isEqualTo("a/b");
        assertThat(Handle.of("/x").prefix()).isEmpty();
        assertThat(Handle.of("x/").suffix()).isEmpty();
    }

    @Test
    void aNameWithoutSlashIsThatOfAPrefix() {
        Handle handle = Handle.of("10.1000");
        assertThat(handle.prefix()).isEqualTo("0.NA");
        assertThat(handle.suffix()).isEqualTo("10.1000");
        assertThat(handle.isPrefixHandle()).isTrue();
        assertThat(handle.prefixHandle()).isEqualTo(Handle.of("0.NA/0.NA"));
        assertThat(text(handle.folded())).isEqualTo("0.NA/10.1000");
        assertThat(handle.equalsFolded(Handle.of("0.na/10.1000"))).isTrue();
    }

    @Test
    void onlyAsciiLettersAreFolded() {
        assertThat(text(Handle.of("10.1a/Straße-é-z{").folded())).isEqualTo("10.1A/STRAßE-é-Z{");
        assertThat(text(Handle.of("10.1a/Straße").prefixFolded())).isEqualTo("10.1A/Straße");
        assertThat(text(Handle.of("0.na/10.1a").prefixFolded())).isEqualTo("0.NA/10.1A");
        assertThat(text(Handle.of("10.1a").prefixFolded())).isEqualTo("0.NA/10.1A");
        assertThat(Handle.of("10.1a/x").equalsFolded(Handle.of("10.1A/X"))).isTrue();
        assertThat(Handle.of("10.1a/é").equalsFolded(Handle.of("10.1A/É"))).isFalse();
        assertThat(Handle.of("10.1a/x")).isNotEqualTo(Handle.of("10.1A/X"));
    }

    @Test
    void theHandleOfAPrefixIsFolded() {
        assertThat(Handle.of("a/b").prefixHandle()).isEqualTo(Handle.of("0.NA/A"));
        assertThat(Handle.of("0.na/x").prefixHandle()).isEqualTo(Handle.of("0.NA/0.NA"));
        assertThat(Handle.of("/x").prefixHandle()).isEqualTo(Handle.of("0.NA/"));
        assertThat(Handle.of("0.na/x").isPrefixHandle()).isTrue();
        assertThat(Handle.of("0.NAX/x").isPrefixHandle()).isFalse();
        assertThat(Handle.of("1234/x").isPrefixHandle()).isFalse();
        assertThat(Handle.ofPrefix("1234")).isEqualTo(Handle.of("0.NA/1234"));
    }

    @Test
    void prefixesAreDerivedByDots() {
        assertThat(Handle.of("0.NA/10.1000.5").parentPrefixHandle()).contains(Handle.of("0.NA/10.1000"));
        assertThat(Handle.of("10.1000").parentPrefixHandle()).contains(Handle.of("0.NA/10"));
        assertThat(Handle.of("0.NA/10").parentPrefixHandle()).isEmpty();
        assertThat(Handle.of("10.1/10.1").parentPrefixHandle()).isEmpty();
    }

    @Test
    void recordsAreKeptUnderTheFoldedName() throws Malformed {
        Name name = Handle.of("10.1a/x").name(false);
        assertThat(name.namespace()).isEqualTo(Name.Namespace.HANDLE);
        assertThat(text(name.key())).isEqualTo("\u000210.1A/X");
        assertThat(text(Handle.of("10.1a/x").name(true).key())).isEqualTo("\u000210.1A/x");
        assertThat(Handle.of("10.1a/x").name(false)).isEqualTo(Handle.of("10.1A/X").name(false));
        assertThatThrownBy(() -> Handle.of("x".repeat(2048)).name(false)).isInstanceOf(Malformed.class);
    }

    @Test
    void theGuidIsTheSameForAllSpellings() {
        // echo -n 1234/A | sha256sum
        assertThat(Handle.of("1234/a").guid().toString()).isEqualTo(GUID_OF_1234_A);
        assertThat(Handle.of("1234/A").guid().toString()).isEqualTo(GUID_OF_1234_A);
        assertThat(Handle.of("1234/b").guid().toString()).isNotEqualTo(GUID_OF_1234_A);
    }

    private static final String GUID_OF_1234_A = "69b78c10a32d059d1228c57533770f09ad6d1da0";

    @Test
    void lengthIsBounded() {
        assertThat(Handle.of("x".repeat(2048)).length()).isEqualTo(2048);
        assertThatThrownBy(() -> Handle.of("x".repeat(2049))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Handle.parse("x".repeat(2049))).isInstanceOf(Malformed.class);
        assertThatThrownBy(() -> Handle.parse("")).isInstanceOf(Malformed.class);
    }

    @Test
    void bytesThatAreNoTextAreKept() {
        byte[] bytes = {'1', '/', (byte) 0xff};
        assertThat(Handle.of(bytes).isUtf8()).isFalse();
        assertThat(Handle.of(bytes).bytes()).isEqualTo(bytes);
        assertThat(Handle.of("1/ß").isUtf8()).isTrue();
    }

    @Test
    void slashAndNothingAreNoHandle() {
        assertThat(Handle.NONE.isNone()).isTrue();
        assertThat(Handle.SLASH.isNone()).isTrue();
        assertThat(Handle.of("a/").isNone()).isFalse();
    }

    @Test
    void identitiesCoverEachOther() throws Malformed {
        ValueReference admin = ValueReference.parse("300:1234/Admin");
        assertThat(admin).isEqualTo(new ValueReference(Handle.of("1234/Admin"), 300));
        assertThat(admin.toString()).isEqualTo("300:1234/Admin");
        for (String each : new String[] {"", ":", "300", "x:1234/A", "300:", ":1234/A", "-1:1234/A"}) {
            assertThatThrownBy(() -> ValueReference.parse(each)).as(each).isInstanceOf(Malformed.class);
        }
    }
}
