package io.guidepost.scaffold.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.names.Guid;
import org.junit.jupiter.api.Test;

/** For how long a name is known without a question, and how many are. */
class KnownNamesTest {
    private static final Guid WEB = Guid.ofAscii("web");

    @Test
    void aNameIsKnownForFiveSecondsAndTheOldestOfTooManyIsForgotten() {
        KnownNames names = new KnownNames();
        names.put("web", WEB, 7);
        assertThat(names.find("web", 6 + KnownNames.KNOWN_NANOS)).isEqualTo(WEB);
        assertThat(names.find("web", 7 + KnownNames.KNOWN_NANOS)).isNull();
        assertThat(names.find("other", 7)).isNull();
        for (int i = 0; i < 4_095; i++) {
            names.put("name" + i, WEB, 7);
        }
        assertThat(names.find("web", 8)).isEqualTo(WEB);
        names.put("one more", WEB, 7);
        assertThat(names.find("web", 8)).isNull();
        assertThat(names.find("name0", 8)).isEqualTo(WEB);
    }
}
