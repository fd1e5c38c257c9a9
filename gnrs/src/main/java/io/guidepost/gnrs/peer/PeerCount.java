package io.guidepost.gnrs.peer;

/** What is counted of the traffic with other servers. Metrics show these names. */
public enum PeerCount {
    /** Questions sent to other servers. */
    QUESTIONS,
    /** Questions not asked because too many were open. */
    QUESTIONS_MAX,
    /** Questions that were not answered in time. */
    SILENCES,
    /** Responses dropped because nothing was asked under their ids. */
    DROPPED_UNASKED,
    /** Responses dropped because they came from elsewhere than the question went. */
    DROPPED_NOT_FROM_THERE,
    /** Messages among servers dropped because their seal was missing or wrong. */
    DROPPED_SEAL,
    /** Messages among servers dropped because they came from no server of the deployment. */
    DROPPED_STRANGER,
    /** Responses dropped because they were malformed. */
    DROPPED_MALFORMED_ANSWER,
    /** Questions of other servers dropped because they were malformed. */
    DROPPED_MALFORMED_QUESTION,

    /** Times that the servers of a record were asked for it. */
    FETCHES,
    /** Look-ups that waited for what others had asked already. */
    FETCHES_JOINED,
    /** Times that too few servers answered to say what a record is. */
    FETCHES_FAILED,
    /** Own records that could not be looked at in the engine because too many were. */
    ENGINE_MAX,
    /** Servers that were told of a record because they knew less than others. */
    REPAIRS,
    /** Records remembered no longer, before their time, for want of room. */
    MEMORIES_MAX,
    /** Questions of other servers for records. */
    FETCHES_ANSWERED,
    /** Messages that came to another worker than the one they are for. */
    HANDED_OVER,
    /** Such messages dropped because too many waited. */
    INBOX_MAX,
    /** Servers told that a record that they may remember has changed. */
    FORGETS,
    /** Times that another server said that a record has changed. */
    FORGETS_HEARD,
    /** Records of which it was not kept in mind who remembers them, as too many were. */
    INTERESTS_MAX,
    /** Changes that those who remember them were not told of, as too many were. */
    FORGETS_MAX,

    /** Changes of records that other servers brought. */
    MERGES,
    /** Such changes refused because too many were under way. */
    MERGES_IN_FLIGHT_MAX,
    /** Such changes refused because their stamps are too far ahead of the clock here. */
    MERGES_STAMP_AHEAD,
    /** Writes of clients that went out with others of the same name, as one. */
    WRITES_COMBINED,
    /** Times that a write took a later stamp because a server knew one that was not older. */
    WRITES_BEHIND,
    /** Requests to write that came again and were answered as before. */
    WRITES_REPEATED,
    /** Writes remembered no longer, before their time, because too many came after them. */
    WRITES_REPEATS_MAX,
    /** Writes refused because too many of the same name waited. */
    WRITES_WAITING_MAX,
    /** Questions to servers that were sent again because no answer came. */
    WRITES_SENT_AGAIN,
    /** Changes kept for servers that did not confirm them. */
    HINTS,

    /** Messages among servers dropped at the port of catching up because they were no responses. */
    DROPPED_NO_RESPONSE,
    /** Questions of other servers whether this one is there. */
    PINGS,
    /** Comparisons of sums that other servers asked for. */
    COMPARISONS,
    /** Records of other servers that were compared with those here. */
    RECORDS_COMPARED,
    /** Records sent to other servers to bring them into line. */
    RECORDS_PUSHED,
    /** Records taken from other servers to bring this one into line. */
    RECORDS_PULLED,
    /** Records handed over to the servers where they are placed now. */
    RECORDS_HANDED_OVER,
    /** Records, or parts of them, dropped because they were deleted elsewhere while this server was away. */
    RECORDS_OUTDATED,
    /** Changes that were kept for other servers and are now there. */
    HINTS_REPLAYED
}
