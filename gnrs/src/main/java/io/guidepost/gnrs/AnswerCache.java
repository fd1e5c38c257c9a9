package io.guidepost.gnrs;

import io.guidepost.store.RecordReader;
import java.lang.foreign.MemorySegment;

/** A cache of answers in front of a door, see {@link GnrsDoor#fills}. */
@FunctionalInterface
public interface AnswerCache {
    /**
     * Receives a GUID that the door has found for a request that no other server had to be asked for, and has answered. Called by
     * workers, within their turns; must not wait, and allocate nothing.
     *
     * @param segment holds the 20 bytes of the GUID
     * @param guid their offset
     * @param reader the worker's own; finds what is in the index now
     * @param nowMillis the time of the turn, milliseconds since 1970
     */
    void answered(MemorySegment segment, long guid, RecordReader reader, long nowMillis);
}
