package io.guidepost.packet.worker;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;

/** Decides about each frame of a {@link FrameForwarder}; one instance belongs to one worker. */
@FunctionalInterface
public interface FrameHandler {
    /** The handler consumed the frame: it is freed and not counted as a drop. */
    int DISCARD = -1;

    /** The handler refuses the frame: it is freed and counted as {@link Drop#REFUSED}. */
    int REFUSE = -2;

    /** Passes every frame on to output 0. */
    FrameHandler PASS_ALL = (in, index) -> 0;

    /** Called before the frames of a burst, and in every turn without frames. */
    default void begin(long nowMillis) {}

    /**
     * Inspects one frame, and may change it in place. An exception drops this frame alone.
     *
     * @return number of the output, {@link #DISCARD} or {@link #REFUSE}
     */
    int frame(Burst in, int index);

    /** Returns how long the worker may sleep before the next turn, in nanoseconds; see {@link DutyCycle#restNanos}. */
    default long restNanos() {
        return Long.MAX_VALUE;
    }
}
