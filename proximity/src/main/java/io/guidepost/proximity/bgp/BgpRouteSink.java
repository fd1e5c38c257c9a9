package io.guidepost.proximity.bgp;

import io.guidepost.base.Prefix;

/** Receives the routes of a peer, in order. */
interface BgpRouteSink {
    /** Starts a session: routes of the session before are stale from now on. */
    void established();

    /**
     * Adds a path to a prefix; it replaces the one of the same path id.
     *
     * @param pathId of several paths (RFC 7911); 0 without ADD-PATH
     */
    void announced(Prefix prefix, int pathId, BgpRoute route);

    /** Withdraws a path; also called for paths that never were. */
    void withdrawn(Prefix prefix, int pathId);

    /** Ends the initial table of the session (End-of-RIB, RFC 4724 section 2). */
    void endOfRib(AddressFamily family);
}
