package io.guidepost.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Malformed;
import io.guidepost.base.Memory;
import io.guidepost.names.Binding;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What each store does for its callers, wherever it keeps the records. */
public abstract class RecordStoreContract {
    private final List<String> heard = new ArrayList<>();

    /** Opens an empty store; the options say clock, derivation and observer. */
    protected abstract RecordStore open(StoreOptions options) throws IOException;

    private RecordStore open() throws IOException {
        return open(StoreOptions.inMemory().withIndexBytesMax(64 << 20));
    }

    private static Record record(long number, long content) {
        return new Record(TestImages.name(number), 0, List.of(Binding.of(TestImages.place(content))), List.of());
    }

    private static Name name(String text) {
        try {
            return Name.ofKey(("\2" + text).getBytes(StandardCharsets.ISO_8859_1));
        } catch (Malformed e) {
            throw new AssertionError(e);
        }
    }

    private static Record form(String name, String text) {
        return new Record(name(name), 0, List.of(), List.of(Value.ofForm(text.getBytes(StandardCharsets.ISO_8859_1))));
    }

    private static String text(RecordStore store, String name) throws IOException {
        return store.get(name(name))
                .map(each -> new String(each.values().getFirst().data(), StandardCharsets.ISO_8859_1))
                .orElse("none");
    }

    @Test
    void aRecordIsReplacedAtItsVersionAlone() throws IOException {
        try (RecordStore store = open()) {
            long version = store.put(record(1, 10), Record.ABSENT).orElseThrow();
            Record there = store.get(TestImages.name(1)).orElseThrow();
            assertThat(there.version()).isEqualTo(version);
            assertThat(TestImages.content(there)).isEqualTo(10);
            assertThat(store.put(record(1, 11), Record.ABSENT)).isEmpty();
            long next = store.put(record(1, 11), version).orElseThrow();
            assertThat(next).isGreaterThan(version);
            assertThat(store.put(record(1, 12), version)).isEmpty();
            assertThat(TestImages.content(store.get(TestImages.name(1)).orElseThrow())).isEqualTo(11);
            assertThat(store.delete(TestImages.name(1))).isTrue();
            assertThat(store.delete(TestImages.name(1))).isFalse();
            assertThat(store.get(TestImages.name(1))).isEmpty();
            assertThat(store.put(record(1, 13), next)).isEmpty();
            assertThat(store.put(record(1, 13), Record.ABSENT).orElseThrow()).isGreaterThan(next);
        }
    }

    @Test
    void changesOfOneKeyAreMadeInTheirOrder() throws Exception {
        try (RecordStore store = open()) {
            List<String> seen = new ArrayList<>();
            CompletableFuture<Boolean> all = new CompletableFuture<>();
            AtomicInteger left = new AtomicInteger(50);
            for (int i = 0; i < 50; i++) {
                String number = i + " ";
                RecordStore.Replace append = (key, current, version, _) ->
                        RecordImage.writeForm(key, version, (form(current) + number).getBytes(StandardCharsets.ISO_8859_1));
                assertThat(store.submit(name("a").key(), append, (outcome, _) -> {
                            seen.add(number + outcome);
                            if (left.decrementAndGet() == 0) {
                                all.complete(true);
                            }
                        }))
                        .isTrue();
            }
            all.get();
            StringBuilder wanted = new StringBuilder();
            for (int i = 0; i < 50; i++) {
                wanted.append(i).append(' ');
                assertThat(seen.get(i)).isEqualTo(i + " DONE");
            }
            assertThat(text(store, "a")).isEqualTo(wanted.toString());
        }
    }

    private static String form(byte @Nullable [] image) {
        if (image == null) {
            return "";
        }
        MemorySegment in = MemorySegment.ofArray(image);
        return new String(image, (int) RecordImage.form(in, 0), RecordImage.formLength(in, 0), StandardCharsets.ISO_8859_1);
    }

    @Test
    void aChangeThatKeepsOrFailsChangesNothing() throws Exception {
        try (RecordStore store = open()) {
            long version = store.put(form("a", "one"), Record.ABSENT).orElseThrow();
            assertThat(outcome(store, (_, _, _, _) -> RecordStore.Change.KEEP)).isEqualTo("KEPT " + version);
            assertThat(outcome(store, (_, _, _, _) -> {
                        throw new IllegalStateException("a test throws");
                    }))
                    .isEqualTo("FAILED 0");
            assertThat(outcome(store, (_, _, _, _) -> new byte[] {1, 2, 3})).isEqualTo("FAILED 0");
            assertThat(text(store, "a")).isEqualTo("one");
        }
    }

    private static String outcome(RecordStore store, RecordStore.Replace change) throws Exception {
        CompletableFuture<String> told = new CompletableFuture<>();
        assertThat(store.submit(name("a").key(), change, (outcome, version) -> told.complete(outcome + " " + version))).isTrue();
        return told.get();
    }

    @Test
    void readersFindWhatIsWrittenAtOnce() throws IOException {
        try (RecordStore store = open()) {
            RecordReader quick = store.reader();
            RecordReader through = store.throughReader();
            assertThat(find(through, 1)).isEqualTo(RecordReader.Found.NO);
            long version = store.put(record(1, 10), Record.ABSENT).orElseThrow();
            for (RecordReader each : List.of(quick, through)) {
                each.enter();
                byte[] key = TestImages.key(1);
                assertThat(each.find(key[0], MemorySegment.ofArray(key), 1, key.length - 1)).isEqualTo(RecordReader.Found.YES);
                assertThat(RecordImage.version(each.segment(), each.offset())).isEqualTo(version);
                assertThat(each.segment()).isSameAs(Memory.ALL);
                each.exit();
            }
            store.delete(TestImages.name(1));
            assertThat(find(through, 1)).isEqualTo(RecordReader.Found.NO);
            assertThat(find(quick, 1)).isNotEqualTo(RecordReader.Found.YES);
        }
    }

    private static RecordReader.Found find(RecordReader reader, long number) {
        byte[] key = TestImages.key(number);
        reader.enter();
        try {
            return reader.find(key[0], MemorySegment.ofArray(key), 1, key.length - 1);
        } finally {
            reader.exit();
        }
    }

    @Test
    void aScanSeesPrefixesInOrderAndGoesOn() throws IOException {
        try (RecordStore store = open()) {
            for (int i = 0; i < 100; i++) {
                assertThat(store.put(record(i, i), Record.ABSENT)).isPresent();
            }
            store.put(form("a", "one"), Record.ABSENT);
            store.put(form("b1", "two"), Record.ABSENT);
            store.put(form("b2", "three"), Record.ABSENT);
            store.delete(name("b1"));
            List<Record> all = new ArrayList<>();
            store.scan(new byte[] {1}, null, all::add);
            assertThat(all).hasSize(100).isSortedAccordingTo((a, b) -> a.name().compareTo(b.name()));
            List<Record> rest = new ArrayList<>();
            store.scan(new byte[] {1}, all.get(49).name().key(), rest::add);
            assertThat(rest).isEqualTo(all.subList(50, 100));
            List<Record> some = new ArrayList<>();
            store.scan(new byte[0], null, record -> some.add(record) && some.size() < 7);
            assertThat(some).isEqualTo(all.subList(0, 7));
            assertThat(names(store, "\2", null)).containsExactly("a", "b2");
            assertThat(names(store, "\2b", null)).containsExactly("b2");
            assertThat(names(store, "\2", name("a"))).containsExactly("b2");
            assertThat(names(store, "\2c", null)).isEmpty();
            store.scan(new byte[] {3}, null, record -> {
                throw new AssertionError("there is no state of handles here: " + record);
            });
            List<byte[]> keys = new ArrayList<>();
            store.images(all.get(97).name().key(), (key, _) -> keys.add(key) && keys.size() < 3);
            assertThat(keys).containsExactly(all.get(98).name().key(), all.get(99).name().key(), name("a").key());
        }
    }

    private static List<String> names(RecordStore store, String prefix, @Nullable Name after) throws IOException {
        List<String> names = new ArrayList<>();
        byte[] behind = after == null ? null : after.key();
        store.scan(prefix.getBytes(StandardCharsets.ISO_8859_1), behind, record -> {
            byte[] key = record.name().key();
            return names.add(new String(key, 1, key.length - 1, StandardCharsets.ISO_8859_1));
        });
        return names;
    }

    /** From a record a… derives one m… of the same text. */
    private static void derive(
            byte[] key, byte @Nullable [] before, byte @Nullable [] after, BiConsumer<byte[], RecordStore.Replace> also) {
        if (key[0] != 2 || key[1] != 'a') {
            return;
        }
        byte[] to = key.clone();
        to[1] = 'm';
        also.accept(to, (derived, _, version, _) ->
                after == null
                        ? RecordStore.Change.DELETE
                        : RecordImage.writeForm(derived, version, form(after).getBytes(StandardCharsets.ISO_8859_1)));
    }

    @Test
    void whatIsDerivedComesAndGoesWithItsOrigin() throws IOException {
        StoreOptions options = StoreOptions.inMemory()
                .withIndexBytesMax(64 << 20)
                .withDerivation(RecordStoreContract::derive)
                .withObserver((_, key, before, after) ->
                        heard.add((char) key[1] + " " + form(before) + "-" + form(after)));
        try (RecordStore store = open(options)) {
            long version = store.put(form("a1", "one"), Record.ABSENT).orElseThrow();
            assertThat(text(store, "m1")).isEqualTo("one");
            store.put(form("a1", "two"), version);
            assertThat(text(store, "m1")).isEqualTo("two");
            store.put(form("b1", "three"), Record.ABSENT);
            assertThat(text(store, "m1")).isEqualTo("two");
            store.delete(name("a1"));
            assertThat(text(store, "m1")).isEqualTo("none");
            assertThat(names(store, "\2", null)).containsExactly("b1");
        }
        assertThat(heard).contains("a -one", "a one-two", "b -three", "a two-");
    }

    @Test
    void administrationUpdatesReplicatedRecordsAsClientsDo() throws IOException {
        try (RecordStore store = open()) {
            byte[] bare = RecordImage.write(TestImages.key(1), 0, List.of(Binding.of(TestImages.place(1))), List.of());
            byte[] change = RecordMerge.change(bare, HybridClock.of(System.currentTimeMillis() - 1000), false);
            CompletableFuture<RecordStore.Outcome> told = new CompletableFuture<>();
            store.submit(
                    TestImages.key(1),
                    (_, current, version, now) -> RecordMerge.merge(current, change, version, now, 100_000),
                    (outcome, _) -> told.complete(outcome));
            assertThat(told.join()).isEqualTo(RecordStore.Outcome.DONE);
            long version = store.get(TestImages.name(1)).orElseThrow().version();
            assertThat(store.put(record(1, 2), version)).isPresent();
            assertThat(TestImages.content(store.get(TestImages.name(1)).orElseThrow())).isEqualTo(2);
            assertThat(store.delete(TestImages.name(1))).isTrue();
            assertThat(store.delete(TestImages.name(1))).isFalse();
            assertThat(store.get(TestImages.name(1))).isEmpty();
            List<byte[]> images = new ArrayList<>();
            store.images(null, (_, image) -> images.add(image));
            assertThat(images).as("a tombstone").hasSize(1);
        }
    }

    @Test
    void closingAnswersEachWriteThatWasTaken() throws Exception {
        RecordStore store = open(StoreOptions.inMemory().withIndexBytesMax(64 << 20).withQueueMax(1024));
        AtomicInteger taken = new AtomicInteger();
        AtomicInteger answered = new AtomicInteger();
        CompletableFuture<Boolean> some = new CompletableFuture<>();
        List<Thread> senders = new ArrayList<>();
        for (int thread = 0; thread < 3; thread++) {
            long first = thread * 1_000_000L;
            senders.add(Thread.ofPlatform().start(() -> {
                for (long i = first; ; i++) {
                    RecordStore.Completion completion = (_, _) -> {
                        if (answered.incrementAndGet() == 100) {
                            some.complete(true);
                        }
                    };
                    if (store.submit(TestImages.key(i), TestImages.write(i), completion)) {
                        taken.incrementAndGet();
                    } else if (!store.status().writable()) {
                        return;
                    }
                }
            }));
        }
        some.get();
        store.close();
        for (Thread each : senders) {
            each.join();
        }
        assertThat(answered.get()).isEqualTo(taken.get());
        assertThatThrownBy(() -> store.put(record(1, 1), Record.ABSENT)).hasMessageContaining("closed");
        store.close();
    }
}
