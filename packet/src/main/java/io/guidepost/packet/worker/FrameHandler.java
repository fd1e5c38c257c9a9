package io.guidepost.packet.worker;

import io.guidepost.packet.Burst;
import io.guidepost.packet.Drop;

/** What a {@link FrameForwarder} asks about each frame; one instance belongs to one worker. */
@FunctionalInterface
public interface FrameHandler {
    /** Done with the frame: it goes back to packet memory, and was no loss. */
    int DISCARD = -1;

    /** The frame is not let through: it goes back, and is counted as {@link Drop#REFUSED}. */
    int REFUSE = -2;

    /** Comes before the frames of a burst, and in every turn without frames. */
    default void begin(long nowMillis) {}

    /**
     * Looks at one frame, and may change it in place. An exception drops this frame alone.
     *
     * @return number of the output that it leaves by, {@link #DISCARD} or {@link #REFUSE}
     */
    int frame(Burst in, int index);

    /** Returns how long the worker may sleep before the next turn, in nanoseconds; see {@link DutyCycle#restNanos}. */
    default long restNanos() {
        return Long.MAX_VALUE;
    }
}
