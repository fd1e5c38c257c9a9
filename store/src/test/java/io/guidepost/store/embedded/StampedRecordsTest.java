package io.guidepost.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.names.Binding;
import io.guidepost.names.Record;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records with copies at other servers: what is kept in mind of them, and who hears of their changes. */
final class StampedRecordsTest {
    private static final long TOMBSTONE = 1000;

    private final FaultyEngine engine = new FaultyEngine(new MemoryEngine());
    private final List<String> heard = new ArrayList<>();
    private final Map<byte[], byte[]> mirror = new TreeMap<>(Arrays::compareUnsigned);
    private long now = 1_000_000_000_000L;

    private EmbeddedStore open() throws IOException {
        return EmbeddedStore.open(
                engine,
                StoreOptions.inMemory()
                        .withStepped(true)
                        .withIndexBytesMax(16 << 20)
                        .withClock(() -> Instant.ofEpochMilli(now))
                        .withRandom(new SplittableRandom(1)::nextLong)
                        .withObserver(this::changed));
    }

    private void changed(long sequence, byte[] key, byte @Nullable [] before, byte @Nullable [] after) {
        heard.add((before == null ? "none" : text(before)) + " to " + (after == null ? "none" : text(after)));
        assertThat(mirror.get(key)).isEqualTo(before);
        if (after == null) {
            mirror.remove(key);
        } else {
            mirror.put(key, after);
        }
    }

    private static String text(byte[] image) {
        MemorySegment in = MemorySegment.ofArray(image);
        return RecordImage.bindings(in, 0) + (RecordImage.cleared(in, 0) == 0 ? "" : "u");
    }

    private static RecordStore.Replace merging(byte[] change) {
        return (key, current, version, nowMillis) -> RecordMerge.merge(current, change, version, nowMillis, TOMBSTONE);
    }

    private byte[] insert(long number, long expiryMillis) {
        byte[] bare = RecordImage.write(
                TestImages.key(number), 0, List.of(new Binding(TestImages.place(1), 0, expiryMillis)), List.of());
        return RecordMerge.change(bare, HybridClock.of(now), false);
    }

    private byte[] delete(long number) {
        return RecordMerge.change(RecordImage.write(TestImages.key(number), 0, List.of(), List.of()), HybridClock.of(now), true);
    }

    private static void submit(EmbeddedStore store, long number, RecordStore.Replace change) {
        assertThat(store.submit(TestImages.key(number), change, (outcome, version) -> {})).isTrue();
    }

    private void settle(EmbeddedStore store) {
        for (int i = 0; i < 20; i++) {
            now += 10;
            store.work();
        }
    }

    @Test
    void whatWasDeletedIsKeptInMindAndShownToNobody() throws IOException {
        try (EmbeddedStore store = open()) {
            submit(store, 1, merging(insert(1, 0)));
            settle(store);
            assertThat(store.get(TestImages.name(1))).isPresent();
            submit(store, 1, merging(delete(1)));
            settle(store);
            assertThat(store.get(TestImages.name(1))).isEmpty();
            List<Record> seen = new ArrayList<>();
            store.scan(new byte[0], null, seen::add);
            assertThat(seen).isEmpty();
            List<byte[]> images = new ArrayList<>();
            store.images(null, (key, image) -> images.add(image));
            assertThat(images).hasSize(1);
            now += TOMBSTONE;
            settle(store);
            images.clear();
            store.images(null, (key, image) -> images.add(image));
            assertThat(images).isEmpty();
            assertThat(heard).containsExactly("none to 1", "1 to 0u", "0u to none");
        }
    }

    @Test
    void anUpdateIsForgottenAndItsBindingsStay() throws IOException {
        try (EmbeddedStore store = open()) {
            byte[] update = RecordMerge.change(insert(1, now + 3 * TOMBSTONE), HybridClock.of(now), true);
            submit(store, 1, merging(update));
            store.work();
            now += TOMBSTONE + 10;
            settle(store);
            assertThat(heard).containsExactly("none to 1u", "1u to 1");
            assertThat(store.get(TestImages.name(1))).isPresent();
            now += 3 * TOMBSTONE;
            settle(store);
            assertThat(heard.getLast()).isEqualTo("1 to none");
        }
    }

    @Test
    void bindingsEndAndTheUpdateIsKeptInMind() throws IOException {
        try (EmbeddedStore store = open()) {
            submit(store, 1, merging(RecordMerge.change(insert(1, now + 50), HybridClock.of(now), true)));
            settle(store);
            assertThat(heard).containsExactly("none to 1u", "1u to 0u");
            now += TOMBSTONE;
            settle(store);
            assertThat(heard.getLast()).isEqualTo("0u to none");
        }
    }

    @Test
    void administrationUpdatesAndDeletesAsClientsDo() throws IOException {
        try (EmbeddedStore store = open()) {
            submit(store, 1, merging(insert(1, 0)));
            store.work();
            long version = store.get(TestImages.name(1)).orElseThrow().version();
            Record record = new Record(TestImages.name(1), 0, List.of(Binding.of(TestImages.place(2))), List.of());
            assertThat(store.put(record, version)).isPresent();
            assertThat(store.get(TestImages.name(1)).orElseThrow().bindings()).isEqualTo(record.bindings());
            assertThat(store.delete(TestImages.name(1))).isTrue();
            assertThat(store.delete(TestImages.name(1))).isFalse();
            assertThat(store.get(TestImages.name(1))).isEmpty();
            submit(store, 1, merging(insert(1, 0)));
            store.work();
            assertThat(store.get(TestImages.name(1))).as("the insert was before the delete").isEmpty();
            assertThat(store.put(record, Record.ABSENT)).isPresent();
            assertThat(heard).containsExactly("none to 1", "1 to 1u", "1u to 0u", "0u to 1u");
        }
    }

    @Test
    void allChangesOfAGroupAreHeardInTheirOrderAndThoseThatFailAreNot() throws IOException {
        try (EmbeddedStore store = open()) {
            submit(store, 1, TestImages.write(0));
            submit(store, 1, TestImages.write(1));
            submit(store, 2, TestImages.write(0));
            submit(store, 1, (key, current, version, nowMillis) -> RecordStore.Change.KEEP);
            submit(store, 1, (key, current, version, nowMillis) -> RecordStore.Change.DELETE);
            store.work();
            assertThat(heard).containsExactly("none to 1", "1 to 2", "none to 1", "2 to none");
        }
    }

    @Test
    void imagesGoOnBehindAKey() throws IOException {
        try (EmbeddedStore store = open()) {
            for (int i = 0; i < 100; i++) {
                submit(store, i, TestImages.write(i));
            }
            store.work();
            List<byte[]> keys = new ArrayList<>();
            byte[] after = null;
            for (int before = -1; before < keys.size(); ) {
                before = keys.size();
                int most = before + 7;
                store.images(after, (key, image) -> {
                    keys.add(key);
                    return keys.size() < most;
                });
                after = keys.getLast();
            }
            assertThat(keys).containsExactlyElementsOf(mirror.keySet());
        }
    }
}
