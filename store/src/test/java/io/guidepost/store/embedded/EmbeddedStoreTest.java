package io.guidepost.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.names.Binding;
import io.guidepost.names.Record;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreDamagedException;
import io.guidepost.store.StoreLockedException;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.TestImages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store as its callers see it, on files. */
final class EmbeddedStoreTest {
    @TempDir
    Path folder;

    private StoreOptions options() {
        return StoreOptions.in(folder.resolve("store"))
                .withIndexBytesMax(64 << 20)
                .withBlockCacheBytes(4 << 20);
    }

    private static Record record(long number, long content) {
        return new Record(TestImages.name(number), 0, List.of(Binding.of(TestImages.place(content))), List.of());
    }

    @Test
    void whatWasPutIsThereAfterReopening() throws IOException {
        long version;
        try (EmbeddedStore store = EmbeddedStore.open(options())) {
            version = store.put(record(1, 10), Record.ABSENT).orElseThrow();
            assertThat(store.get(TestImages.name(1)).orElseThrow()).isEqualTo(withVersion(record(1, 10), version));
            assertThat(store.put(record(1, 11), Record.ABSENT)).isEmpty();
            assertThat(store.put(record(1, 11), version).orElseThrow()).isGreaterThan(version);
            assertThat(store.put(record(2, 20), Record.ABSENT)).isPresent();
            assertThat(store.delete(TestImages.name(2))).isTrue();
            assertThat(store.delete(TestImages.name(2))).isFalse();
        }
        try (EmbeddedStore store = EmbeddedStore.open(options())) {
            assertThat(TestImages.content(store.get(TestImages.name(1)).orElseThrow())).isEqualTo(11);
            assertThat(store.get(TestImages.name(2))).isEmpty();
            long before = store.get(TestImages.name(1)).orElseThrow().version();
            assertThat(store.put(record(3, 30), Record.ABSENT).orElseThrow()).isGreaterThan(before);
        }
    }

    private static Record withVersion(Record record, long version) {
        return new Record(record.name(), version, record.bindings(), record.values());
    }

    @Test
    void aFolderIsOpenOnce() throws IOException {
        try (EmbeddedStore store = EmbeddedStore.open(options())) {
            assertThat(store.status().writable()).isTrue();
            assertThatThrownBy(() -> EmbeddedStore.open(options()))
                    .isInstanceOf(StoreLockedException.class)
                    .hasMessageContaining("in use");
        }
    }

    @Test
    void changesAreToldInOrderAndGoOnAfterAReopening() throws Exception {
        long after;
        List<RecordStore.ChangeEvent> events = new ArrayList<>();
        try (EmbeddedStore store = EmbeddedStore.open(options())) {
            assertThat(store.put(record(1, 10), Record.ABSENT)).isPresent();
            assertThat(store.put(record(2, 20), Record.ABSENT)).isPresent();
            after = store.changes(0, events::add);
            assertThat(events).extracting(RecordStore.ChangeEvent::key).containsExactly(TestImages.key(1), TestImages.key(2));
            store.delete(TestImages.name(1));
        }
        try (EmbeddedStore store = EmbeddedStore.open(options())) {
            assertThat(store.put(record(3, 30), Record.ABSENT)).isPresent();
            events.clear();
            after = store.changes(after, events::add);
            assertThat(events).extracting(RecordStore.ChangeEvent::key).containsExactly(TestImages.key(1), TestImages.key(3));
            assertThat(events.getFirst().image()).isNull();
            assertThat(store.changes(after, events::add)).isEqualTo(after);
            assertThat(events).hasSize(2);
        }
    }

    @Test
    void aBackupIsRestored() throws IOException {
        Path backup = folder.resolve("backup");
        try (EmbeddedStore store = EmbeddedStore.open(options())) {
            assertThat(store.put(record(1, 10), Record.ABSENT)).isPresent();
            store.backup(backup);
            assertThat(store.put(record(2, 20), Record.ABSENT)).isPresent();
            assertThatThrownBy(() -> store.backup(backup)).hasMessageContaining("exists already");
        }
        Path restored = folder.resolve("restored");
        EmbeddedStore.restore(backup, restored);
        try (EmbeddedStore store = EmbeddedStore.open(StoreOptions.in(restored))) {
            assertThat(store.get(TestImages.name(1))).isPresent();
            assertThat(store.get(TestImages.name(2))).isEmpty();
        }
        assertThatThrownBy(() -> EmbeddedStore.restore(backup, restored)).hasMessageContaining("not empty");
        Path current = backup.resolve("engine").resolve("CURRENT");
        Files.writeString(current, "MANIFEST-999999\n");
        assertThatThrownBy(() -> EmbeddedStore.restore(backup, folder.resolve("other")))
                .isInstanceOf(StoreDamagedException.class)
                .hasMessageContaining("CURRENT");
    }

    @Test
    void whatTheLogHasNoMoreIsTooOld() throws Exception {
        StoreOptions small = options().withMemtableBytes(512 << 10).withWalBytesKept(0);
        try (EmbeddedStore store = EmbeddedStore.open(small)) {
            for (int i = 0; i < 50; i++) {
                assertThat(store.put(record(i, i), Record.ABSENT)).isPresent();
            }
            assertThat(store.changes(0, event -> true)).isEqualTo(store.status().sequence());
        }
        try (EmbeddedStore store = EmbeddedStore.open(small)) {
            assertThat(store.put(record(99, 1), Record.ABSENT)).isPresent();
            assertThatThrownBy(() -> store.changes(1, event -> true))
                    .isInstanceOf(RecordStore.TooOld.class)
                    .hasMessageContaining("changes after 1 are kept from");
            List<RecordStore.ChangeEvent> events = new ArrayList<>();
            assertThat(store.changes(0, events::add)).isEqualTo(store.status().sequence());
            assertThat(events).hasSize(1);
        }
    }

    @Test
    void closingAnswersEachWriteThatWasTaken() throws Exception {
        for (int round = 0; round < 5; round++) {
            EmbeddedStore store = EmbeddedStore.open(options().withQueueMax(1024));
            AtomicInteger taken = new AtomicInteger();
            AtomicInteger answered = new AtomicInteger();
            List<Thread> senders = new ArrayList<>();
            for (int thread = 0; thread < 3; thread++) {
                long first = thread * 1_000_000L;
                senders.add(Thread.ofPlatform().start(() -> {
                    for (long i = first; taken.get() < 1_000_000; i++) {
                        RecordStore.Completion completion = (outcome, version) -> answered.incrementAndGet();
                        if (store.submit(TestImages.key(i), TestImages.write(i), completion)) {
                            taken.incrementAndGet();
                        } else if (!store.status().writable()) {
                            return;
                        }
                    }
                }));
            }
            Await.until("writes go on", () -> answered.get() > 100);
            store.close();
            for (Thread each : senders) {
                each.join();
            }
            assertThat(answered.get()).isEqualTo(taken.get());
            assertThatThrownBy(() -> store.put(record(1, 1), Record.ABSENT)).hasMessageContaining("closed");
            store.close();
        }
    }

    @Test
    void aStoreInMemoryDoesWhatOneOnFilesDoes() throws Exception {
        try (EmbeddedStore store = EmbeddedStore.open(StoreOptions.inMemory().withIndexBytesMax(64 << 20))) {
            assertThat(store.put(record(1, 10), Record.ABSENT)).isPresent();
            assertThat(store.put(record(2, 20), Record.ABSENT)).isPresent();
            assertThat(store.delete(TestImages.name(1))).isTrue();
            List<RecordStore.ChangeEvent> events = new ArrayList<>();
            long after = store.changes(0, events::add);
            assertThat(events).hasSize(3);
            assertThat(store.changes(after, events::add)).isEqualTo(after);
            List<Record> records = new ArrayList<>();
            store.scan(new byte[0], null, records::add);
            assertThat(records).extracting(Record::name).containsExactly(TestImages.name(2));
            assertThatThrownBy(() -> store.backup(folder.resolve("none"))).hasMessageContaining("in memory");
        }
    }

    @Test
    void durabilityMemoryKeepsWhatAWholeCloseWroteAndTellsNoChanges() throws Exception {
        StoreOptions relaxed = options().withDurability(RecordStore.Durability.MEMORY);
        try (EmbeddedStore store = EmbeddedStore.open(relaxed)) {
            assertThat(store.put(record(1, 10), Record.ABSENT)).isPresent();
            assertThatThrownBy(() -> store.changes(0, event -> true)).hasMessageContaining("keeps no log");
        }
        try (EmbeddedStore store = EmbeddedStore.open(relaxed)) {
            assertThat(TestImages.content(store.get(TestImages.name(1)).orElseThrow())).isEqualTo(10);
        }
    }

    @Test
    void optionsOutOfRangeAreRefusedByName() {
        assertThatThrownBy(() -> options().withQueueMax(100)).hasMessageContaining("queue-max must be a power of two");
        assertThatThrownBy(() -> options().withIndexBytesMax(1)).hasMessageContaining("index-bytes-max must be from");
    }

    @Test
    void aBackupOfAStoreUnderLoadIsOneMomentOfIt() throws Exception {
        Path backup = folder.resolve("backup");
        AtomicInteger next = new AtomicInteger();
        try (EmbeddedStore store = EmbeddedStore.open(options().withMemtableBytes(512 << 10))) {
            Thread writer = Thread.ofPlatform().start(() -> {
                while (next.get() < 5_000) {
                    int number = next.get();
                    if (store.submit(TestImages.key(number), TestImages.write(number), (outcome, version) -> {})) {
                        next.incrementAndGet();
                    }
                }
            });
            Await.until("some are written", () -> store.status().records() > 500);
            store.backup(backup);
            writer.join();
        }
        Path restored = folder.resolve("restored");
        EmbeddedStore.restore(backup, restored);
        try (EmbeddedStore store = EmbeddedStore.open(StoreOptions.in(restored))) {
            int count = 0;
            while (store.get(TestImages.name(count)).isPresent()) {
                count++;
            }
            assertThat(count).isGreaterThan(500);
            for (int i = count; i < 5_000; i++) {
                assertThat(store.get(TestImages.name(i))).as("the first %d are there, and none after", count).isEmpty();
            }
        }
    }
}
