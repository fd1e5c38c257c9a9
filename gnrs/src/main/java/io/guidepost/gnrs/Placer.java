package io.guidepost.gnrs;

import java.lang.foreign.MemorySegment;

/**
 * Says for the packet path whether a GUID is placed at this server. One belongs to one worker and is called by its
 * thread alone: it may own a message digest. Asking allocates nothing.
 */
@FunctionalInterface
public interface Placer {
    /** The placer of a server that keeps every GUID: there are no tables, or all of them lead here. */
    Placer EVERYTHING_HERE = (segment, offset) -> true;

    /**
     * Whether at least one replica of a GUID belongs on this server.
     *
     * @param segment holds the GUID; the caller has checked that its 20 bytes are there
     * @param offset bytes from the start of the segment to the GUID
     */
    boolean isHere(MemorySegment segment, long offset);
}
