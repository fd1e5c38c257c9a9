package io.guidepost.packet.worker;

import io.guidepost.packet.PacketLimits;

/**
 * Whether a worker is scheduled before all other threads of its processor (SCHED_FIFO): its place among the fair ones lets
 * it wait out a tick, up to 4 ms, whenever it was displaced while it ran, whatever its nice value.
 *
 * <p>A thread that is before all others and never sleeps would starve them, those of its own program too: what flushes
 * writes, compiles and collects. So a worker keeps this place only while it sleeps at least a part of the time. One that
 * did not is a fair thread for a while, then tries again: others get nearly all of that while, whoever floods the worker.
 * The {@link RealTimeWatchdog} takes the place from one that is stuck in a turn, and so does not look.
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
    /** The worker's place among the threads of its processor. */
    interface Place {
        /** Has the calling worker go before all others, or back among the fair ones; false where that is not allowed. */
        boolean change(boolean realTime);

        /** Returns whether it was made a fair thread since it last went before the others, as it was stuck. */
        boolean taken();
    }

    /** That of a worker which stays among the fair ones. */
    static final Place FAIR = new Place() {
        @Override
        public boolean change(boolean realTime) {
            return false;
        }

        @Override
        public boolean taken() {
            return false;
        }
    };

    private final Place place;
    private final WorkerStatistics statistics;
    private boolean active;
    private boolean refused;
    private long lookedAtNanos;
    private long lookNanos;
    private long sleptNanos;

    /** Takes real time now, if that is allowed. */
    RealTimeScheduling(Place place, WorkerStatistics statistics, long nowNanos) {
        this.place = place;
        this.statistics = statistics;
        enter(nowNanos);
    }

    /** A turn begins. */
    void turn(long nowNanos) {
        if (!refused && nowNanos - lookedAtNanos >= lookNanos) {
            look(nowNanos);
        }
    }

    /** The worker looked around in vain and slept, so long in all. */
    void slept(long nanos) {
        sleptNanos += nanos;
    }

    private void look(long nowNanos) {
        if (!active) {
            enter(nowNanos);
        } else if (place.taken() || sleptNanos < (nowNanos - lookedAtNanos) * PacketLimits.REAL_TIME_SLEEP_SHARE) {
            place.change(false);
            active = false;
            statistics.realTime(false);
            begin(nowNanos, PacketLimits.REAL_TIME_PAUSE_NANOS);
        } else {
            begin(nowNanos, PacketLimits.REAL_TIME_LOOK_NANOS);
        }
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
    }
}
