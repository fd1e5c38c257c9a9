package io.guidepost.packet;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * One thread that does its duties turn by turn, looks for more a short while when there is nothing to do, and then
 * sleeps until one of the queues that it watches has packets or someone {@linkplain #wake wakes} it.
 *
 * <p>Duties are added and queues watched before the start, by one thread. {@link #wake}, {@link #statistics} and
 * {@link #close} are for any thread.
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
    private final List<Duty> duties = new ArrayList<>();
    private final List<RxQueue> watched = new ArrayList<>();
    private final WorkerStatistics statistics = new WorkerStatistics();
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Thread thread;

    /*
     * Sleep and wake. The worker says ASLEEP and sleeps only if nobody had said CALLED before; who wakes it says CALLED
     * and calls the waiter only if it replaced ASLEEP. Both are atomic exchanges of one variable, so that one of the two
     * sees the other: a wake-up is never lost, and one that comes while the worker is awake is a single exchange. The
     * worker says AWAKE before it does its duties: what was handed over before the CALLED that this erases is seen by
     * the turn that follows.
     */
    @SuppressWarnings("unused") // Accessed through STATE.
    private volatile int state = AWAKE;

    private volatile @Nullable Waiter waiter;
    private volatile boolean running = true;
    private volatile @Nullable RuntimeException refusal;
    private boolean started;
    private long sleptNanos = Long.MAX_VALUE;
    private long faultReportAfterMillis = Long.MIN_VALUE;

    /** A worker that has not started. */
    public Worker(WorkerSettings settings) {
        this.settings = settings;
        this.thread = Thread.ofPlatform().name(settings.name()).daemon(true).unstarted(this::run);
    }

    /** Adds something to do in every turn. */
    public synchronized Worker add(Duty duty) {
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

    /**
     * Starts the thread, and returns when it does its duties.
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

    /** Makes the worker look at its duties now if it sleeps; cheap when it does not. */
    public void wake() {
        if ((int) STATE.getAndSet(this, CALLED) == ASLEEP) {
            Waiter sleeping = waiter;
            if (sleeping != null) {
                sleeping.wake();
            }
        }
    }

    /** What it counted. */
    public WorkerStatistics statistics() {
        return statistics;
    }

    /** Name of its thread. */
    public String name() {
        return settings.name();
    }

    /** Ends the thread after the turn that it is in, and waits for that; a second call does nothing. */
    @Override
    public void close() {
        running = false;
        wake();
        boolean interrupted = false;
        while (thread.isAlive() && !thread.equals(Thread.currentThread())) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try (Waiter own = Waiter.of(watched)) {
            waiter = own;
            place();
            watched.forEach(this::listen);
            ready.countDown();
            turns(own);
        } catch (RuntimeException e) {
            refusal = e;
        } finally {
            ready.countDown();
        }
    }

    private void place() {
        Affinity.wakeExactly();
        if (settings.cpu() >= 0) {
            String refused = Affinity.pin(settings.cpu());
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

    private void turns(Waiter own) {
        boolean polled = watched.stream().anyMatch(queue -> queue.readiness() instanceof Readiness.Unknown);
        long sleepNanosMax = polled ? Limits.POLL_NANOS : settings.sleepMillisMax() * NANOS_IN_MILLI;
        Duty[] all = duties.toArray(Duty[]::new);
        long idleSince = 0;
        while (running) {
            long begun = System.nanoTime();
            int moved = turn(all);
            statistics.turn();
            if (moved > 0) {
                idleSince = 0;
                statistics.busyTurn(moved, System.nanoTime() - begun);
            } else if (idleSince == 0) {
                idleSince = begun;
            }
            if (moved == 0 && begun - idleSince >= settings.spinNanos()) {
                sleep(own, sleepNanosMax);
                idleSince = 0;
            } else if (moved == 0) {
                Thread.onSpinWait();
            }
        }
    }

    private int turn(Duty[] all) {
        int moved = 0;
        long nowMillis = settings.clockMillis().getAsLong();
        for (Duty duty : all) {
            try {
                moved += duty.work(nowMillis);
            } catch (Throwable t) {
                // Whatever it is, the other duties and the next packets are worth more than dying of it.
                fault(t, nowMillis);
            }
        }
        return moved;
    }

    private void sleep(Waiter own, long sleepNanosMax) {
        if ((int) STATE.getAndSet(this, ASLEEP) != CALLED) {
            if (sleptNanos < settings.napNanos()) {
                statistics.nap();
                own.nap(settings.napNanos());
                sleptNanos = Long.MAX_VALUE;
            } else {
                long begun = System.nanoTime();
                statistics.sleep();
                own.sleep(sleepNanosMax);
                sleptNanos = System.nanoTime() - begun;
            }
        }
        STATE.getAndSet(this, AWAKE);
    }

    private void fault(Throwable fault, long nowMillis) {
        statistics.fault();
        if (nowMillis >= faultReportAfterMillis) {
            faultReportAfterMillis = nowMillis + Limits.FAULT_REPORT_MILLIS;
            LOG.log(Level.ERROR, "worker " + settings.name() + " goes on after an error in a duty", fault);
        }
    }

    private void requireNotStarted() {
        if (started) {
            throw new IllegalStateException("worker " + settings.name() + " has started already");
        }
    }
}
