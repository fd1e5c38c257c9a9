package io.guidepost.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.guidepost.base.Memory;
import io.guidepost.names.Binding;
import io.guidepost.names.Record;
import io.guidepost.store.RecordImage;
import io.guidepost.store.RecordReader;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.StoredForm;
import io.guidepost.store.TestImages;
import io.guidepost.store.WritesRefusedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** What a front end does that no embedded store does: others change its records, and the cluster may be away. */
final class FleetStoreTest {
    private final ClusterModel cluster = new ClusterModel(7);

    private static StoreOptions options() {
        return StoreOptions.inMemory().withIndexBytesMax(16 << 20);
    }

    private FleetStore open(long staleMillis) {
        return open(cluster.frontEnd(), FleetContractTest.settings(staleMillis), System::nanoTime);
    }

    private static FleetStore open(Cql cql, FleetSettings settings, LongSupplier nanoClock) {
        return FleetStore.of(cql, settings, options(), nanoClock, CacheInvalidations.NONE);
    }

    private static Record record(long number, long content) {
        return new Record(TestImages.name(number), 0, List.of(Binding.of(TestImages.place(content))), List.of());
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
    void whatIsFoundInOneTurnStaysReadable() throws IOException {
        try (FleetStore store = open(0)) {
            for (int i = 1; i <= 200; i++) {
                store.put(record(i, i), Record.ABSENT);
            }
            RecordReader reader = store.throughReader();
            reader.enter();
            List<Long> found = new ArrayList<>();
            for (int i = 1; i <= 200; i++) {
                byte[] key = TestImages.key(i);
                assertThat(reader.find(key[0], MemorySegment.ofArray(key), 1, key.length - 1)).isEqualTo(RecordReader.Found.YES);
                found.add(reader.offset());
            }
            for (int i = 1; i <= 200; i++) {
                byte[] image = Memory.read(found.get(i - 1), RecordImage.length(reader.segment(), found.get(i - 1)));
                assertThat(StoredForm.wrong(TestImages.key(i), image)).as("record %d", i).isNull();
            }
            reader.exit();
        }
    }

    @Test
    void frontEndsSeeEachOthersRecordsAndDecideOnce() throws IOException {
        try (FleetStore one = open(0); FleetStore other = open(0)) {
            long version = one.put(record(1, 10), Record.ABSENT).orElseThrow();
            assertThat(other.put(record(1, 11), Record.ABSENT)).isEmpty();
            assertThat(other.get(TestImages.name(1)).orElseThrow().version()).isEqualTo(version);
            assertThat(other.put(record(1, 11), version)).isPresent();
            assertThat(one.put(record(1, 12), version)).isEmpty();
            RecordReader through = one.throughReader();
            assertThat(find(through, 1)).isEqualTo(RecordReader.Found.YES);
            other.delete(TestImages.name(1));
            assertThat(find(through, 1)).isEqualTo(RecordReader.Found.NO);
        }
    }

    @Test
    void aCachedAnswerIsNoOlderThanTheBound() {
        AtomicLong nanos = new AtomicLong();
        AtomicLong renewed = new AtomicLong();
        RecordCache cache =
                new RecordCache(options(), FleetContractTest.settings(1000), nanos::get, (_, _, _, _) -> renewed.incrementAndGet() > 0);
        RecordReader reader = cache.reader();
        assertThat(find(reader, 1)).isEqualTo(RecordReader.Found.UNKNOWN);
        cache.put(TestImages.key(1), TestImages.image(TestImages.key(1), 5, 1), nanos.get());
        nanos.addAndGet(750_000_000L);
        assertThat(find(reader, 1)).isEqualTo(RecordReader.Found.YES);
        assertThat(renewed).hasValue(0);
        nanos.addAndGet(250_000_000L);
        assertThat(find(reader, 1)).isEqualTo(RecordReader.Found.YES);
        assertThat(find(reader, 1)).isEqualTo(RecordReader.Found.YES);
        assertThat(renewed).as("asked for once").hasValue(1);
        nanos.addAndGet(1_000_000L);
        assertThat(find(reader, 1)).isEqualTo(RecordReader.Found.UNKNOWN);
        // Confirmed, by a statement that began a while ago.
        cache.put(TestImages.key(1), TestImages.image(TestImages.key(1), 5, 1), nanos.get() - 500_000_000L);
        assertThat(find(reader, 1)).isEqualTo(RecordReader.Found.YES);
        nanos.addAndGet(501_000_000L);
        assertThat(find(reader, 1)).isEqualTo(RecordReader.Found.UNKNOWN);
        // An older version that comes late does not displace a later one.
        cache.put(TestImages.key(1), TestImages.image(TestImages.key(1), 4, 2), nanos.get());
        assertThat(find(reader, 1)).isEqualTo(RecordReader.Found.UNKNOWN);
        cache.put(TestImages.key(1), TestImages.image(TestImages.key(1), 6, 2), nanos.get());
        assertThat(find(reader, 1)).isEqualTo(RecordReader.Found.YES);
        cache.forget(TestImages.key(1), 6);
        assertThat(find(reader, 1)).as("it is here already").isEqualTo(RecordReader.Found.YES);
        cache.forget(TestImages.key(1), 7);
        assertThat(find(reader, 1)).isEqualTo(RecordReader.Found.UNKNOWN);
        cache.put(TestImages.key(1), TestImages.image(TestImages.key(1), 7, 2), nanos.get());
        // Long enough for the lower halves of milliseconds to come round.
        nanos.addAndGet(4_294_967_296_000_000L);
        assertThat(find(reader, 1)).isEqualTo(RecordReader.Found.UNKNOWN);
    }

    @Test
    void aRenewalThatFindsNoRoomIsTriedAgain() {
        AtomicLong nanos = new AtomicLong();
        AtomicLong offered = new AtomicLong();
        RecordCache cache = new RecordCache(
                options(), FleetContractTest.settings(1000), nanos::get, (_, _, _, _) -> offered.incrementAndGet() == 3);
        RecordReader reader = cache.reader();
        cache.put(TestImages.key(1), TestImages.image(TestImages.key(1), 5, 1), nanos.get());
        nanos.addAndGet(900_000_000L);
        for (int i = 0; i < 10; i++) {
            assertThat(find(reader, 1)).isEqualTo(RecordReader.Found.YES);
        }
        assertThat(offered).hasValue(3);
    }

    /** No name costs another its place, as they did in a table of times without chains. */
    @Test
    void namesThatFitAreAllInTheCache() {
        AtomicLong nanos = new AtomicLong();
        RecordCache cache = new RecordCache(options(), FleetContractTest.settings(1000), nanos::get, (_, _, _, _) -> true);
        int names = 20_000;
        for (int i = 0; i < names; i++) {
            cache.put(TestImages.key(i), TestImages.image(TestImages.key(i), 5, 1), nanos.get());
        }
        RecordReader reader = cache.reader();
        for (int i = 0; i < names; i++) {
            assertThat(find(reader, i)).as("name %d", i).isEqualTo(RecordReader.Found.YES);
        }
    }

    @Test
    void whatIsReadAheadIsFoundAndIsNoOlderThanTheBound() {
        AtomicLong nanos = new AtomicLong();
        RecordCache cache = new RecordCache(options(), FleetContractTest.settings(1000), nanos::get, (_, _, _, _) -> true);
        RecordReader reader = cache.reader();
        cache.put(TestImages.key(1), TestImages.image(TestImages.key(1), 5, 1), nanos.get());
        nanos.addAndGet(600_000_000L);
        cache.put(TestImages.key(2), TestImages.image(TestImages.key(2), 5, 1), nanos.get());
        nanos.addAndGet(600_000_000L);
        MemorySegment[] keys = {MemorySegment.ofArray(TestImages.key(1)), MemorySegment.ofArray(TestImages.key(2))};
        reader.enter();
        for (MemorySegment key : keys) {
            reader.prefetch((byte) 1, key, 1, (int) key.byteSize() - 1);
        }
        assertThat(reader.find((byte) 1, keys[0], 1, (int) keys[0].byteSize() - 1)).isEqualTo(RecordReader.Found.UNKNOWN);
        assertThat(reader.find((byte) 1, keys[1], 1, (int) keys[1].byteSize() - 1)).isEqualTo(RecordReader.Found.YES);
        reader.exit();
        cache.forget(TestImages.key(2), 6);
        assertThat(find(reader, 2)).isEqualTo(RecordReader.Found.UNKNOWN);
    }

    @Test
    void aFreshAnswerAsksTheClusterNothing() throws IOException {
        try (FleetStore store = open(3_600_000)) {
            store.put(record(1, 10), Record.ABSENT);
            cluster.down(true);
            assertThat(find(store.reader(), 1)).isEqualTo(RecordReader.Found.YES);
            assertThat(find(store.throughReader(), 1)).isEqualTo(RecordReader.Found.YES);
        }
    }

    @Test
    void whatIsAskedForOftenIsRenewedAndNotMissed() throws IOException {
        AtomicLong nanos = new AtomicLong();
        try (FleetStore store = open(cluster.frontEnd(), FleetContractTest.settings(1000), nanos::get);
                FleetStore other = open(0)) {
            long version = store.put(record(1, 10), Record.ABSENT).orElseThrow();
            RecordReader quick = store.reader();
            other.put(record(1, 11), version);
            byte[] key = TestImages.key(1);
            nanos.addAndGet(800_000_000L);
            until(() -> {
                quick.enter();
                try {
                    RecordReader.Found found = quick.find(key[0], MemorySegment.ofArray(key), 1, key.length - 1);
                    return found == RecordReader.Found.YES
                            && RecordImage.version(quick.segment(), quick.offset()) > version;
                } finally {
                    quick.exit();
                }
            });
        }
    }

    @Test
    void aClusterThatIsAwayIsToldOfAndComesBack() throws IOException {
        try (FleetStore store = open(0)) {
            store.put(record(1, 10), Record.ABSENT);
            cluster.down(true);
            assertThatThrownBy(() -> store.put(record(2, 20), Record.ABSENT)).isInstanceOf(IOException.class);
            until(() -> !store.status().writable());
            assertThat(store.status().trouble()).contains("the cluster does not answer");
            int before = cluster.statements();
            assertThatThrownBy(() -> store.put(record(2, 20), Record.ABSENT)).isInstanceOf(WritesRefusedException.class);
            assertThatThrownBy(() -> find(store.throughReader(), 1)).hasMessageContaining("does not answer");
            assertThat(cluster.statements() - before).as("statements but a probe").isLessThan(3);
            cluster.down(false);
            until(() -> store.status().writable());
            assertThat(store.put(record(2, 20), Record.ABSENT)).isPresent();
        }
    }

    @Test
    void aClusterThatIsDownAtTheStartIsAwayUntilItAnswers() throws IOException {
        AtomicInteger attempts = new AtomicInteger();
        Cql cql = DeferredCql.open(
                () -> {
                    if (attempts.incrementAndGet() == 1) {
                        throw new ClusterException("no node of the cluster answers", false);
                    }
                    return cluster.frontEnd();
                },
                60_000);
        try (FleetStore store = open(cql, FleetContractTest.settings(0), System::nanoTime)) {
            assertThat(store.status().writable()).isFalse();
            assertThat(store.status().trouble()).contains("no node of the cluster answers");
            assertThatThrownBy(() -> store.put(record(1, 10), Record.ABSENT)).isInstanceOf(WritesRefusedException.class);
            assertThatThrownBy(() -> find(store.throughReader(), 1)).hasMessageContaining("no node of the cluster answers");
            assertThatThrownBy(() -> store.images(null, (_, _) -> true)).hasMessageContaining("no node of the cluster answers");
            until(() -> store.status().writable());
            assertThat(store.put(record(1, 10), Record.ABSENT)).isPresent();
        }
    }

    @Test
    void aClusterThatWillNotDoEndsTheStart() {
        assertThatThrownBy(() -> DeferredCql.open(
                        () -> {
                            throw new IOException("the tables are of another version");
                        },
                        60_000))
                .isNotInstanceOf(ClusterException.class)
                .hasMessage("the tables are of another version");
    }

    @Test
    void anAttemptThatHangsIsNotWaitedFor() throws IOException {
        CountDownLatch never = new CountDownLatch(1);
        try (Cql cql = DeferredCql.open(
                () -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    throw new ClusterException("ended", false);
                },
                1)) {
            assertThat(cql.away()).contains("has answered yet");
            assertThatThrownBy(() -> cql.read(TestImages.key(1), false)).hasMessageContaining("has answered yet");
        }
    }

    /** Brings what each of two front ends tells to the other, unless that is lost. */
    private static final class Wire {
        private final List<CacheInvalidations.Listener> listeners = new ArrayList<>();
        private boolean isCut;

        CacheInvalidations end() {
            return new CacheInvalidations() {
                private Listener own = (_, _) -> {};

                @Override
                public void follow(Listener listener) {
                    own = listener;
                    listeners.add(listener);
                }

                @Override
                public void written(byte[] key, long version) {
                    if (!isCut) {
                        listeners.stream().filter(each -> !each.equals(own)).forEach(each -> each.written(key, version));
                    }
                }
            };
        }
    }

    @Test
    void whatAnotherFrontEndWritesIsSeenAtOnceAndByTheBoundIfItIsNotTold() throws IOException {
        AtomicLong nanos = new AtomicLong();
        Wire wire = new Wire();
        byte[] derived = TestImages.key(2);
        StoreOptions options = options().withDerivation((key, _, after, also) -> {
            if (key[key.length - 1] == 1 && after != null) {
                long version = RecordImage.version(MemorySegment.ofArray(after), 0);
                also.accept(derived, (to, _, next, _) -> TestImages.image(to, next, version));
            }
        });
        try (FleetStore one = FleetStore.of(
                        cluster.frontEnd(), FleetContractTest.settings(60_000), options, nanos::get, wire.end());
                FleetStore other = FleetStore.of(
                        cluster.frontEnd(), FleetContractTest.settings(60_000), options, nanos::get, wire.end())) {
            RecordReader reader = other.throughReader();
            one.put(record(1, 10), Record.ABSENT);
            long first = version(reader, 1);
            long firstDerived = version(reader, 2);
            long second = one.put(record(1, 11), first).orElseThrow();
            assertThat(version(reader, 1)).isEqualTo(second).isGreaterThan(first);
            assertThat(version(reader, 2)).as("what derives from it").isGreaterThan(firstDerived);
            assertThat(version(one.throughReader(), 2)).as("at the front end that wrote").isEqualTo(version(reader, 2));
            wire.isCut = true;
            long third = one.put(record(1, 12), second).orElseThrow();
            assertThat(version(reader, 1)).isEqualTo(second);
            nanos.addAndGet(60_001_000_000L);
            assertThat(version(reader, 1)).isEqualTo(third);
            wire.isCut = false;
            assertThat(one.delete(TestImages.name(1))).isTrue();
            assertThat(find(reader, 1)).isEqualTo(RecordReader.Found.NO);
        }
    }

    private static long version(RecordReader reader, long number) {
        byte[] key = TestImages.key(number);
        reader.enter();
        try {
            assertThat(reader.find(key[0], MemorySegment.ofArray(key), 1, key.length - 1)).isEqualTo(RecordReader.Found.YES);
            return RecordImage.version(reader.segment(), reader.offset());
        } finally {
            reader.exit();
        }
    }

    @Test
    void aWriteThatMayHaveBeenMadeIsToldTheOthers() throws IOException {
        List<Long> told = new ArrayList<>();
        CacheInvalidations others = new CacheInvalidations() {
            @Override
            public void follow(Listener listener) {}

            @Override
            public void written(byte[] key, long version) {
                told.add(version);
            }
        };
        try (FleetStore store = FleetStore.of(
                cluster.frontEnd(), FleetContractTest.settings(0), options(), System::nanoTime, others)) {
            cluster.faults(1000);
            assertThatThrownBy(() -> store.put(record(1, 10), Record.ABSENT)).isInstanceOf(IOException.class);
            cluster.faults(0);
            assertThat(told).containsOnly(CacheInvalidations.UNKNOWN);
        }
    }

    @Test
    void oldAnswersAreServedWhileTheClusterIsAway() throws IOException {
        AtomicLong nanos = new AtomicLong();
        try (FleetStore store = open(cluster.frontEnd(), FleetContractTest.settings(0, 10_000), nanos::get)) {
            store.put(record(1, 10), Record.ABSENT);
            assertThat(find(store.reader(), 1)).as("while the cluster answers, it is asked").isEqualTo(RecordReader.Found.UNKNOWN);
            assertThat(find(store.throughReader(), 1)).isEqualTo(RecordReader.Found.YES);
            cluster.down(true);
            nanos.addAndGet(9_000_000_000L);
            assertThat(find(store.throughReader(), 1)).as("the statement that fails first").isEqualTo(RecordReader.Found.YES);
            until(() -> !store.status().writable());
            assertThat(find(store.throughReader(), 1)).isEqualTo(RecordReader.Found.YES);
            assertThatThrownBy(() -> find(store.throughReader(), 2)).hasMessageContaining("does not answer");
            assertThatThrownBy(() -> store.get(TestImages.name(1))).as("authoritative").hasMessageContaining("does not answer");
            assertThatThrownBy(() -> store.put(record(1, 11), Record.ABSENT)).isInstanceOf(WritesRefusedException.class);
            assertThat(find(store.throughReader(), 1)).as("a write that was not made drops nothing").isEqualTo(RecordReader.Found.YES);
            nanos.addAndGet(2_000_000_000L);
            assertThatThrownBy(() -> find(store.throughReader(), 1)).hasMessageContaining("does not answer");
        }
    }

    private static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void aDamagedRowIsAnErrorAndIsNotSent() throws Exception {
        Cql cql = cluster.frontEnd();
        byte[] image = TestImages.image(TestImages.key(2), 5, 1);
        cql.compareAndSet(TestImages.key(1), 0, new RecordRow(5, UUID.randomUUID(), image, null, true), 0);
        try (FleetStore store = open(1000)) {
            assertThatThrownBy(() -> find(store.throughReader(), 1)).hasMessageContaining("does not carry the key");
            assertThat(store.status().damage()).contains("does not carry the key");
            CompletableFuture<RecordStore.Outcome> told = new CompletableFuture<>();
            store.submit(TestImages.key(1), TestImages.write(3), (outcome, _) -> told.complete(outcome));
            assertThat(told.get()).isEqualTo(RecordStore.Outcome.FAILED);
        }
    }

    /** Says that it was asked, and waits for leave to go on, on a thread that is to. */
    private static Runnable pause(ThreadLocal<Boolean> waits, CountDownLatch asked, CountDownLatch answer) {
        return () -> {
            if (waits.get()) {
                asked.countDown();
                try {
                    answer.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
    }

    @Test
    void readersOfOneKeyShareAStatementButNotOneFromBeforeAWrite() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        ThreadLocal<Boolean> waits = ThreadLocal.withInitial(() -> false);
        Cql cql = cluster.frontEnd(pause(waits, asked, answer));
        try (FleetStore store = open(cql, FleetContractTest.settings(60_000), System::nanoTime)) {
            CompletableFuture<RecordReader.Found> early = new CompletableFuture<>();
            Thread reading = Thread.ofVirtual().start(() -> {
                waits.set(true);
                early.complete(find(store.throughReader(), 1));
            });
            asked.await();
            store.put(record(1, 10), Record.ABSENT);
            assertThat(find(store.throughReader(), 1)).isEqualTo(RecordReader.Found.YES);
            assertThat(store.delete(TestImages.name(1))).isTrue();
            assertThat(find(store.throughReader(), 1)).isEqualTo(RecordReader.Found.NO);
            answer.countDown();
            reading.join();
            assertThat(early.get()).isEqualTo(RecordReader.Found.NO);
        }
    }

    /** Does something when a statement has been made, before it is told. */
    private static Cql told(Cql cql, String statement, Runnable meanwhile) {
        Class<?>[] as = {Cql.class};
        return (Cql) Proxy.newProxyInstance(Cql.class.getClassLoader(), as, (_, method, arguments) -> {
            try {
                Object answer = method.invoke(cql, arguments);
                if (method.getName().equals(statement)) {
                    meanwhile.run();
                }
                return answer;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    private static void delete(FleetStore store, long number) {
        try {
            assertThat(store.delete(TestImages.name(number))).isTrue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aReadThatIsUnderWayIsJoinedForTheBoundAloneAndByNoneThatWantsTheCluster() throws Exception {
        AtomicLong nanos = new AtomicLong();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        ThreadLocal<Boolean> waits = ThreadLocal.withInitial(() -> false);
        Cql slow = told(cluster.frontEnd(), "readBoth", pause(waits, asked, answer));
        try (FleetStore store = open(slow, FleetContractTest.settings(1000), nanos::get);
                FleetStore other = open(0)) {
            other.put(record(1, 10), Record.ABSENT);
            CompletableFuture<RecordReader.Found> early = new CompletableFuture<>();
            Thread reading = Thread.ofVirtual().start(() -> {
                waits.set(true);
                early.complete(find(store.throughReader(), 1));
            });
            asked.await();
            delete(other, 1);
            nanos.addAndGet(1_000_000_001L);
            assertThat(find(store.throughReader(), 1)).isEqualTo(RecordReader.Found.NO);
            other.put(record(1, 11), Record.ABSENT);
            assertThat(store.get(TestImages.name(1))).isPresent();
            answer.countDown();
            reading.join();
            assertThat(early.get()).as("asked before it was deleted").isEqualTo(RecordReader.Found.YES);
            assertThat(find(store.throughReader(), 1)).isEqualTo(RecordReader.Found.YES);
        }
    }

    @Test
    void aWriteThatIsToldLateIsNoAnswerForLongerThanTheBound() throws IOException {
        AtomicLong nanos = new AtomicLong();
        try (FleetStore other = open(0);
                FleetStore store = open(
                        told(cluster.frontEnd(), "compareAndSet", () -> {
                            delete(other, 1);
                            nanos.addAndGet(1_001_000_000L);
                        }),
                        FleetContractTest.settings(1000), nanos::get)) {
            assertThat(store.put(record(1, 10), Record.ABSENT)).isPresent();
            assertThat(find(store.throughReader(), 1)).isEqualTo(RecordReader.Found.NO);
        }
    }
}
