package io.guidepost.packet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.guidepost.packet.Eventually;
import io.guidepost.packet.LogCapture;
import io.guidepost.packet.PacketLimits;
import io.guidepost.packet.linux.SystemCall;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RealTimeSchedulingTest {
    private static final long MILLI = 1_000_000;

    private final WorkerStatistics statistics = new WorkerStatistics();
    private final List<Boolean> changes = new ArrayList<>();

    /** Notes what is asked for, and allows it or not. */
    private final class Noting implements RealTimeScheduling.Place {
        private final boolean allowed;
        private boolean taken;
        private long waitedNanos;

        Noting(boolean allowed) {
            this.allowed = allowed;
        }

        @Override
        public boolean change(boolean realTime) {
            changes.add(realTime);
            taken = false;
            return allowed;
        }

        @Override
        public boolean taken() {
            return taken;
        }

        @Override
        public long waitedNanos() {
            return waitedNanos;
        }
    }

    @Test
    void whoSleepsAQuarterStaysInRealTime() {
        RealTimeScheduling realTime = new RealTimeScheduling(new Noting(true), statistics, 0);
        for (long milli = 1; milli <= 1000; milli++) {
            realTime.slept(MILLI / 4);
            realTime.turn(milli * MILLI);
        }
        assertThat(changes).containsExactly(true);
        assertThat(statistics.isRealTime()).isTrue();
        assertThat(statistics.realTimeEnds()).isZero();
    }

    @Test
    void whoNeverSleepsIsBeforeTheOthersForATenthOfTheTime() {
        RealTimeScheduling realTime = new RealTimeScheduling(new Noting(true), statistics, 0);
        long millis = 0;
        for (long milli = 1; milli <= 1100; milli++) {
            realTime.turn(milli * MILLI);
            millis += statistics.isRealTime() ? 1 : 0;
        }
        assertThat(millis).isBetween(90L, 110L);
        assertThat(changes).hasSize(21).startsWith(true, false, true);
        assertThat(statistics.realTimeEnds()).isEqualTo(10);
    }

    @Test
    void timeInWhichAnotherRealTimeThreadRanIsNoSleep() {
        Noting place = new Noting(true);
        place.waitedNanos = 500 * MILLI;
        RealTimeScheduling realTime = new RealTimeScheduling(place, statistics, 0);
        realTime.slept(6 * MILLI);
        place.waitedNanos += 3 * MILLI;
        realTime.turn(10 * MILLI);
        assertThat(statistics.isRealTime()).isTrue();
        realTime.slept(6 * MILLI);
        place.waitedNanos += 4 * MILLI;
        realTime.turn(20 * MILLI);
        assertThat(statistics.isRealTime()).isFalse();
    }

    @Test
    void whatItSleptInOneLookIsNoExcuseInTheNext() {
        RealTimeScheduling realTime = new RealTimeScheduling(new Noting(true), statistics, 0);
        realTime.slept(10 * MILLI);
        realTime.turn(10 * MILLI);
        assertThat(statistics.isRealTime()).isTrue();
        realTime.turn(20 * MILLI);
        assertThat(statistics.isRealTime()).isFalse();
    }

    @Test
    void whoWasStuckIsAFairThreadForAWhileHoweverMuchItSlept() {
        Noting place = new Noting(true);
        RealTimeScheduling realTime = new RealTimeScheduling(place, statistics, 0);
        place.taken = true;
        realTime.slept(9 * MILLI);
        realTime.turn(10 * MILLI);
        assertThat(statistics.isRealTime()).isFalse();
        realTime.turn(109 * MILLI);
        assertThat(statistics.isRealTime()).isFalse();
        realTime.turn(110 * MILLI);
        assertThat(statistics.isRealTime()).isTrue();
        realTime.slept(9 * MILLI);
        realTime.turn(120 * MILLI);
        assertThat(statistics.isRealTime()).isTrue();
        assertThat(statistics.realTimeEnds()).isEqualTo(1);
    }

    @Test
    void whoIsRefusedAsksNoMore() {
        RealTimeScheduling realTime = new RealTimeScheduling(new Noting(false), statistics, 0);
        for (long milli = 1; milli <= 1000; milli++) {
            realTime.turn(milli * MILLI);
        }
        assertThat(changes).hasSize(1);
        assertThat(statistics.isRealTime()).isFalse();
        assertThat(statistics.realTimeEnds()).isZero();
    }

    /** Policy and nice value of the calling thread: fields 41 and 19 of its line in /proc. */
    private static String place() {
        try {
            String line = Files.readString(Path.of("/proc/thread-self/stat"));
            List<String> fields = List.of(line.substring(line.lastIndexOf(')') + 2).split(" ", -1));
            return "policy " + fields.get(38) + ", nice " + fields.get(16);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void theKernelDoesWhatIsSaid() throws Exception {
        Privileges.assumeRealTime();
        List<String> seen = new CopyOnWriteArrayList<>();
        Thread probe = Thread.ofPlatform().start(() -> {
            ThreadAffinity.prefer(PacketLimits.WORKER_NICE, PacketLimits.WORKER_SLICE_NANOS);
            String before = place();
            ThreadAffinity.realTime(ThreadAffinity.THIS_THREAD, PacketLimits.REAL_TIME_PRIORITY);
            String during = place();
            AtomicReference<String> started = new AtomicReference<>();
            join(Thread.ofPlatform().start(() -> started.set(place())));
            ThreadAffinity.realTime(ThreadAffinity.THIS_THREAD, 0);
            seen.addAll(List.of(before, during, String.valueOf(started.get()), place()));
        });
        join(probe);
        assertThat(seen).hasSize(4);
        String fair = seen.getFirst();
        assertThat(fair).startsWith("policy 0");
        assertThat(seen.get(1)).startsWith("policy 1");
        assertThat(seen.get(2)).as("what it starts meanwhile").startsWith("policy 0");
        assertThat(seen.get(3)).as("afterwards").isEqualTo(fair);
    }

    @Test
    void aWorkerThatNeverSleepsLeavesRealTimeAndComesBack() throws Exception {
        Privileges.assumeRealTime();
        AtomicInteger turns = new AtomicInteger();
        try (Worker worker = new Worker(WorkerSettings.of("busy").withRealTime(RealTimePolicy.AUTO)).add(nowMillis -> {
            turns.incrementAndGet();
            return 1;
        })) {
            worker.start();
            Eventually.await("a turn", () -> turns.get() > 0);
            Eventually.await("twice left", () -> worker.statistics().realTimeEnds() >= 2);
        }
    }

    @Test
    void aWorkerThatTriesTheSameForEverBecomesAFairThread() throws Exception {
        Privileges.assumeRealTime();
        AtomicBoolean realTime = new AtomicBoolean();
        CountDownLatch fair = new CountDownLatch(1);
        try (Worker worker = new Worker(WorkerSettings.of("stuck").withRealTime(RealTimePolicy.AUTO)).add(nowMillis -> {
            realTime.compareAndSet(false, place().startsWith("policy 1"));
            while (!place().startsWith("policy 0")) {
                Thread.onSpinWait(); // As the JVM does until the compiler's thread had its turn.
            }
            fair.countDown();
            return 0;
        })) {
            worker.start();
            assertThat(fair.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(realTime).isTrue();
            Eventually.await("that it is counted", () -> worker.statistics().realTimeEnds() > 0);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"AUTO", "TRUE"})
    void aWorkerWithoutTheRightSaysSoOnlyWhereItIsWanted(RealTimePolicy wanted) throws Exception {
        assumeTrue(SystemCall.AVAILABLE, "there are no rights");
        Privileges.assumeNoRealTimeLimit();
        List<String> said = new CopyOnWriteArrayList<>();
        AtomicReference<String> ranAs = new AtomicReference<>();
        join(Thread.ofPlatform().start(() -> {
            Privileges.dropNice();
            CountDownLatch turn = new CountDownLatch(1);
            try (LogCapture log = new LogCapture(Worker.class);
                    Worker worker = new Worker(WorkerSettings.of("humble").withRealTime(wanted)).add(nowMillis -> {
                        ranAs.set(place());
                        turn.countDown();
                        return 0;
                    })) {
                worker.start();
                turn.await();
                said.addAll(log.messages());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }));
        assertThat(ranAs.get()).startsWith("policy 0");
        if (wanted == RealTimePolicy.TRUE) {
            assertThat(said).singleElement().asString().contains("humble", "not in real time", "CAP_SYS_NICE");
        } else {
            assertThat(said).isEmpty();
        }
    }

    @Test
    void theKernelTellsHowLongAThreadWaited() {
        assumeTrue(Files.isReadable(Path.of("/proc/thread-self/schedstat")), "the kernel does not count it");
        AtomicBoolean waited = new AtomicBoolean();
        AtomicBoolean over = new AtomicBoolean();
        // One more than can run.
        for (int i = 0; i <= Runtime.getRuntime().availableProcessors(); i++) {
            Thread.ofPlatform().daemon().start(() -> {
                try (RunQueueWait own = RunQueueWait.ofThisThread()) {
                    while (!over.get()) {
                        if (own.nanos() > MILLI) {
                            waited.set(true);
                        }
                    }
                }
            });
        }
        try {
            Eventually.await("that one waited", waited::get);
        } finally {
            over.set(true);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
