package io.guidepost.store.embedded;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.store.IndexMemory;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreLimits;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.TestImages;
import io.guidepost.store.engine.FaultyEngine;
import io.guidepost.store.engine.MemoryEngine;
import io.guidepost.store.index.ReadIndex;
import java.io.File;
import java.io.IOException;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rounds of the committer, on a disk that has the room that it is told to have, and refuses when it is told to. */
final class CommitterRoundTest {
    /** Held here, as the logging library holds it weakly. */
    private static final Logger LOG = Logger.getLogger("io.guidepost.store");

    private static final RecordStore.Replace DELETE = (key, current, version, nowMillis) -> RecordStore.Change.DELETE;

    @SuppressWarnings("serial")
    private static final class Disk extends File {
        private long usable = 1L << 40;
        private int looks;

        Disk() {
            super("disk");
        }

        @Override
        public long getTotalSpace() {
            return 1L << 40;
        }

        @Override
        public long getUsableSpace() {
            looks++;
            return usable;
        }
    }

    /** A network that may have one record. */
    private static final class OneRecord implements RecordStore.Writer {
        private int refusals;

        @Override
        public long network() {
            return 7;
        }

        @Override
        public long recordsMax() {
            return 1;
        }

        @Override
        public long bytesMax() {
            return 0;
        }

        @Override
        public void refused() {
            refusals++;
        }
    }

    private final Disk disk = new Disk();
    private final FaultyEngine engine = new FaultyEngine(new MemoryEngine());
    private final ChangeQueue queue = new ChangeQueue(64);
    private long now = 1_000_000_000_000L;
    private Committer committer;

    @BeforeAll
    static void quiet() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void loud() {
        LOG.setLevel(null);
    }

    @BeforeEach
    void start() throws IOException {
        open(StoreOptions.inMemory());
        for (int i = 0; i < 4; i++) {
            assertThat(outcome(i, form(100))).isEqualTo(RecordStore.Outcome.DONE);
        }
    }

    private void open(StoreOptions options) throws IOException {
        ReadIndex index = new ReadIndex(16 << 20, new SplittableRandom(1)::nextLong, IndexMemory.ofRuntime());
        committer = new Committer(
                engine, index, queue, new DiskReserve(disk), options.withClock(() -> Instant.ofEpochMilli(now)));
    }

    private static RecordStore.Replace form(int bytes) {
        return (key, current, version, nowMillis) -> RecordImage.writeForm(key, version, new byte[bytes]);
    }

    /** Has one change committed alone. */
    private RecordStore.Outcome outcome(long number, RecordStore.Replace change) {
        AtomicReference<RecordStore.Outcome> heard = new AtomicReference<>();
        assertThat(queue.offer(new ChangeQueue.Entry(TestImages.key(number), change, (outcome, version) -> heard.set(outcome))))
                .isTrue();
        committer.work();
        return requireNonNull(heard.get(), "no outcome");
    }

    private static RecordStore.Replace paid(RecordStore.Writer writer, int bytes) {
        return new RecordStore.Replace() {
            @Override
            public byte[] apply(byte[] key, byte @Nullable [] current, long version, long nowMillis) {
                return RecordImage.writeForm(key, version, new byte[bytes]);
            }

            @Override
            public RecordStore.Writer writer() {
                return writer;
            }
        };
    }

    private void fills() {
        disk.usable = StoreLimits.DISK_RESERVE_BYTES - 1;
        now += StoreLimits.DISK_LOOK_MILLIS;
    }

    @Test
    void onlyWhatDoesNotGrowIsTakenOnAFullDisk() {
        fills();
        assertThat(outcome(0, form(101))).isEqualTo(RecordStore.Outcome.FAILED);
        assertThat(committer.trouble()).contains("its last 256 MiB are kept");
        assertThat(outcome(0, form(100))).isEqualTo(RecordStore.Outcome.DONE);
        assertThat(outcome(1, form(99))).isEqualTo(RecordStore.Outcome.DONE);
        assertThat(outcome(2, DELETE)).isEqualTo(RecordStore.Outcome.DONE);
        assertThat(outcome(2, form(0))).as("it is not there any more").isEqualTo(RecordStore.Outcome.FAILED);
        assertThat(committer.writesFailed()).isEqualTo(2);
    }

    @Test
    void aDiskThatHasRoomAgainTakesAllWithoutBeingWrittenTo() {
        fills();
        assertThat(outcome(0, form(101))).isEqualTo(RecordStore.Outcome.FAILED);
        disk.usable = StoreLimits.DISK_RESERVE_BYTES;
        committer.work();
        assertThat(committer.trouble()).as("it has not looked again").isNotEmpty();
        now += StoreLimits.DISK_LOOK_MILLIS;
        committer.work();
        assertThat(committer.trouble()).isEmpty();
        assertThat(outcome(0, form(101))).isEqualTo(RecordStore.Outcome.DONE);
    }

    @Test
    void whoHasNothingToWriteDoesNotLook() {
        int looks = disk.looks;
        now += StoreLimits.DISK_LOOK_MILLIS;
        committer.work();
        assertThat(disk.looks).isEqualTo(looks);
        outcome(0, form(100));
        assertThat(disk.looks).isEqualTo(looks + 1);
    }

    @Test
    void itLooksAgainWhenMuchWasWritten() {
        outcome(0, form((int) StoreLimits.DISK_LOOK_BYTES));
        disk.usable = 0;
        assertThat(outcome(1, form(101))).as("at the same time").isEqualTo(RecordStore.Outcome.FAILED);
    }

    @Test
    void whatFollowsFromAChangeThatDoesNotGrowMayGrow() throws IOException {
        byte[] also = TestImages.key(9);
        open(StoreOptions.inMemory().withDerivation((key, before, after, derived) -> {
            if (after != null && before != null) {
                derived.accept(also, form(500));
            }
        }));
        outcome(0, form(100));
        fills();
        assertThat(outcome(0, form(100))).isEqualTo(RecordStore.Outcome.DONE);
        assertThat(outcome(9, form(500))).as("it is there, and as long").isEqualTo(RecordStore.Outcome.DONE);
    }

    @Test
    void whatNobodyHasRoomForIsNotWritten() throws IOException {
        OneRecord writer = new OneRecord();
        assertThat(outcome(10, paid(writer, 5))).isEqualTo(RecordStore.Outcome.DONE);
        long writes = committer.writes();
        assertThat(outcome(11, paid(writer, 5))).isEqualTo(RecordStore.Outcome.KEPT);
        assertThat(writer.refusals).isEqualTo(1);
        assertThat(committer.writes()).isEqualTo(writes);
        assertThat(engine.get(TestImages.key(11))).isNull();
    }

    @Test
    void whatFailedCountsForNobody() {
        OneRecord writer = new OneRecord();
        engine.fault = FaultyEngine.Fault.REFUSED;
        assertThat(outcome(10, paid(writer, 5))).isEqualTo(RecordStore.Outcome.FAILED);
        now += StoreLimits.RECOVER_PAUSE_MILLIS;
        assertThat(outcome(11, paid(writer, 5))).isEqualTo(RecordStore.Outcome.DONE);
        assertThat(writer.refusals).isZero();
    }

    @Test
    void aSecondFailureUndoesNothingThatWasWrittenAfterTheFirst() throws IOException {
        engine.fault = FaultyEngine.Fault.REFUSED;
        assertThat(outcome(0, form(50))).isEqualTo(RecordStore.Outcome.FAILED);
        now += StoreLimits.RECOVER_PAUSE_MILLIS;
        assertThat(outcome(0, form(60))).isEqualTo(RecordStore.Outcome.DONE);
        byte[] written = engine.get(TestImages.key(0));
        engine.fault = FaultyEngine.Fault.REFUSED;
        assertThat(outcome(1, form(50))).isEqualTo(RecordStore.Outcome.FAILED);
        now += StoreLimits.RECOVER_PAUSE_MILLIS;
        committer.work();
        assertThat(committer.trouble()).isEmpty();
        assertThat(engine.get(TestImages.key(0))).isEqualTo(written);
        assertThat(committer.sequence()).isEqualTo(engine.sequence());
    }

    @Test
    void aRoundCountsWritesAndMaintenance() throws IOException {
        open(StoreOptions.inMemory());
        assertThat(committer.work()).as("the index begins to be filled").isPositive();
        while (committer.tidy() > 0) {}
        assertThat(outcome(0, form(100))).isEqualTo(RecordStore.Outcome.DONE);
        assertThat(committer.write()).isZero();
        assertThat(committer.tidy()).isZero();
        for (int i = 0; i < 3; i++) {
            queue.offer(new ChangeQueue.Entry(TestImages.key(i), form(100), (outcome, version) -> {}));
        }
        assertThat(committer.write()).isEqualTo(3);
    }
}
