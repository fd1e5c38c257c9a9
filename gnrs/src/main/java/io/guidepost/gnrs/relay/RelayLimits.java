package io.guidepost.gnrs.relay;

import io.guidepost.gnrs.peer.ReplicationSettings;
import io.guidepost.gnrs.quorum.QuorumLimits;

/** Bounds of look-ups across sites, each with its reason. What an operator may change stands in {@link ReplicationSettings}. */
final class RelayLimits {
    /** Look-ups that wait for one record: each has a slot among those of the worker, so this is only a fence. */
    static final int WAITERS_MAX = 1 << 16;

    /** Questions that may be open at least, whatever the operator says: those of a few requests to all their servers. */
    static final int QUESTIONS_MIN = 4 * QuorumLimits.SERVERS_MAX;

    /** The least that an answer is waited for before the next replica is asked: a busy server may take that long. */
    static final long PATIENCE_NANOS_MIN = 30_000_000L;

    /** How many times longer than 95 of 100 of a server's answers take the first question waits. */
    static final int PATIENCE = 4;

    /** One of so many fetches begins with a server of which nothing is known, so that all come to be measured. */
    static final int EXPLORE = 8;

    /** Messages of other workers that wait for this one; what comes above is as good as lost on the way. */
    static final int INBOX_MAX = 4096;

    /** GUIDs of which it is kept in mind who remembers them; of others they are told nothing, and their TTLs hold. */
    static final int INTERESTS_MAX = 1 << 15;

    /** It is kept in mind for so long, ms; who remembers longer hears nothing any more, and believes it to the end. */
    static final long INTEREST_MILLIS_MAX = 3_600_000;

    /** Servers that are told of one GUID's change: whoever asks for it after so many others waits for its TTL. */
    static final int INTERESTED_MAX = 8;

    /** FORGET messages that wait to be sent. */
    static final int FORGETS_MAX = 4096;

    private RelayLimits() {}
}
