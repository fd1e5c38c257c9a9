package io.guidepost.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.TestImages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Observers that hear of a record before readers see it. */
class EarlyObserverTest {
    /** Of several, those that want no key before its record is shown cost nothing then. */
    @Test
    void onlyWhatWantsToHearOfAChangeBeforeItIsShownDoes() throws IOException {
        List<String> heard = new ArrayList<>();
        RecordStore.Observer plain = (sequence, key, before, after) -> heard.add("plain");
        RecordStore.Observer early = new RecordStore.Observer() {
            @Override
            public Consumer<byte[]> changing() {
                return _ -> heard.add("early");
            }

            @Override
            public void changed(long sequence, byte[] key, byte @Nullable [] before, byte @Nullable [] after) {
                heard.add("late");
            }
        };
        assertThat(plain.and(plain).changing()).isNull();
        EmbeddedStore store = EmbeddedStore.open(
                StoreOptions.inMemory().withStepped(true).withObserver(plain.and(early).and(plain).and(early)));
        RecordStore.Completion done = (_, _) -> {};
        store.submit(TestImages.key(1), TestImages.write(10), done);
        store.submit(TestImages.key(2), TestImages.write(20), done);
        store.work();
        assertThat(heard.subList(0, 4)).containsOnly("early");
        assertThat(heard).hasSize(12).endsWith("plain", "late", "plain", "late");
    }
}
