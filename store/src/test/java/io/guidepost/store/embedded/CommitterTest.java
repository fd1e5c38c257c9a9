package io.guidepost.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Memory;
import io.guidepost.names.Binding;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreLimits;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.StoreStatus;
import io.guidepost.store.TestImages;
import io.guidepost.store.engine.FaultyEngine;
import io.guidepost.store.engine.MemoryEngine;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** The committer step by step, on a disk and a clock that do what they are told. */
final class CommitterTest {
    /** Held here, as the logging library holds it weakly: failing on purpose needs no log. */
    private static final Logger LOG = Logger.getLogger("io.guidepost.store");

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void loud() {
        LOG.setLevel(null);
    }

    private final FaultyEngine engine = new FaultyEngine(new MemoryEngine());
    private long now = 1_000_000_000_000L;

    private StoreOptions options() {
        return StoreOptions.inMemory()
                .withStepped(true)
                .withIndexBytesMax(16 << 20)
                .withQueueMax(64)
                .withClock(() -> Instant.ofEpochMilli(now))
                .withRandom(new SplittableRandom(1)::nextLong);
    }

    private EmbeddedStore open() throws IOException {
        return EmbeddedStore.open(engine, options());
    }

    /** Hears of one change. */
    private static final class Ear implements RecordStore.Completion {
        RecordStore.@Nullable Outcome outcome;
        long version;
        int times;

        @Override
        public void complete(RecordStore.Outcome outcome, long version) {
            this.outcome = outcome;
            this.version = version;
            times++;
        }
    }

    private static Ear submit(EmbeddedStore store, long number, RecordStore.Replace change) {
        Ear ear = new Ear();
        assertThat(store.submit(TestImages.key(number), change, ear)).isTrue();
        return ear;
    }

    private static long content(EmbeddedStore store, long number) throws IOException {
        return store.get(TestImages.name(number)).map(TestImages::content).orElse(-1L);
    }

    private static void settle(EmbeddedStore store) {
        for (int i = 0; i < 100_000 && store.work() > 0; i++) {
            assertThat(i).isLessThan(99_999);
        }
    }

    @Test
    void changesOfOneGroupSeeEachOther() throws IOException {
        EmbeddedStore store = open();
        settle(store);
        long groups = store.status().groups();
        Ear first = submit(store, 1, TestImages.write(10));
        Ear second = submit(store, 1, (key, current, version, nowMillis) -> {
            assertThat(current).isNotNull().isEqualTo(TestImages.image(key, version - 1, 10));
            return RecordStore.Change.DELETE;
        });
        Ear third = submit(store, 1, (key, current, version, nowMillis) -> {
            assertThat(current).isNull();
            return TestImages.image(key, version, 12);
        });
        Ear fourth = submit(store, 1, (key, current, version, nowMillis) -> RecordStore.Change.KEEP);
        Ear fifth = submit(store, 2, (key, current, version, nowMillis) -> RecordStore.Change.DELETE);
        settle(store);
        assertThat(List.of(first.outcome, second.outcome, third.outcome)).containsOnly(RecordStore.Outcome.DONE);
        assertThat(fourth.outcome).isEqualTo(RecordStore.Outcome.KEPT);
        assertThat(fifth.outcome).isEqualTo(RecordStore.Outcome.KEPT);
        assertThat(first.version).isLessThan(second.version);
        assertThat(second.version).isLessThan(third.version);
        assertThat(fourth.version).isEqualTo(third.version);
        assertThat(fifth.version).isZero();
        assertThat(content(store, 1)).isEqualTo(12);
        assertThat(store.status().groups()).isEqualTo(groups + 1);
        assertThat(store.status().writes()).isEqualTo(3);
    }

    @Test
    void whoIsToBeWokenIsWokenOnceForAGroupWhenAllOfItWasTold() throws IOException {
        EmbeddedStore store = open();
        settle(store);
        List<String> heard = new ArrayList<>();
        Runnable one = () -> heard.add("one");
        Runnable other = () -> heard.add("other");
        for (int i = 0; i < 6; i++) {
            Runnable wake = i % 3 == 2 ? other : one;
            store.submit(TestImages.key(i), TestImages.write(i), new RecordStore.Completion() {
                @Override
                public void complete(RecordStore.Outcome outcome, long version) {
                    heard.add(outcome.name());
                }

                @Override
                public Runnable afterwards() {
                    return wake;
                }
            });
        }
        settle(store);
        List<String> expected = new ArrayList<>(Collections.nCopies(6, "DONE"));
        expected.addAll(List.of("one", "other"));
        assertThat(heard).isEqualTo(expected);
    }

    @Test
    void aChangeThatThrowsFailsAlone() throws IOException {
        EmbeddedStore store = open();
        Ear before = submit(store, 1, TestImages.write(10));
        Ear broken = submit(store, 2, (key, current, version, nowMillis) -> {
            throw new IllegalStateException("broken on purpose");
        });
        Ear foreign = submit(store, 3, (key, current, version, nowMillis) -> TestImages.image(TestImages.key(4), version, 1));
        Ear old = submit(store, 3, (key, current, version, nowMillis) -> TestImages.image(key, version - 1, 1));
        Ear overflown = submit(store, 4, (key, current, version, nowMillis) -> {
            throw new StackOverflowError("broken on purpose");
        });
        Ear after = submit(store, 5, TestImages.write(50));
        settle(store);
        assertThat(List.of(before.outcome, after.outcome)).containsOnly(RecordStore.Outcome.DONE);
        assertThat(List.of(broken.outcome, foreign.outcome, old.outcome, overflown.outcome))
                .containsOnly(RecordStore.Outcome.FAILED);
        assertThat(store.status().writesFailed()).isEqualTo(4);
        assertThat(content(store, 3)).isEqualTo(-1);
        assertThat(content(store, 5)).isEqualTo(50);
    }

    @ParameterizedTest
    @EnumSource(names = {"REFUSED", "DOUBTFUL"})
    void aDiskThatRefusesFailsTheGroupAndIsTriedAgain(FaultyEngine.Fault fault) throws IOException {
        EmbeddedStore store = open();
        submit(store, 1, TestImages.write(10));
        submit(store, 2, TestImages.write(20));
        settle(store);
        engine.fault = fault;
        engine.recovers = false;
        List<Ear> failed = List.of(
                submit(store, 1, TestImages.write(11)),
                submit(store, 1, TestImages.write(12)),
                submit(store, 2, (key, current, version, nowMillis) -> RecordStore.Change.DELETE),
                submit(store, 3, TestImages.write(30)),
                submit(store, 3, (key, current, version, nowMillis) -> RecordStore.Change.KEEP));
        assertThat(store.work()).isEqualTo(failed.size());
        failed.forEach(each -> assertThat(each.outcome).isEqualTo(RecordStore.Outcome.FAILED));
        failed.forEach(each -> assertThat(each.times).isEqualTo(1));
        failed.forEach(each -> assertThat(each.version).isZero());
        assertThat(store.status().writable()).isFalse();
        assertThat(store.status().trouble()).contains("No space left");
        assertThat(store.status().writesFailed()).isEqualTo(5);
        assertThat(content(store, 1)).isEqualTo(10);
        assertThat(content(store, 2)).isEqualTo(20);
        assertThat(content(store, 3)).isEqualTo(-1);
        Ear refused = submit(store, 4, TestImages.write(40));
        store.work();
        assertThat(refused.outcome).isEqualTo(RecordStore.Outcome.FAILED);
        now += StoreLimits.RECOVER_PAUSE_MILLIS - 1;
        store.work();
        assertThat(store.status().trouble()).as("it was not tried yet").contains("No space left");
        now += 1;
        assertThat(store.work()).isPositive();
        assertThat(store.status().trouble()).contains("still no space");
        engine.recovers = true;
        now += StoreLimits.RECOVER_PAUSE_MILLIS;
        store.work();
        assertThat(store.status().writable()).isTrue();
        Ear done = submit(store, 4, TestImages.write(41));
        settle(store);
        assertThat(done.outcome).isEqualTo(RecordStore.Outcome.DONE);
        // What failed is neither in the index nor in the engine.
        EmbeddedStore reopened = open();
        for (EmbeddedStore each : List.of(store, reopened)) {
            assertThat(content(each, 1)).isEqualTo(10);
            assertThat(content(each, 2)).isEqualTo(20);
            assertThat(content(each, 3)).isEqualTo(-1);
            assertThat(content(each, 4)).isEqualTo(41);
        }
    }

    @Test
    void aGroupHasSoManyWritesAndNoMore() throws IOException {
        EmbeddedStore store = EmbeddedStore.open(engine, options().withQueueMax(8192));
        settle(store);
        long groups = store.status().groups();
        List<Ear> ears = new ArrayList<>();
        for (int i = 0; i <= StoreLimits.GROUP_WRITES_MAX; i++) {
            ears.add(submit(store, i, TestImages.write(i)));
        }
        assertThat(store.work()).isGreaterThanOrEqualTo(StoreLimits.GROUP_WRITES_MAX);
        assertThat(ears.subList(0, StoreLimits.GROUP_WRITES_MAX)).allMatch(each -> each.outcome == RecordStore.Outcome.DONE);
        assertThat(ears.getLast().times).isZero();
        store.work();
        assertThat(ears).allMatch(each -> each.times == 1);
        assertThat(store.status().groups()).isEqualTo(groups + 2);
        assertThat(store.status().writes()).isEqualTo(ears.size());
        assertThat(store.status().sequence()).isEqualTo(engine.sequence());
        for (int i = 0; i < ears.size(); i++) {
            assertThat(content(store, i)).isEqualTo(i);
        }
    }

    /** What does not fit a group is the next one, before what came later. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aGroupHasSoManyBytesAndNoMore(int missing) throws IOException {
        EmbeddedStore store = open();
        settle(store);
        // A batch begins with 12 bytes; a write has a mark, two lengths and a key beside its image.
        int image = (StoreLimits.GROUP_BYTES_MAX - 12) / 5 - 26;
        int rest = (StoreLimits.GROUP_BYTES_MAX - 12) % 5;
        for (int i = 0; i < 5; i++) {
            int bytes = i == 0 ? image + rest - missing : image;
            submit(store, i, (key, current, version, nowMillis) ->
                    RecordImage.writeForm(key, version, new byte[bytes - RecordImage.writeForm(key, version, new byte[0]).length]));
        }
        Ear sixth = submit(store, 6, TestImages.write(60));
        Ear seventh = submit(store, 7, TestImages.write(70));
        store.work();
        assertThat(sixth.times).isEqualTo(missing);
        assertThat(seventh.times).isZero();
        Ear later = submit(store, 7, TestImages.write(71));
        store.work();
        assertThat(List.of(sixth.outcome, seventh.outcome, later.outcome)).containsOnly(RecordStore.Outcome.DONE);
        assertThat(seventh.version).isLessThan(later.version);
        assertThat(content(store, 7)).isEqualTo(71);
    }

    @Test
    void anObserverHearsOfWhatWasWrittenBeforeItsClientDoes() throws IOException {
        List<String> heard = new ArrayList<>();
        EmbeddedStore store = EmbeddedStore.open(engine, options().withObserver((sequence, key, before, after) -> {
            heard.add((before == null ? "-" : "+") + (after == null ? "-" : "+"));
            throw new AssertionError("broken on purpose");
        }));
        RecordStore.Completion completion = (outcome, version) -> {
            heard.add(outcome.name());
            throw new AssertionError("broken on purpose");
        };
        store.submit(TestImages.key(1), TestImages.write(10), completion);
        store.submit(TestImages.key(1), (key, current, version, nowMillis) -> RecordStore.Change.DELETE, completion);
        store.submit(TestImages.key(2), (key, current, version, nowMillis) -> RecordStore.Change.KEEP, completion);
        settle(store);
        assertThat(heard).containsExactly("-+", "+-", "DONE", "DONE", "KEPT");
        engine.fault = FaultyEngine.Fault.REFUSED;
        store.submit(TestImages.key(1), TestImages.write(11), completion);
        store.work();
        assertThat(heard).hasSize(6).endsWith("FAILED");
    }

    @Test
    void aTaskThatThrowsKeepsNoOtherFromItsTurn() throws IOException {
        EmbeddedStore store = open();
        List<String> heard = new ArrayList<>();
        for (String each : List.of("one", "two", "one")) {
            Runnable task = () -> {
                heard.add(each);
                throw new AssertionError("broken on purpose");
            };
            store.submit(TestImages.key(1), TestImages.write(1), new RecordStore.Completion() {
                @Override
                public void complete(RecordStore.Outcome outcome, long version) {}

                @Override
                public Runnable afterwards() {
                    return task;
                }
            });
        }
        settle(store);
        assertThat(heard).as("three tasks").containsExactly("one", "two", "one");
        submit(store, 1, TestImages.write(2));
        settle(store);
        assertThat(heard).hasSize(3);
    }

    @ParameterizedTest
    @NullAndEmptySource
    void aDiskThatGivesNoReasonIsNamedByItsException(String reason) throws IOException {
        EmbeddedStore store = open();
        engine.fault = FaultyEngine.Fault.REFUSED;
        engine.reason = reason;
        submit(store, 1, TestImages.write(1));
        store.work();
        assertThat(store.status().trouble()).startsWith("java.io.IOException");
    }

    @ParameterizedTest
    @EnumSource
    void aGroupIsSyncedIfItIsToBeDurable(RecordStore.Durability durability) throws IOException {
        EmbeddedStore store = EmbeddedStore.open(engine, options().withDurability(durability));
        submit(store, 1, TestImages.write(1));
        store.work();
        assertThat(engine.synced).isEqualTo(durability == RecordStore.Durability.FSYNC);
    }

    @Test
    void changesThatThrowAreWarnedOfNowAndThen() throws IOException {
        EmbeddedStore store = open();
        List<String> warnings = new ArrayList<>();
        Logger log = Logger.getLogger(Committer.class.getName());
        log.setLevel(Level.WARNING);
        log.setFilter(record -> {
            warnings.add(record.getMessage());
            return false;
        });
        try {
            for (int expected : new int[] {1, 1, 2}) {
                for (int i = 0; i < 3; i++) {
                    submit(store, i, (key, current, version, nowMillis) -> {
                        throw new IllegalStateException("broken on purpose");
                    });
                }
                store.work();
                assertThat(warnings).hasSize(expected);
                now += StoreLimits.WARN_PAUSE_MILLIS / 2;
            }
        } finally {
            log.setFilter(null);
            log.setLevel(null);
        }
    }

    @Test
    void aFullQueueIsSaidAtOnce() throws IOException {
        EmbeddedStore store = open();
        for (int i = 0; i < 64; i++) {
            submit(store, i, TestImages.write(i));
        }
        Ear none = new Ear();
        assertThat(store.submit(TestImages.key(99), TestImages.write(1), none)).isFalse();
        assertThat(store.status().queueFull()).isEqualTo(1);
        settle(store);
        assertThat(none.times).isZero();
        submit(store, 99, TestImages.write(1));
        assertThatThrownBy(() -> store.submit(new byte[] {0, 1}, TestImages.write(1), none))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.submit(new byte[StoreLimits.KEY_BYTES_MAX + 1], TestImages.write(1), none))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void versionsGrowThoughTheClockGoesBack() throws IOException {
        long last = 0;
        for (int round = 0; round < 4; round++) {
            EmbeddedStore store = open();
            for (int i = 0; i < 5; i++) {
                Ear ear = submit(store, i, TestImages.write(i));
                store.work();
                assertThat(ear.version).isGreaterThan(last);
                last = ear.version;
                now -= 1000;
            }
            now -= 3_600_000;
        }
        now += 10 * 3_600_000;
        EmbeddedStore store = open();
        Ear ear = submit(store, 1, TestImages.write(1));
        store.work();
        assertThat(ear.version).isEqualTo(now << 16);
    }

    private static Record record(long number, long... ends) {
        List<Binding> bindings = new ArrayList<>();
        for (int i = 0; i < ends.length; i++) {
            bindings.add(new Binding(TestImages.place(100 + i), 0, ends[i]));
        }
        return new Record(TestImages.name(number), 0, bindings, List.of());
    }

    @Test
    void whatHasEndedIsHiddenAtOnceAndThenRemoved() throws IOException {
        EmbeddedStore store = open();
        settle(store);
        long start = now;
        long both = store.put(record(1, start + 50, start + 1000), Record.ABSENT).orElseThrow();
        assertThat(store.put(record(2, start + 50), Record.ABSENT)).isPresent();
        assertThat(store.put(record(3, 0), Record.ABSENT)).isPresent();
        now = start + 50;
        assertThat(store.get(TestImages.name(1)).orElseThrow().bindings()).hasSize(1);
        assertThat(store.get(TestImages.name(2))).isEmpty();
        List<Record> scanned = new ArrayList<>();
        store.scan(new byte[] {1}, null, scanned::add);
        assertThat(scanned).hasSize(2);
        // Still in the way of nobody: who sees no record may put one.
        now = start + 60;
        assertThat(store.put(record(2, start + 90), Record.ABSENT)).isPresent();
        settle(store);
        assertThat(store.status().expired()).isEqualTo(1);
        assertThat(store.get(TestImages.name(1)).orElseThrow().version()).isGreaterThan(both);
        now = start + 100;
        settle(store);
        assertThat(store.status().expired()).isEqualTo(2);
        assertThat(engine.get(TestImages.key(2))).isNull();
        // After a restart as before.
        EmbeddedStore reopened = open();
        now = start + 2000;
        settle(reopened);
        assertThat(engine.get(TestImages.key(1))).isNull();
        assertThat(engine.get(TestImages.key(3))).isNotNull();
        assertThat(reopened.status().records()).isEqualTo(1);
    }

    @Test
    void whatCouldNotBeRemovedIsRemovedLater() throws IOException {
        EmbeddedStore store = open();
        settle(store);
        assertThat(store.put(record(1, now + 50), Record.ABSENT)).isPresent();
        engine.fault = FaultyEngine.Fault.REFUSED;
        engine.recovers = false;
        now += 100;
        store.work();
        store.work();
        assertThat(store.status().writable()).isFalse();
        assertThat(engine.get(TestImages.key(1))).isNotNull();
        engine.recovers = true;
        for (int i = 0; i < 10; i++) {
            now += 400;
            settle(store);
        }
        assertThat(engine.get(TestImages.key(1))).isNull();
        assertThat(store.status().expired()).isEqualTo(1);
    }

    @Test
    void recordsThatDoNotFitTheIndexAreReadFromTheEngineAndEnd() throws IOException {
        EmbeddedStore store = open();
        settle(store);
        int records = 200_000;
        long end = now + 1_000_000;
        for (int i = 0; i < records; i++) {
            int number = i;
            submit(store, i, (key, current, version, nowMillis) ->
                    TestImages.imageUntil(key, version, number % 2 == 0 ? end : 0));
            if (i % 50 == 0) {
                settle(store);
            }
        }
        settle(store);
        StoreStatus status = store.status();
        assertThat(status).matches(each -> !each.complete() && each.evicted() > 0);
        assertThat(status.indexBytes()).isLessThanOrEqualTo(16 << 20);
        assertThat(store.get(TestImages.name(1))).isPresent();
        RecordReader plain = store.reader();
        RecordReader through = store.throughReader();
        byte[] key = TestImages.key(3);
        MemorySegment segment = MemorySegment.ofArray(key);
        assertThat(plain.find(key[0], segment, 1, 20)).isEqualTo(RecordReader.Found.UNKNOWN);
        assertThat(through.find(key[0], segment, 1, 20)).isEqualTo(RecordReader.Found.YES);
        long first = through.offset();
        byte[] found = Memory.read(first, RecordImage.length(through.segment(), first));
        assertThat(through.find(key[0], MemorySegment.ofArray(TestImages.key(4)), 1, 20)).isEqualTo(RecordReader.Found.YES);
        assertThat(Memory.read(first, found.length)).as("what was found stays readable").isEqualTo(found);
        settle(store);
        assertThat(plain.find(key[0], segment, 1, 20)).isEqualTo(RecordReader.Found.YES);
        // A write of a record that is not in the index sees it.
        Ear seen = submit(store, 5, (k, current, version, nowMillis) -> {
            assertThat(current).isNotNull();
            return RecordStore.Change.KEEP;
        });
        settle(store);
        assertThat(seen.outcome).isEqualTo(RecordStore.Outcome.KEPT);
        now = end + 1;
        for (int i = 0; i < 600; i++) {
            now += StoreLimits.ENGINE_SWEEP_PAUSE_MILLIS;
            settle(store);
        }
        int[] left = {0};
        engine.visit(new byte[] {1}, (k, image) -> ++left[0] > 0);
        assertThat(left[0]).isEqualTo(records / 2);
    }

    @Test
    void anEngineThatCannotBeReadIsSaid() throws IOException {
        EmbeddedStore first = open();
        submit(first, 1, TestImages.write(10));
        settle(first);
        EmbeddedStore store = open();
        engine.unreadable = true;
        store.work();
        assertThat(store.status().complete()).isFalse();
        assertThat(store.status().trouble()).contains("does not match its sum");
        assertThatThrownBy(() -> store.get(TestImages.name(1))).isInstanceOf(IOException.class);
        Ear ear = submit(store, 1, TestImages.write(11));
        store.work();
        assertThat(ear.outcome).isEqualTo(RecordStore.Outcome.FAILED);
    }

    /** Seeded histories of writes, failures, restarts, expiry and a small index, against a map. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void agreesWithAMap(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        TreeMap<Integer, long[]> model = new TreeMap<>();
        EmbeddedStore store = open();
        int keys = random.nextInt(10, 3000);
        for (int step = 0; step < 20_000; step++) {
            int number = random.nextInt(keys);
            String where = "seed " + seed + ", step " + step;
            switch (random.nextInt(20)) {
                case 0, 1, 2, 3, 4, 5, 6 -> {
                    long end = random.nextInt(3) == 0 ? now + random.nextInt(1, 5000) : 0;
                    boolean fails = random.nextInt(50) == 0;
                    FaultyEngine.Fault fault =
                            random.nextBoolean() ? FaultyEngine.Fault.REFUSED : FaultyEngine.Fault.DOUBTFUL;
                    engine.fault = fails ? fault : FaultyEngine.Fault.NONE;
                    int content = step;
                    Ear ear = submit(store, number, (key, current, version, nowMillis) ->
                            TestImages.imageUntil(key, version, end));
                    store.work();
                    assertThat(ear.outcome).as(where).isIn(RecordStore.Outcome.DONE, RecordStore.Outcome.FAILED);
                    if (ear.outcome == RecordStore.Outcome.DONE) {
                        model.put(number, new long[] {ear.version, end, content});
                    }
                }
                case 7, 8 -> {
                    Ear ear = submit(store, number, (key, current, version, nowMillis) -> RecordStore.Change.DELETE);
                    store.work();
                    if (ear.outcome == RecordStore.Outcome.DONE) {
                        model.remove(number);
                    }
                }
                case 9 -> now += random.nextInt(500);
                case 10 -> {
                    if (random.nextInt(100) == 0) {
                        engine.fault = FaultyEngine.Fault.NONE;
                        now += 400;
                        store.work();
                        store = open();
                    }
                }
                default -> {
                    long[] expected = model.get(number);
                    long version = expected == null || expected[1] != 0 && expected[1] <= now ? 0 : expected[0];
                    Record record = store.get(TestImages.name(number)).orElse(null);
                    assertThat(record == null ? 0 : record.version()).as(where).isEqualTo(version);
                }
            }
        }
        engine.fault = FaultyEngine.Fault.NONE;
        now += 10_000;
        settle(store);
        List<Long> versions = new ArrayList<>();
        store.scan(new byte[0], null, record -> versions.add(record.version()));
        assertThat(versions.stream().sorted().toList())
                .as("seed " + seed)
                .isEqualTo(Arrays.asList(model.values().stream()
                        .filter(each -> each[1] == 0 || each[1] > now)
                        .map(each -> each[0])
                        .sorted()
                        .toArray(Long[]::new)));
    }
}
