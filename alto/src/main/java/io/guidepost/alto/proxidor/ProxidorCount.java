package io.guidepost.alto.proxidor;

/** What a Proxidor door counts; the names are those that metrics show. */
public enum ProxidorCount {
    /** Datagrams taken. */
    DATAGRAMS,
    /** Their bytes. */
    BYTES_IN,
    /** Bytes answered. */
    BYTES_OUT,
    /** Lists ranked and answered. */
    RANKED,
    /** Candidates of those lists. */
    CANDIDATES,
    /** Of those, candidates that nobody knows or that are not to be reached. */
    CANDIDATES_UNKNOWN,
    /** Questions of trusted proxies for somebody else. */
    FOR_ANOTHER,
    /** Questions for somebody else of those who are not trusted: answered for themselves. */
    SOURCE_IGNORED,
    /** Answers that say that the source is not known. */
    UNKNOWN_SOURCE,
    /** Answers that say that nothing is loaded. */
    NOTHING_LOADED,
    /** Answers that name a fault of the question; which one is counted beside. */
    REFUSED,
    /** Datagrams that are not answered at all, because they are answers or no messages. */
    DROPPED_MALFORMED,
    /** Questions dropped because their source asked more than its share while others' were lost. */
    DROPPED_FAIR_SHARE,
    /** Questions dropped because their block of addresses, a /24 or a /48, asked more than its share while others' were lost. */
    DROPPED_BLOCK_SHARE,
    /** Questions dropped because those who had not asked before asked more than their share while others' were lost. */
    DROPPED_STRANGER,
    /** Questions dropped because the room for the answer is too short. */
    DROPPED_NO_ROOM
}
