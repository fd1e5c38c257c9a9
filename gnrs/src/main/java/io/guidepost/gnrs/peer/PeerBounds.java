package io.guidepost.gnrs.peer;

/**
 * The bounds of what one server keeps for its peers, and for writes at them, that no operator changes. They arrive as an
 * argument, so that a simulation can make them small enough to be reached.
 *
 * @param repeatsMax writes of one worker in the duplicate-request cache
 * @param waitingPerNameMax writes of one GUID that wait for the one in flight
 * @param cachedNamesMax GUIDs whose caching peers are recorded
 * @param cachingPeersMax peers that are recorded for one of them
 * @param forgetsMax FORGET messages that wait to be sent
 * @param mailboxMax messages of other workers that wait for one
 */
public record PeerBounds(
        int repeatsMax, int waitingPerNameMax, int cachedNamesMax, int cachingPeersMax, int forgetsMax, int mailboxMax) {
    /** Some 4 MB of the duplicate-request cache. */
    private static final int REPEATS_MAX = 1 << 16;

    /** A flood of one name must not exhaust the table of requests. */
    private static final int WAITING_PER_NAME_MAX = 256;

    /** Caches of further GUIDs are not invalidated, and live for their TTLs. */
    private static final int CACHED_NAMES_MAX = 1 << 15;

    /** Further peers are not told of the GUID's change, and keep the record for its TTL. */
    private static final int CACHING_PEERS_MAX = 8;

    /** Further changes are not told. */
    private static final int FORGETS_MAX = 4096;

    /** Further messages are dropped, like datagrams lost on the way. */
    private static final int MAILBOX_MAX = 4096;

    private static final PeerBounds DEFAULTS = new PeerBounds(
            REPEATS_MAX, WAITING_PER_NAME_MAX, CACHED_NAMES_MAX, CACHING_PEERS_MAX, FORGETS_MAX, MAILBOX_MAX);

    /** Checks that each is positive. */
    public PeerBounds {
        if (repeatsMax < 1
                || waitingPerNameMax < 1
                || cachedNamesMax < 1
                || cachingPeersMax < 1
                || forgetsMax < 1
                || mailboxMax < 1) {
            throw new IllegalArgumentException("each bound is positive");
        }
    }

    /** Returns the bounds of a server. */
    public static PeerBounds defaults() {
        return DEFAULTS;
    }
}
