package io.guidepost.packet.worker;

/** Something that a worker does again and again; called by the worker's thread alone. */
@FunctionalInterface
public interface DutyCycle {
    /**
     * Does what there is to do now, and never waits.
     *
     * @param nowMillis the time by the worker's clock, read once for all duties of a turn
     * @return packets (or other pieces of work) that it moved; 0 lets the worker think of sleep
     */
    int work(long nowMillis);

    /**
     * Returns how long the worker may sleep after a turn before this duty must be done again, if nothing comes before,
     * in nanoseconds: whoever waits for an answer says when it gives up waiting.
     */
    default long restNanos() {
        return Long.MAX_VALUE;
    }
}
