package io.guidepost.proximity.bgp;

/** What is counted of a session, or of whatever else messages of BGP come in. */
public enum BgpCount {
    /** Messages of all types. */
    MESSAGES,
    /** UPDATE messages among them. */
    UPDATES,
    /** UPDATE messages with an attribute that was not looked at for a fault (RFC 7606). */
    ATTRIBUTES_DISCARDED,
    /** UPDATE messages whose announcements were taken as withdrawals for a fault (RFC 7606). */
    TREATED_AS_WITHDRAWAL,
    /** UPDATE messages whose announcements were taken as withdrawals, as our own AS stands in their path (RFC 4271). */
    LOOPED,
    /** Messages that are none, or for peers that are not watched. */
    REFUSED
}
