package io.guidepost.packet.worker;

/** The duty cycle of a worker, which calls it in every turn on its own thread. */
@FunctionalInterface
public interface DutyCycle {
    /**
     * Does the work that is available, and never waits.
     *
     * @param nowMillis the worker's clock, read once for all duties of a turn
     * @return packets (or other pieces of work) moved; 0 lets the worker sleep
     */
    int work(long nowMillis);

    /**
     * Returns how long the worker may sleep before the next turn without an arrival, in nanoseconds. A duty with
     * pending requests returns the time to its next timeout.
     */
    default long restNanos() {
        return Long.MAX_VALUE;
    }
}
