package io.guidepost.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.names.Binding;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import io.guidepost.store.HybridClock;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.TestImages;
import io.guidepost.store.engine.FaultyEngine;
import io.guidepost.store.engine.MemoryEngine;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records in a form of their own, and others that are made from them in the same group. */
final class DerivationTest {
    /** Held here, as the logging library holds it weakly. */
    private static final Logger LOG = Logger.getLogger("io.guidepost.store");

    private static final byte MIRRORED = 'm';

    private final FaultyEngine engine = new FaultyEngine(new MemoryEngine());
    private final List<String> heard = new ArrayList<>();

    private EmbeddedStore open() throws IOException {
        return EmbeddedStore.open(
                engine, StoreOptions.inMemory().withStepped(true).withDerivation(this::derive));
    }

    /** For each record whose name begins with a letter, one of the same form whose name begins with another. */
    private void derive(
            byte[] key,
            byte @Nullable [] before,
            byte @Nullable [] after,
            BiConsumer<byte[], RecordStore.Replace> also) {
        heard.add((char) key[1] + (before == null ? "-" : "+") + (after == null ? "-" : "+"));
        byte[] mirrored = key.clone();
        mirrored[1] = MIRRORED;
        also.accept(mirrored, (same, current, version, now) -> after == null
                ? RecordStore.Change.DELETE
                : RecordImage.writeForm(same, version, new byte[] {(byte) after.length}));
    }

    private static Name name(String text) {
        try {
            return Name.ofKey(("\2" + text).getBytes(StandardCharsets.ISO_8859_1));
        } catch (Malformed e) {
            throw new AssertionError(e);
        }
    }

    private static Record form(String name, String text) {
        return new Record(
                name(name), 0, List.of(), List.of(Value.ofForm(text.getBytes(StandardCharsets.ISO_8859_1))));
    }

    @Test
    void aFormIsKeptAsItIsAndFoundInTheImage() throws IOException, Malformed {
        byte[] image = RecordImage.writeForm(name("a1").key(), 7, new byte[] {1, 2, 3});
        MemorySegment segment = MemorySegment.ofArray(image);

        assertThat(RecordImage.flags(segment, 0)).isEqualTo(RecordImage.VALUES | RecordImage.FORM);
        assertThat(RecordImage.formLength(segment, 0)).isEqualTo(3);
        assertThat(segment.asSlice(RecordImage.form(segment, 0), 3).toArray(ValueLayout.JAVA_BYTE))
                .containsExactly(1, 2, 3);
        assertThat(RecordImage.read(image).values()).containsExactly(Value.ofForm(new byte[] {1, 2, 3}));
        assertThat(RecordImage.write(RecordImage.read(image))).isEqualTo(image);
    }

    @Test
    void aFormSurvivesThePutAndTheGet() throws IOException {
        try (EmbeddedStore store = open()) {
            Optional<Long> version = store.put(form("a1", "hello"), Record.ABSENT);
            Record found = store.get(name("a1")).orElseThrow();
            assertThat(found.version()).isEqualTo(version.orElseThrow());
            assertThat(found.values().getFirst().data()).asString().isEqualTo("hello");
        }
    }

    @Test
    void whatIsDerivedComesAndGoesWithItsSourceAndDerivesNothing() throws IOException {
        try (EmbeddedStore store = open()) {
            store.put(form("a1", "one"), Record.ABSENT);
            assertThat(store.get(name("m1"))).isPresent();
            store.delete(name("a1"));
            assertThat(store.get(name("m1"))).isEmpty();
        }
        assertThat(heard).containsExactly("a-+", "a+-");
    }

    @Test
    void bothAreInOneGroupOrNeitherIs() throws IOException {
        LOG.setLevel(Level.OFF);
        try (EmbeddedStore store = open()) {
            store.put(form("a1", "one"), Record.ABSENT);
            long groups = store.status().groups();
            store.put(form("a2", "two"), Record.ABSENT);
            assertThat(store.status().groups()).isEqualTo(groups + 1);
            assertThat(store.status().writes()).isEqualTo(4);
            engine.fault = FaultyEngine.Fault.REFUSED;
            assertThatThrownBy(() -> store.put(form("a3", "three"), Record.ABSENT)).isInstanceOf(IOException.class);
            assertThat(store.get(name("a3"))).isEmpty();
            assertThat(store.get(name("m3"))).isEmpty();
        } finally {
            LOG.setLevel(null);
        }
    }

    @Test
    void aDerivedRecordHasNoDigestAndIsNotMergedInto() {
        byte[] key = TestImages.key(1);
        byte[] derived = RecordImage.writeDerived(key, 9, List.of(Binding.of(TestImages.place(1))));
        byte[] change = RecordMerge.change(TestImages.image(key, 1, 2), HybridClock.of(5), false);

        assertThat(RecordImage.digest(MemorySegment.ofArray(derived), 0)).isZero();
        assertThat(RecordMerge.merge(derived, change, 10, 1000, 1000)).isSameAs(RecordStore.Change.KEEP);
    }
}
