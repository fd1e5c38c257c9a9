package io.guidepost.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.base.Malformed;
import io.guidepost.names.Guid;
import io.guidepost.names.Name;
import io.guidepost.names.Record;
import io.guidepost.names.Value;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreLimits;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.engine.FaultyEngine;
import io.guidepost.store.engine.MemoryEngine;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Records that no lookup finds: they stay out of the index, and those derived from others are not read before they are written. */
class ScannedRecordsTest {
    /** Held here, as the logging library holds it weakly. */
    private static final Logger LOG = Logger.getLogger("io.guidepost.store");

    private static final byte STATE = Name.Namespace.HANDLE_STATE.code();
    private static final byte[] HANDLE = {Name.Namespace.HANDLE.code(), 'a'};

    private final FaultyEngine engine = new FaultyEngine(new MemoryEngine());
    private final AtomicLong millis = new AtomicLong(1_000_000);
    private EmbeddedStore store;

    @BeforeEach
    void quiet() throws IOException {
        LOG.setLevel(Level.OFF);
        open();
    }

    private void open() throws IOException {
        store = EmbeddedStore.open(
                engine,
                StoreOptions.inMemory()
                        .withStepped(true)
                        .withClock(() -> Instant.ofEpochMilli(millis.get()))
                        .withDerivation(ScannedRecordsTest::derive));
        while (!store.status().complete()) {
            store.work();
        }
    }

    @AfterEach
    void close() {
        store.close();
        LOG.setLevel(null);
    }

    /** An entry for each form, as a search index has it: the old one goes, the new one comes. */
    private static void derive(
            byte[] key, byte @Nullable [] before, byte @Nullable [] after, BiConsumer<byte[], RecordStore.Replace> also) {
        if (key[0] != Name.Namespace.HANDLE.code()) {
            return;
        }
        if (before != null) {
            also.accept(entry(before), RecordStore.KnownReplace.removing(entry(before), new byte[0]));
        }
        if (after != null) {
            also.accept(entry(after), RecordStore.KnownReplace.adding(entry(after), new byte[0]));
        }
    }

    private static byte[] entry(byte[] image) {
        return new byte[] {STATE, 'v', image[image.length - 1]};
    }

    private static Record record(byte[] key, int last) throws Malformed {
        return new Record(Name.ofKey(key), 0, List.of(), List.of(Value.ofForm(new byte[] {(byte) last})));
    }

    private boolean exists(int last) throws IOException, Malformed {
        return store.get(Name.ofKey(new byte[] {STATE, 'v', (byte) last})).isPresent();
    }

    @Test
    void theyAreKeptAndReadAndComparedButNotInTheIndex() throws IOException, Malformed {
        byte[] key = {STATE, 'h', 1};
        long version = store.put(record(key, 1), Record.ABSENT).orElseThrow();
        assertThat(store.put(record(key, 2), Record.ABSENT)).isEmpty();
        assertThat(store.put(record(key, 2), version)).isPresent();
        assertThat(store.get(Name.ofKey(key)).orElseThrow().values().getFirst().data()).containsExactly(2);
        RecordReader reader = store.reader();
        reader.enter();
        assertThat(reader.find(STATE, MemorySegment.ofArray(key), 1, 2)).isEqualTo(RecordReader.Found.UNKNOWN);
        assertThat(reader.find(HANDLE[0], MemorySegment.ofArray(HANDLE), 1, 1)).isEqualTo(RecordReader.Found.NO);
        reader.exit();
        store.put(record(HANDLE, 5), Record.ABSENT);
        assertThat(exists(5)).isTrue();
        assertThat(store.status().records()).isEqualTo(1);
        assertThat(store.delete(Name.ofKey(key))).isTrue();
        assertThat(store.get(Name.ofKey(key))).isEmpty();
    }

    @Test
    void onlyNamespacesThatAreLookedUpStandInTheIndex() throws IOException, Malformed {
        for (Name.Namespace each : Name.Namespace.values()) {
            store.put(record(rowOf(each), 1), Record.ABSENT);
        }
        assertThat(found()).isEqualTo(lookedUp());
        // Read from the engine at a start, and on the way of a read that the index cannot answer.
        store.close();
        open();
        for (Name.Namespace each : Name.Namespace.values()) {
            assertThat(store.get(Name.ofKey(rowOf(each)))).isPresent();
        }
        while (store.work() > 0) {}
        assertThat(found()).isEqualTo(lookedUp());
        assertThat(store.status().records()).isEqualTo(lookedUp().size());
        assertThat(lookedUp()).doesNotContain(Name.Namespace.NAME_TEXT, Name.Namespace.HANDLE_STATE, Name.Namespace.LEASE);
    }

    private static byte[] rowOf(Name.Namespace namespace) {
        byte[] key = new byte[1 + Guid.BYTES];
        key[0] = namespace.code();
        return key;
    }

    private Set<Name.Namespace> found() {
        RecordReader reader = store.reader();
        reader.enter();
        try {
            return in(each -> reader.find(each.code(), MemorySegment.ofArray(rowOf(each)), 1, Guid.BYTES) == RecordReader.Found.YES);
        } finally {
            reader.exit();
        }
    }

    private static Set<Name.Namespace> lookedUp() {
        return in(each -> !Name.Namespace.isScanned(each.code()));
    }

    private static Set<Name.Namespace> in(Predicate<Name.Namespace> wanted) {
        return Arrays.stream(Name.Namespace.values()).filter(wanted).collect(Collectors.toSet());
    }

    @Test
    void whatIsKnownIsNotRead() throws IOException, Malformed {
        engine.unreadable = true;
        long version = store.put(record(HANDLE, 5), Record.ABSENT).orElseThrow();
        store.put(record(HANDLE, 6), version);
        engine.unreadable = false;
        assertThat(exists(5)).isFalse();
        assertThat(exists(6)).isTrue();
    }

    @Test
    void aGroupThatFailedHalfwayIsUndone() throws IOException, Malformed {
        long version = store.put(record(HANDLE, 5), Record.ABSENT).orElseThrow();
        engine.fault = FaultyEngine.Fault.DOUBTFUL;
        RecordStore.Outcome[] outcome = new RecordStore.Outcome[1];
        store.submit(
                HANDLE,
                (key, _, next, _) -> RecordImage.writeForm(key, next, new byte[] {6}),
                (told, _) -> outcome[0] = told);
        store.work();
        assertThat(outcome).containsExactly(RecordStore.Outcome.FAILED);
        millis.addAndGet(StoreLimits.RECOVER_PAUSE_MILLIS);
        store.work();
        assertThat(store.status().writable()).isTrue();
        assertThat(exists(5)).isTrue();
        assertThat(exists(6)).isFalse();
        assertThat(store.get(Name.ofKey(HANDLE)).orElseThrow().version()).isEqualTo(version);
    }
}
