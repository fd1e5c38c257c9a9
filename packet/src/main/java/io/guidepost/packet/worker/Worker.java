package io.guidepost.packet.worker;

import io.guidepost.packet.PacketLimits;
import io.guidepost.packet.Readiness;
import io.guidepost.packet.RxQueue;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A worker: one thread that runs its duties turn by turn, busy-polls briefly when there is no work, and then sleeps
 * until a watched queue has packets or {@link #wake} is called.
 *
 * <p>Duties and queues are added before the start, by one thread. {@link #wake}, {@link #statistics} and {@link #close}
 * are thread-safe.
 *
 * <p>Why no busy-polling by default, and why interrupt coalescing? At 50,000 requests in a second one comes every 20
 * microseconds: polling that long is polling always, and a wake-up for each costs more than its response. So when
 * requests came denser than one in a coalescing interval since the last sleep, the worker sleeps through the next ones
 * and finds several at once: for the interval, or less if two are expected sooner, as the second saves the most. Echo
 * on loopback at random times, all intervals of one length, the responding thread alone on its processor but for other
 * programs that it had to displace, the calm ones of many rounds on two virtual processors that others used too;
 * docs/benchmarks.md has the whole server:
 *
 * <pre>
 *  looks    naps    50,000/s: p50, p99, CPU of each     20,000/s: p50, p99, CPU of each
 *  0 us     0 us    21 us     57 us   10.5 us           22 us     80 us   15.0 us
 *  5        0       19        44      11.7              21        80      17.4
 *  15       0       12        47      14.3              20        69      22
 *  50       0        7        60      18.5               8        45      34
 *  0        30      25        62       9.0              22        60      16
 *  0        40      33        83       8.1              26        74      16.5
 *  0        50      39        83       7.0              26        90      15.4
 * </pre>
 *
 * <p>Without displaced programs the first row was 6.7 microseconds. Intervals of 40 microseconds keep p99 below 100 and
 * CPU below 10 in both cases; for the lowest latency on spare processors set 50 and 0. Under continuous load the worker
 * neither polls nor sleeps. An idle worker runs its duties ten times in a second; with a queue without notification, as
 * often as {@link IdleBackoff} says.
 */
public final class Worker implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Worker.class.getName());
    private static final VarHandle STATE;

    private static final int AWAKE = 0;
    private static final int ASLEEP = 1;
    private static final int CALLED = 2;

    private static final long NANOS_IN_MILLI = 1_000_000;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Worker.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final WorkerSettings settings;
    private final List<DutyCycle> duties = new ArrayList<>();
    private final List<RxQueue> watched = new ArrayList<>();
    private final List<Readiness> signals = new ArrayList<>();
    private final WorkerStatistics statistics = new WorkerStatistics();
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Thread thread;

    /**
     * The sleep and wake-up protocol. The worker sets ASLEEP and sleeps only if it did not replace CALLED; a waker sets
     * CALLED and calls the poller only if it replaced ASLEEP. Both are atomic exchanges of one variable, so that one of
     * the two sees the other: no wake-up is lost, and waking a running worker is a single exchange. The worker sets
     * AWAKE before its duties: what was handed over before the erased CALLED is seen by the following turn.
     */
    @SuppressWarnings("unused") // Accessed through STATE.
    private volatile int state = AWAKE;

    private volatile @Nullable Poller waiter;
    private volatile boolean running = true;
    private volatile @Nullable RuntimeException refusal;
    private volatile boolean held;
    private volatile boolean stuckTold;
    private long supervisedTurns = -1;
    private long supervisedNanos;
    private boolean turnTold;
    private boolean started;
    private long faultReportAfterMillis = Long.MIN_VALUE;

    /** Returns whether the kernel lets this process have workers in real time; tries it with a thread of its own. */
    public static boolean mayRunInRealTime() {
        try (RealTimeWatchdog tried = new RealTimeWatchdog("real-time-trial", new WorkerStatistics(), () -> true)) {
            return tried.allowed();
        }
    }

    /** Creates a worker that has not started. */
    public Worker(WorkerSettings settings) {
        this.settings = settings;
        this.thread = Thread.ofPlatform().name(settings.name()).daemon(true).unstarted(this::run);
    }

    /** Adds a duty to run in every turn. */
    public synchronized Worker add(DutyCycle duty) {
        requireNotStarted();
        duties.add(duty);
        return this;
    }

    /** Adds a queue whose arrivals end a sleep. */
    public synchronized Worker watch(RxQueue queue) {
        requireNotStarted();
        watched.add(queue);
        return this;
    }

    /** Adds what ends a sleep too, beside the queues: a descriptor that a duty reads. */
    public synchronized Worker watch(Readiness signal) {
        requireNotStarted();
        signals.add(signal);
        return this;
    }

    /**
     * Starts the thread, and returns when it runs its duties.
     *
     * @throws IllegalArgumentException if the queues cannot be watched together
     */
    public synchronized Worker start() throws InterruptedException {
        requireNotStarted();
        started = true;
        thread.start();
        ready.await();
        RuntimeException refused = refusal;
        if (refused != null) {
            throw refused;
        }
        return this;
    }

    /** Wakes the worker if it sleeps; cheap when it does not. */
    public void wake() {
        if ((int) STATE.getAndSet(this, CALLED) == ASLEEP) {
            Poller sleeping = waiter;
            if (sleeping != null) {
                sleeping.wake();
            }
        }
    }

    /** Says whether the queues are held: their arrivals end no sleep then, as they stay where they are. For any thread. */
    public void hold(boolean nowHeld) {
        held = nowHeld;
        wake();
    }

    /** Returns the counters. */
    public WorkerStatistics statistics() {
        return statistics;
    }

    /** Returns the thread's name. */
    public String name() {
        return settings.name();
    }

    /**
     * Ends the thread after its current turn, and waits for that, but no longer than {@link PacketLimits#TURN_MILLIS_MAX}: a duty
     * may never return. {@link #isStuck} tells then that the thread may still use what it has. Idempotent.
     */
    @Override
    public void close() {
        running = false;
        wake();
        boolean interrupted = false;
        long until = System.nanoTime() + PacketLimits.TURN_MILLIS_MAX * NANOS_IN_MILLI;
        for (long left = until - System.nanoTime(); isStuck() && left > 0; left = until - System.nanoTime()) {
            try {
                thread.join(Duration.ofNanos(left));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (isStuck() && !stuckTold) {
            stuckTold = true;
            LOG.log(Level.WARNING, "worker " + settings.name() + " has not ended within " + PacketLimits.TURN_MILLIS_MAX
                    + " ms; it is in a duty that does not return, " + where());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether {@link #close} was called, and its thread has not ended: what it uses must not be freed. */
    public boolean isStuck() {
        return !running && thread.isAlive() && !thread.equals(Thread.currentThread());
    }

    /**
     * Notices a turn that does not end; one supervising thread calls it some times in a second.
     *
     * @return what is to be said, once when the turn has taken {@link PacketLimits#TURN_MILLIS_MAX}, and once when it ends
     */
    public Optional<String> supervise(long nowNanos) {
        long turns = statistics.turns();
        if (turns != supervisedTurns || (int) STATE.getOpaque(this) == ASLEEP) {
            supervisedTurns = turns;
            supervisedNanos = nowNanos;
            boolean over = turnTold;
            turnTold = false;
            return over ? Optional.of("worker " + settings.name() + " goes on") : Optional.empty();
        }
        if (turnTold || nowNanos - supervisedNanos < PacketLimits.TURN_MILLIS_MAX * NANOS_IN_MILLI) {
            return Optional.empty();
        }
        turnTold = true;
        return Optional.of("worker " + settings.name() + " has been in one turn for " + PacketLimits.TURN_MILLIS_MAX
                + " ms, and takes no packets; it is " + where());
    }

    /** Says where the thread is, in one line. */
    private String where() {
        StackTraceElement[] stack = thread.getStackTrace();
        return stack.length == 0 ? "nowhere" : "at " + stack[0].getClassName() + "." + stack[0].getMethodName() + ":"
                + stack[0].getLineNumber();
    }

    private void run() {
        try (Poller own = Poller.of(Stream.concat(watched.stream().map(RxQueue::readiness), signals.stream()).toList())) {
            waiter = own;
            place();
            watched.forEach(this::listen);
            ready.countDown();
            if (settings.realTime() != RealTimePolicy.FALSE) {
                turnsInRealTime(own);
            } else {
                turns(own, RealTimeScheduling.FAIR);
            }
        } catch (RuntimeException e) {
            refusal = e;
        } finally {
            ready.countDown();
        }
    }

    private void place() {
        ThreadAffinity.wakeExactly();
        ThreadAffinity.prefer(PacketLimits.WORKER_NICE, PacketLimits.WORKER_SLICE_NANOS);
        if (settings.cpu() >= 0) {
            String refused = ThreadAffinity.pin(settings.cpu());
            if (refused != null) {
                LOG.log(
                        Level.WARNING,
                        "worker {0} runs on any processor, not on {1}: {2}",
                        settings.name(),
                        settings.cpu(),
                        refused);
            }
        }
    }

    private void listen(RxQueue queue) {
        if (queue.readiness() instanceof Readiness.Notice(var register)) {
            register.accept(this::wake);
        }
    }

    private void turnsInRealTime(Poller own) {
        try (RealTimeWatchdog watchdog = new RealTimeWatchdog(
                settings.name() + "-dog", statistics, () -> (int) STATE.getOpaque(this) == ASLEEP)) {
            if (!watchdog.allowed() && settings.realTime() == RealTimePolicy.TRUE) {
                LOG.log(
                        Level.WARNING,
                        "worker {0} is not in real time: Linux wants CAP_SYS_NICE for it, or an rtprio limit of {1}",
                        settings.name(),
                        PacketLimits.REAL_TIME_PRIORITY + 1);
            }
            turns(own, watchdog);
        }
    }

    private void turns(Poller own, RealTimeScheduling.Place among) {
        boolean polled = watched.stream().anyMatch(queue -> queue.readiness() instanceof Readiness.Unknown);
        long sleepNanosMax = settings.sleepMillisMax() * NANOS_IN_MILLI;
        DutyCycle[] all = duties.toArray(DutyCycle[]::new);
        RxQueue[] queues = watched.toArray(RxQueue[]::new);
        long movedSinceSleep = 0;
        long arrivedBefore = arrived(queues);
        long sleptAt = System.nanoTime();
        IdleBackoff pace = new IdleBackoff(PacketLimits.POLL_NANOS_MAX, sleptAt);
        RealTimeScheduling realTime = new RealTimeScheduling(among, statistics, sleptAt);
        long busyAt = sleptAt;
        while (running) {
            long begun = System.nanoTime();
            realTime.turn(begun);
            int moved = turn(all);
            if (moved > 0) {
                busyAt = System.nanoTime();
                statistics.busyTurn(moved, busyAt - begun);
                movedSinceSleep += moved;
            } else if (begun - busyAt < settings.spinNanos()) {
                Thread.onSpinWait();
            } else {
                // Responses from peers are no arrivals: they do not predict the next request.
                long arrived = arrived(queues);
                long nap = settings.coalesceNanos(arrived - arrivedBefore, begun - sleptAt);
                arrivedBefore = arrived;
                long nanosMax = polled ? Math.min(pace.next(movedSinceSleep, begun), sleepNanosMax) : sleepNanosMax;
                movedSinceSleep = 0;
                sleptAt = begun;
                sleep(own, nap, rest(all, nanosMax));
                busyAt = System.nanoTime();
                realTime.slept(busyAt - begun);
            }
        }
    }

    private int turn(DutyCycle[] all) {
        int moved = 0;
        statistics.turn();
        long nowMillis = settings.clockMillis().getAsLong();
        for (DutyCycle duty : all) {
            try {
                moved += duty.work(nowMillis);
            } catch (Throwable t) {
                // The other duties and the next packets are worth more than failing here.
                fault(t, nowMillis);
            }
        }
        return moved;
    }

    private static long arrived(RxQueue[] queues) {
        long packets = 0;
        for (RxQueue each : queues) {
            packets += each.statistics().packets();
        }
        return packets;
    }

    private static long rest(DutyCycle[] all, long sleepNanosMax) {
        long nanos = sleepNanosMax;
        for (DutyCycle duty : all) {
            nanos = Math.min(nanos, duty.restNanos());
        }
        return Math.max(0, nanos);
    }

    private void sleep(Poller own, long napNanos, long sleepNanosMax) {
        if ((int) STATE.getAndSet(this, ASLEEP) != CALLED) {
            if (napNanos > 0 || held) {
                statistics.countCoalescingSleep();
                own.coalesce(held ? PacketLimits.HELD_NANOS : napNanos);
            } else {
                statistics.sleep();
                own.sleep(sleepNanosMax);
            }
        }
        STATE.getAndSet(this, AWAKE);
    }

    private void fault(Throwable fault, long nowMillis) {
        statistics.fault();
        if (nowMillis >= faultReportAfterMillis) {
            faultReportAfterMillis = nowMillis + PacketLimits.FAULT_REPORT_MILLIS;
            LOG.log(Level.ERROR, "worker " + settings.name() + " continues after an error in a duty", fault);
        }
    }

    private void requireNotStarted() {
        if (started) {
            throw new IllegalStateException("worker " + settings.name() + " has started already");
        }
    }
}
