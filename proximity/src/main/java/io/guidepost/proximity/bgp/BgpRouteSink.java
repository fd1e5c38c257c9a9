package io.guidepost.proximity.bgp;

import io.guidepost.base.Prefix;

/** Takes what a peer tells, in the order in which it does. */
public interface BgpRouteSink {
    /** A session begins: what was told before is from now on old. */
    void established();

    /**
     * There is a way to a prefix; it takes the place of the one of the same path id.
     *
     * @param pathId which of several ways (RFC 7911); 0 where the peer tells one for each prefix
     */
    void announced(Prefix prefix, int pathId, BgpRoute route);

    /** That way is gone; also told of ways that there never were. */
    void withdrawn(Prefix prefix, int pathId);

    /** All that the peer had at the start of the session has been told (RFC 4724 section 2). */
    void endOfRib(AddressFamily family);
}
