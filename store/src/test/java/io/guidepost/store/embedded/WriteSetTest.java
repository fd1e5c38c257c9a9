package io.guidepost.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.names.Name;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreLimits;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.engine.FaultyEngine;
import io.guidepost.store.engine.MemoryEngine;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replaces that are made where they are submitted: what the committer takes as it is, and what it makes anew. */
class WriteSetTest {
    /** Held here, as the logging library holds it weakly. */
    private static final Logger LOG = Logger.getLogger("io.guidepost.store");

    private static final byte[] KEY = {Name.Namespace.HANDLE.code(), 'a'};
    private static final byte ROW = 'r';
    private static final byte NUMBER = 'n';

    private final FaultyEngine engine = new FaultyEngine(new MemoryEngine());
    private final AtomicLong millis = new AtomicLong(1_000_000);
    private final List<String> outcomes = new ArrayList<>();

    /** What was called, in order: c for a change, d for the derivation, each with the form that it saw. */
    private final StringBuilder calls = new StringBuilder();

    private byte next = 1;
    private EmbeddedStore store;

    @BeforeEach
    void open() throws IOException {
        LOG.setLevel(Level.OFF);
        store = EmbeddedStore.open(
                engine,
                StoreOptions.inMemory()
                        .withStepped(true)
                        .withClock(() -> Instant.ofEpochMilli(millis.get()))
                        .withDerivation(this::derive)
                        .withJournal(this::enter));
        while (!store.status().complete()) {
            store.work();
        }
    }

    @AfterEach
    void close() {
        store.close();
        LOG.setLevel(null);
    }

    /** A row for each form. */
    private void derive(
            byte[] key, byte @Nullable [] before, byte @Nullable [] after, BiConsumer<byte[], RecordStore.Replace> also) {
        calls.append('d').append(last(before));
        if (before != null) {
            also.accept(row(ROW, last(before)), RecordStore.KnownReplace.removing(row(ROW, last(before)), new byte[0]));
        }
        if (after != null) {
            also.accept(row(ROW, last(after)), RecordStore.KnownReplace.adding(row(ROW, last(after)), new byte[0]));
        }
    }

    private void enter(
            byte[] key,
            byte @Nullable [] before,
            byte @Nullable [] after,
            long nowMillis,
            BiConsumer<byte[], RecordStore.Replace> also) {
        byte[] number = row(NUMBER, next++);
        also.accept(number, RecordStore.KnownReplace.adding(number, new byte[] {(byte) last(after)}));
    }

    private static byte[] row(byte kind, int number) {
        return new byte[] {Name.Namespace.HANDLE_STATE.code(), kind, (byte) number};
    }

    private static int last(byte @Nullable [] image) {
        return image == null ? 0 : image[image.length - 1];
    }

    private RecordStore.Replace change(int to) {
        return (key, current, version, _) -> {
            calls.append('c').append(last(current));
            return to == 0 ? RecordStore.Change.DELETE : RecordImage.writeForm(key, version, new byte[] {(byte) to});
        };
    }

    private void replace(byte @Nullable [] read, int to) {
        assertThat(store.replace(KEY, read, change(to), (outcome, version) -> outcomes.add(outcome + (version > 0 ? "+" : "")))).isTrue();
    }

    private byte @Nullable [] read() throws IOException {
        return engine.get(KEY);
    }

    /** Returns the last bytes of the rows of a kind, in the order of their keys. */
    private String rows(byte kind) throws IOException {
        StringBuilder rows = new StringBuilder();
        store.images(row(kind, 0), (key, image) -> {
            boolean ours = key[0] == Name.Namespace.HANDLE_STATE.code() && key[1] == kind;
            rows.append(!ours ? "" : kind == ROW ? key[2] : key[2] + ":" + last(image) + " ");
            return ours;
        });
        return rows.toString();
    }

    @Test
    void theCommitterNeitherMakesNorReadsWhatIsOfTheVersionThere() throws IOException {
        replace(null, 1);
        assertThat(calls).hasToString("c0d0");
        engine.unreadable = true;
        store.work();
        engine.unreadable = false;
        byte[] first = read();
        replace(first, 2);
        engine.unreadable = true;
        store.work();
        engine.unreadable = false;
        replace(read(), 0);
        store.work();
        assertThat(calls).hasToString("c0d0c1d1c2d2");
        assertThat(outcomes).containsExactly("DONE+", "DONE+", "DONE+");
        assertThat(WriteSet.version(first)).isGreaterThan(0);
        assertThat(read()).isNull();
        assertThat(rows(ROW)).isEmpty();
        assertThat(rows(NUMBER)).isEqualTo("1:1 2:2 3:0 ");
    }

    @Test
    void aChangeIsMadeAnewIfAnotherWasFaster() throws IOException {
        replace(null, 1);
        replace(null, 2);
        store.work();
        assertThat(calls).hasToString("c0d0c0d0c1d1");
        byte[] read = read();
        store.submit(KEY, change(3), (_, _) -> {});
        replace(read, 4);
        store.work();
        assertThat(calls).hasToString("c0d0c0d0c1d1c2d2c2d2c3d3");
        replace(read, 5);
        store.work();
        assertThat(rows(ROW)).isEqualTo("5");
        assertThat(rows(NUMBER)).isEqualTo("1:1 2:2 3:3 4:4 5:5 ");
        assertThat(outcomes).containsExactly("DONE+", "DONE+", "DONE+", "DONE+");
    }

    @Test
    void aRecordThatIsGoneAndThereAgainIsAnother() throws IOException {
        replace(null, 1);
        store.work();
        byte[] read = read();
        replace(read, 0);
        replace(null, 1);
        replace(read, 2);
        store.work();
        assertThat(calls).hasToString("c0d0c1d1c0d0c1d1c1d1");
        assertThat(rows(ROW)).isEqualTo("2");
    }

    @Test
    void aGroupThatFailedLeavesNothingOfIt() throws IOException {
        replace(null, 1);
        store.work();
        byte[] read = read();
        engine.fault = FaultyEngine.Fault.DOUBTFUL;
        replace(read, 2);
        store.work();
        millis.addAndGet(StoreLimits.RECOVER_PAUSE_MILLIS);
        store.work();
        assertThat(rows(ROW)).isEqualTo("1");
        assertThat(rows(NUMBER)).isEqualTo("1:1 ");
        // What was read before is still what is there.
        calls.setLength(0);
        replace(read, 3);
        store.work();
        assertThat(calls).hasToString("c1d1");
        assertThat(outcomes).containsExactly("DONE+", "FAILED", "DONE+");
        assertThat(rows(ROW)).isEqualTo("3");
    }

    @Test
    void aChangeThatThrowsFailsAlone() throws IOException {
        RecordStore.Replace wrong = (_, _, _, _) -> {
            throw new IllegalStateException("as a damaged record does");
        };
        store.replace(KEY, null, wrong, (outcome, _) -> outcomes.add(outcome.toString()));
        replace(null, 1);
        store.work();
        assertThat(outcomes).containsExactly("FAILED", "DONE+");
        assertThat(rows(ROW)).isEqualTo("1");
    }

    @Test
    void aRowThatIsNotInTheIndexIsCompared() throws IOException {
        byte[] key = row((byte) 'x', 1);
        store.replace(key, null, change(1), (outcome, _) -> outcomes.add(outcome.toString()));
        store.work();
        store.replace(key, null, change(2), (outcome, _) -> outcomes.add(outcome.toString()));
        store.work();
        store.replace(key, engine.get(key), change(3), (outcome, _) -> outcomes.add(outcome.toString()));
        store.work();
        assertThat(calls).hasToString("c0d0c0d0c1d1c2d2");
        assertThat(outcomes).containsExactly("DONE", "DONE", "DONE");
    }
}
