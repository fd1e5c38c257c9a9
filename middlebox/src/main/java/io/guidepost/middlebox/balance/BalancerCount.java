package io.guidepost.middlebox.balance;

/** Counters of a balancer. */
enum BalancerCount {
    /** Packets forwarded to a back end. */
    FORWARDED,
    /** ICMP errors forwarded to the back end of the flow that they quote. */
    ICMP_ERROR,
    /** Packets whose connection moved, because its back end is down. */
    MOVED,
    /** Dropped: no back end is up. */
    NO_BACK_END,
    /** Dropped: later fragments, whose first one was not seen or is too long ago. */
    FRAGMENT_UNKNOWN
}
