package io.guidepost.middlebox.balance;

/** Counters of a balancer. */
enum BalancerCount {
    /** Packets forwarded to a back end. */
    FORWARDED,
    /** Packets whose connection moved, because its back end is down. */
    MOVED,
    /** Dropped: no back end is up. */
    NO_BACK_END,
    /** Dropped: fragments, as the later ones have no ports. */
    FRAGMENTS
}
