package io.guidepost.proximity.bgp;

/** Counters of a session, or of another source of BGP messages. */
public enum BgpCount {
    /** Messages of all types. */
    MESSAGES,
    /** UPDATE messages among them. */
    UPDATES,
    /** UPDATE messages with an attribute that was discarded for a fault (RFC 7606). */
    ATTRIBUTES_DISCARDED,
    /** UPDATE messages treated as withdrawal for a fault (RFC 7606). */
    TREATED_AS_WITHDRAWAL,
    /** UPDATE messages treated as withdrawal because of an AS loop (RFC 4271). */
    LOOPED,
    /** Invalid messages, and messages for peers that are not watched. */
    REFUSED
}
