package io.guidepost.packet.worker;

import io.guidepost.packet.PacketLimits;

/**
 * The real-time scheduling of a worker (SCHED_FIFO). In the normal class a preempted worker waits for the next tick, up
 * to 4 ms, at any nice value.
 *
 * <p>A real-time thread that never sleeps would starve all others of its processor, those of its own process too:
 * flushes, the compiler, the collector. So a worker keeps the class only while it sleeps for a part of the time.
 * Otherwise it returns to the normal class for a while, then tries again; so others get nearly all of that time even
 * under a flood. The {@link RealTimeWatchdog} demotes a worker that is stuck in a turn and does not check itself.
 * A worker that is ready to run and waits for another real-time thread does not sleep: so workers of several servers on one
 * processor, none of which is busy for long, do not take all of it together.
 *
 * <pre>
 *   real time  -- awake for more than 3/4 of a look of 10 ms ---->  fair
 *              -- 2 to 4 ms in the same turn, or up to
 *                 52 ms if it had slept long: the watchdog ------>
 *              &lt;-- 100 ms later ---------------------------------
 * </pre>
 *
 * <p>For the worker's own thread.
 */
final class RealTimeScheduling {
    /** The worker's scheduling class. */
    interface Place {
        /** Moves the calling thread to SCHED_FIFO or back to the normal class; false where that is not permitted. */
        boolean change(boolean realTime);

        /** Returns whether the watchdog has demoted the thread since its last promotion. */
        boolean taken();

        /** Returns how long the calling thread has waited for a processor since it began, ready to run; 0 where that is unknown. */
        long waitedNanos();
    }

    /** The class of a worker that always stays normal. */
    static final Place FAIR = new Place() {
        @Override
        public boolean change(boolean realTime) {
            return false;
        }

        @Override
        public boolean taken() {
            return false;
        }

        @Override
        public long waitedNanos() {
            return 0;
        }
    };

    private final Place place;
    private final WorkerStatistics statistics;
    private boolean active;
    private boolean refused;
    private long lookedAtNanos;
    private long lookNanos;
    private long sleptNanos;
    private long waitedNanos;

    /** Promotes the worker at once, if permitted. */
    RealTimeScheduling(Place place, WorkerStatistics statistics, long nowNanos) {
        this.place = place;
        this.statistics = statistics;
        enter(nowNanos);
    }

    /** Marks the begin of a turn. */
    void turn(long nowNanos) {
        if (!refused && nowNanos - lookedAtNanos >= lookNanos) {
            look(nowNanos);
        }
    }

    /** Records that the worker found no work and slept, with the time until it ran again. */
    void slept(long nanos) {
        sleptNanos += nanos;
    }

    private void look(long nowNanos) {
        if (!active) {
            enter(nowNanos);
        } else if (place.taken() || rested() < (nowNanos - lookedAtNanos) * PacketLimits.REAL_TIME_SLEEP_SHARE) {
            place.change(false);
            active = false;
            statistics.realTime(false);
            begin(nowNanos, PacketLimits.REAL_TIME_PAUSE_NANOS);
        } else {
            begin(nowNanos, PacketLimits.REAL_TIME_LOOK_NANOS);
        }
    }

    /** Returns how long its processor was free for other threads. */
    private long rested() {
        return sleptNanos - (place.waitedNanos() - waitedNanos);
    }

    private void enter(long nowNanos) {
        refused = !place.change(true);
        active = !refused;
        if (active) {
            statistics.realTime(true);
        }
        begin(nowNanos, PacketLimits.REAL_TIME_LOOK_NANOS);
    }

    private void begin(long nowNanos, long nanos) {
        lookedAtNanos = nowNanos;
        lookNanos = nanos;
        sleptNanos = 0;
        waitedNanos = place.waitedNanos();
    }
}
