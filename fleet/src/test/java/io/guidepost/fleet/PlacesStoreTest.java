package io.guidepost.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.names.Binding;
import io.guidepost.names.Record;
import io.guidepost.store.HybridClock;
import io.guidepost.store.PlaceRows;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordMerge;
import io.guidepost.store.RecordReader;
import io.guidepost.store.RecordStore;
import io.guidepost.store.RecordStore.Outcome;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.TestImages;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Names that front ends merge places into, as a store shows them. */
final class PlacesStoreTest {
    private static final byte[] KEY = TestImages.key(1);
    private static final long NOW = 1_800_000_000_000L;

    private final ClusterModel cluster = new ClusterModel(7);
    private final AtomicLong now = new AtomicLong(NOW);

    /** A write of a client, of which a name that derives from a handle takes none. */
    record Asked(byte[] image, boolean append) implements RecordStore.Unstamped {
        @Override
        public byte[] apply(byte[] key, byte @Nullable [] current, long version, long nowMillis) {
            if (current != null && (current[1] & RecordImage.DERIVED) != 0) {
                return KEEP;
            }
            return RecordImage.bindings(MemorySegment.ofArray(image), 0) == 0 ? DELETE : RecordImage.withVersion(image, version);
        }
    }

    private FleetStore open(long staleMillis, CacheInvalidations others) {
        StoreOptions options =
                StoreOptions.inMemory().withIndexBytesMax(16 << 20).withClock(() -> Instant.ofEpochMilli(now.get()));
        return FleetStore.of(cluster.frontEnd(), FleetContractTest.settings(staleMillis), options, System::nanoTime, others);
    }

    private static Outcome write(RecordStore store, boolean append, Binding... places) {
        byte[] image = RecordImage.write(KEY, 0, List.of(places), List.of());
        CompletableFuture<Outcome> told = new CompletableFuture<>();
        assertThat(store.submit(KEY, new Asked(image, append), (outcome, _) -> told.complete(outcome))).isTrue();
        return told.join();
    }

    private static Binding place(long content) {
        return Binding.of(TestImages.place(content));
    }

    private static List<Long> places(RecordStore store) throws IOException {
        return store.get(TestImages.name(1))
                .map(record -> record.bindings().stream()
                        .map(each -> TestImages.content(new Record(record.name(), 0, List.of(each), List.of())))
                        .toList())
                .orElse(List.of());
    }

    private static int found(RecordReader reader) {
        reader.enter();
        try {
            return reader.find(KEY[0], MemorySegment.ofArray(KEY), 1, KEY.length - 1) == RecordReader.Found.YES
                    ? RecordImage.bindings(reader.segment(), reader.offset())
                    : 0;
        } finally {
            reader.exit();
        }
    }

    @Test
    void placesAreAddedReplacedAndEnd() throws IOException {
        try (FleetStore store = open(0, CacheInvalidations.NONE)) {
            write(store, true, place(1));
            write(store, true, place(2), new Binding(TestImages.place(3), 5, NOW + 1000));
            assertThat(places(store)).containsExactlyInAnyOrder(1L, 2L, 3L);
            now.addAndGet(1000);
            assertThat(places(store)).containsExactly(1L, 2L);
            write(store, true, new Binding(TestImages.place(2), 0, NOW));
            assertThat(places(store)).as("a place that a client ends").containsExactly(1L);
            write(store, false, place(4));
            assertThat(places(store)).containsExactly(4L);
            List<byte[]> keys = new ArrayList<>();
            store.images(null, (key, _) -> keys.add(key));
            assertThat(keys).containsExactly(KEY);
            write(store, false);
            assertThat(places(store)).isEmpty();
            write(store, false, place(5), new Binding(TestImages.place(6), 0, now.get() + 1000));
            assertThat(cluster.frontEnd().places(KEY).cells())
                    .extracting(PlaceCell::ttlSeconds)
                    .containsExactlyInAnyOrder(0, 1 + FleetLimits.ENDED_SECONDS);
            assertThat(cluster.frontEnd().places(KEY).ttlSeconds()).as("a place lasts").isZero();
            write(store, false);
            assertThat(cluster.frontEnd().places(KEY).ttlSeconds()).isEqualTo(FleetLimits.DELETED_SECONDS);
            assertThat(store.status().writes()).isEqualTo(7);
        }
    }

    @Test
    void whatTheFirstSchemaWroteIsMergedAndDoesNotComeBack() throws IOException {
        long version = HybridClock.of(NOW - 1000);
        byte[] image = RecordImage.write(KEY, version, List.of(place(1), place(2)), List.of());
        cluster.frontEnd().compareAndSet(KEY, 0, new RecordRow(version, UUID.randomUUID(), image, null, true), 0);
        try (FleetStore store = open(0, CacheInvalidations.NONE)) {
            assertThat(places(store)).containsExactly(1L, 2L);
            write(store, true, place(3));
            assertThat(places(store)).containsExactly(1L, 2L, 3L);
            write(store, false, new Binding(TestImages.place(4), 0, NOW + 1));
            assertThat(places(store)).containsExactly(4L);
            PlaceCells kept = cluster.frontEnd().places(KEY);
            assertThat(kept.ttlSeconds()).as("the stamp of the UPDATE covers the row").isZero();
            assertThat(kept.cells()).allMatch(each -> each.ttlSeconds() == 0);
            now.addAndGet(20L * 86_400_000);
            assertThat(places(store)).as("behind the life of a tombstone").isEmpty();
        }
    }

    @Test
    void aNameThatDerivesFromAHandleTakesNoPlacesAndThoseThatWereThereStay() throws IOException {
        byte[] derived = RecordImage.writeDerived(KEY, 0, List.of(place(9)));
        RecordStore.Replace derive = (_, current, version, _) -> current != null && (current[1] & RecordImage.DERIVED) == 0
                ? RecordStore.Change.KEEP
                : RecordImage.withVersion(derived, version);
        try (FleetStore store = open(0, CacheInvalidations.NONE)) {
            write(store, true, place(1));
            CompletableFuture<Outcome> first = new CompletableFuture<>();
            store.submit(KEY, derive, (outcome, _) -> first.complete(outcome));
            assertThat(first.join()).isEqualTo(Outcome.KEPT);
            write(store, false);
            CompletableFuture<Outcome> second = new CompletableFuture<>();
            store.submit(KEY, derive, (outcome, _) -> second.complete(outcome));
            assertThat(second.join()).isEqualTo(Outcome.DONE);
            assertThat(places(store)).containsExactly(9L);
            assertThat(write(store, true, place(2))).isEqualTo(Outcome.KEPT);
            assertThat(places(store)).containsExactly(9L);
            // One that was made at the same time, before the front end that wrote it could know.
            long stamp = HybridClock.of(NOW + 5);
            byte[] image = RecordImage.write(KEY, 0, List.of(place(3)), List.of());
            cluster.frontEnd().merge(KEY, Places.cells(
                    PlaceRows.of(RecordMerge.change(image, stamp, false)),
                    Optional.empty(), false, 0, NOW));
            assertThat(places(store)).as("what was acknowledged is not hidden").containsExactly(3L);
        }
    }

    @Test
    void aFrontEndWhoseClockIsAheadIsFollowedAndOneThatIsADayAheadIsNot() throws IOException {
        AtomicLong other = new AtomicLong(NOW + 3_600_000);
        StoreOptions ahead =
                StoreOptions.inMemory().withIndexBytesMax(16 << 20).withClock(() -> Instant.ofEpochMilli(other.get()));
        try (FleetStore store = open(0, CacheInvalidations.NONE);
                FleetStore early = FleetStore.of(
                        cluster.frontEnd(), FleetContractTest.settings(0), ahead, System::nanoTime, CacheInvalidations.NONE)) {
            write(early, false, place(1));
            assertThat(write(store, false, place(2))).isEqualTo(Outcome.DONE);
            assertThat(places(store)).containsExactly(2L);
            other.addAndGet(2 * 86_400_000L);
            write(early, true, place(3));
            assertThat(write(store, false, place(4))).isEqualTo(Outcome.FAILED);
            assertThat(places(store)).containsExactly(2L, 3L);
        }
    }

    @Test
    void aCacheShowsNoPlaceLessThanWhatThisFrontEndOrAnotherThatToldWrote() {
        List<CacheInvalidations.Listener> listeners = new ArrayList<>();
        CacheInvalidations wire = new CacheInvalidations() {
            @Override
            public void follow(Listener listener) {
                listeners.add(listener);
            }

            @Override
            public void written(byte[] key, long version) {
                listeners.forEach(each -> each.written(key, version));
            }
        };
        try (FleetStore one = open(3_600_000, wire);
                FleetStore other = open(3_600_000, wire)) {
            RecordReader reader = other.throughReader();
            for (int i = 1; i < 10; i++) {
                write(i % 2 == 0 ? one : other, true, place(i));
                assertThat(found(reader)).isEqualTo(i);
                assertThat(found(reader)).isEqualTo(i);
            }
        }
    }

    @Test
    void aCacheTakesWhatIsMergedBelowTheNewestStamp() {
        AtomicLong nanos = new AtomicLong();
        StoreOptions options = StoreOptions.inMemory().withIndexBytesMax(16 << 20).withClock(() -> Instant.ofEpochMilli(now.get()));
        RecordCache cache = new RecordCache(options, FleetContractTest.settings(1000), nanos::get, (_, _, _, _) -> true);
        RecordReader reader = cache.reader();
        cache.put(KEY, RecordImage.write(KEY, 5, List.of(place(1)), List.of()), nanos.addAndGet(10_000_000));
        cache.put(KEY, RecordImage.write(KEY, 5, List.of(place(1), place(2)), List.of()), nanos.addAndGet(10_000_000));
        assertThat(found(reader)).isEqualTo(2);
        cache.put(KEY, RecordImage.write(KEY, 5, List.of(place(1)), List.of()), nanos.get() - 10_000_000);
        assertThat(found(reader)).as("asked for before").isEqualTo(2);
        byte[] ending = RecordImage.write(KEY, 7, List.of(place(1), new Binding(TestImages.place(2), 0, NOW + 1)), List.of());
        cache.put(KEY, ending, nanos.addAndGet(10_000_000));
        byte[] left = RecordImage.write(KEY, 5, List.of(place(1)), List.of());
        cache.put(KEY, left, nanos.addAndGet(10_000_000));
        assertThat(found(reader)).isEqualTo(2);
        now.incrementAndGet();
        cache.put(KEY, left, nanos.addAndGet(10_000_000));
        assertThat(found(reader)).isEqualTo(1);
    }

    @Test
    void statementsAreCountedByTheirTable() {
        try (FleetStore store = open(0, CacheInvalidations.NONE)) {
            long before = store.statements().get(StatementCount.STATEMENTS_PLACES);
            write(store, true, place(1));
            assertThat(store.statements().get(StatementCount.STATEMENTS_PLACES) - before).as("a read and a merge").isEqualTo(2);
            assertThat(store.statements().get(StatementCount.STATEMENTS_LISTED)).isEqualTo(1);
            assertThat(store.statements().get(StatementCount.FAILURES_PLACES)).isZero();
            cluster.faults(1000);
            assertThat(write(store, true, place(2))).isEqualTo(Outcome.FAILED);
            assertThat(store.statements().get(StatementCount.FAILURES_PLACES)).isPositive();
            cluster.faults(0);
        }
    }

    @Test
    void damagedPlacesAreAnErrorAndAreNotLeftOut() throws IOException {
        byte[] place = {0, 3, 0, 9, 1};
        cluster.frontEnd().list(KEY, Cql.ListedBy.PLACES, 1, 0);
        cluster.frontEnd().merge(KEY, new PlaceCells(List.of(new PlaceCell(place, new byte[16], 1, 0)), 0, null, 0, 0));
        try (FleetStore store = open(0, CacheInvalidations.NONE)) {
            assertThatThrownBy(() -> places(store)).hasMessageContaining("a record in the cluster is damaged");
            assertThat(store.status().damage()).contains("damaged");
            assertThat(write(store, false, place(1))).isEqualTo(Outcome.FAILED);
            assertThatThrownBy(() -> store.scan(new byte[] {1}, null, _ -> true)).hasMessageContaining("damaged");
        }
    }
}
