package io.guidepost.gnrs.placement;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/**
 * The placement test of the packet path: whether a GUID is placed at this server, and where else. Belongs to one
 * worker, whose thread alone calls it: it may own a message digest. Allocates nothing.
 */
@FunctionalInterface
public interface Placer {
    /** The placer of a server that keeps every GUID: there are no tables, or all of them lead here. */
    Placer EVERYTHING_HERE = (segment, offset) -> true;

    /**
     * Returns whether at least one replica of a GUID belongs on this server.
     *
     * @param segment holds the GUID; the caller has checked that its 20 bytes are there
     * @param offset bytes from the start of the segment to the GUID
     */
    boolean isHere(MemorySegment segment, long offset);

    /**
     * Finds the different servers of a GUID, in the order of the hashes, this one included where it is one.
     *
     * @param servers takes the addresses, as they stand in the bindings; has room for K
     * @return the number of servers; 0 where no other server is known, because there are no tables or all of them lead
     *     here
     */
    default int servers(MemorySegment segment, long offset, InetSocketAddress[] servers) {
        return 0;
    }
}
