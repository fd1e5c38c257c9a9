package io.guidepost.dns;

import java.lang.foreign.MemorySegment;

/** Tells which names are placed at this server. One thread's. */
@FunctionalInterface
public interface ZonePlacement {
    /** Every name is. */
    ZonePlacement EVERYTHING_HERE = (segment, offset) -> true;

    /** Returns whether the GUID at an offset of a segment is. */
    boolean isHere(MemorySegment segment, long offset);
}
