package io.guidepost.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.guidepost.store.IndexMemory;
import io.guidepost.store.RecordStore;
import io.guidepost.store.StoreLimits;
import io.guidepost.store.StoreOptions;
import io.guidepost.store.TestImages;
import io.guidepost.store.engine.MemoryEngine;
import io.guidepost.store.index.ReadIndex;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** For how many writes a group waits, where it would wait for hours if it did so wrongly. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CommitterThreadTest {
    private final ChangeQueue queue = new ChangeQueue(64);
    private final CountDownLatch applying = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private Committer committer;
    private CommitterThread thread;

    @BeforeEach
    void start() throws IOException {
        StoreOptions options = StoreOptions.inMemory().withIndexBytesMax(16 << 20);
        ReadIndex index =
                new ReadIndex(options.indexBytesMax(), new SplittableRandom(1)::nextLong, IndexMemory.ofRuntime());
        committer = new Committer(new MemoryEngine(), index, queue, new DiskReserve(new File("")), options);
        thread = new CommitterThread(committer, queue, TimeUnit.HOURS.toNanos(1));
        Await.until("the index is filled", index::complete);
    }

    @AfterEach
    void end() {
        go.countDown();
        assertThat(thread.close()).isTrue();
    }

    private CompletableFuture<Long> submit(long number, RecordStore.Replace change) {
        CompletableFuture<Long> done = new CompletableFuture<>();
        assertThat(queue.offer(
                        new ChangeQueue.Entry(TestImages.key(number), change, (outcome, version) -> done.complete(version))))
                .isTrue();
        thread.wake();
        return done;
    }

    /** A write that is applied when it is told to, so that what comes meanwhile is not of its group. */
    private CompletableFuture<Long> submitSlow(long number) throws InterruptedException {
        CompletableFuture<Long> done = submit(number, (key, current, version, nowMillis) -> {
            applying.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return TestImages.image(key, version, 1);
        });
        applying.await();
        return done;
    }

    @Test
    void whoWritesAloneNeverWaitsForOthers() {
        for (int i = 0; i < 1000; i++) {
            submit(i, TestImages.write(i)).join();
        }
        assertThat(committer.groups()).isEqualTo(1000);
    }

    @Test
    void asManyAreWaitedForAsWereUnderWay() throws InterruptedException {
        long start = System.nanoTime();
        CompletableFuture<Long> first = submitSlow(1);
        CompletableFuture<Long> second = submit(2, TestImages.write(2));
        go.countDown();
        first.join();
        CompletableFuture<Long> third = submit(3, TestImages.write(3));
        second.join();
        third.join();
        assertThat(committer.groups()).isEqualTo(2);
        assertThat(committer.awaited()).isEqualTo(2);
        assertThat(thread.groupedNanos()).isBetween(1L, System.nanoTime() - start);
    }

    @Test
    void manyAreNotWaitedFor() throws InterruptedException {
        CompletableFuture<Long> first = submitSlow(1);
        List<CompletableFuture<Long>> others = new ArrayList<>();
        for (int i = 0; i < StoreLimits.GATHER_WRITES_MAX; i++) {
            others.add(submit(2 + i, TestImages.write(i)));
        }
        go.countDown();
        first.join();
        others.forEach(CompletableFuture::join);
        assertThat(committer.groups()).isEqualTo(2);
    }

    @Test
    void whatWaitsIsWrittenAtTheEnd() throws InterruptedException {
        CompletableFuture<Long> first = submitSlow(1);
        CompletableFuture<Long> second = submit(2, TestImages.write(2));
        go.countDown();
        first.join();
        assertThat(thread.close()).isTrue();
        assertThat(second).isCompleted();
    }

    @Test
    void anErrorInAChangeEndsNeitherItsGroupNorTheThread() throws InterruptedException {
        Logger log = Logger.getLogger("io.guidepost.store");
        log.setLevel(Level.OFF);
        try {
            CompletableFuture<Long> first = submitSlow(1);
            CompletableFuture<Long> broken = submit(2, (key, current, version, nowMillis) -> {
                throw new AssertionError("broken on purpose");
            });
            go.countDown();
            assertThat(first.join()).isPositive();
            CompletableFuture<Long> behind = submit(3, TestImages.write(3));
            assertThat(broken.join()).as("it failed").isZero();
            assertThat(behind.join()).isPositive();
        } finally {
            log.setLevel(null);
        }
    }

    @Test
    void whoIsInterruptedDoesNotWaitForTheEnd() throws InterruptedException {
        CompletableFuture<Long> first = submitSlow(1);
        Thread.currentThread().interrupt();
        assertThat(thread.close()).as("a change is being applied").isFalse();
        assertThat(Thread.interrupted()).isTrue();
        go.countDown();
        assertThat(first.join()).isPositive();
    }

    @Test
    void whatComesAfterTheEndFails() {
        assertThat(thread.close()).isTrue();
        List<String> heard = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            queue.offer(new ChangeQueue.Entry(TestImages.key(i), TestImages.write(i), new RecordStore.Completion() {
                @Override
                public void complete(RecordStore.Outcome outcome, long version) {
                    heard.add(outcome + " " + version);
                }

                @Override
                public Runnable afterwards() {
                    return () -> heard.add("woken");
                }
            }));
        }
        committer.failWaiting();
        assertThat(heard).startsWith("FAILED 0", "FAILED 0", "woken");
        assertThat(committer.writesFailed()).isEqualTo(2);
        assertThat(queue.size()).isZero();
    }
}
