package io.guidepost.middlebox.balance;

/** What a balancer counts. */
public enum BalancerCount {
    /** Packets sent on to a back end. */
    FORWARDED,
    /** Packets whose connection had to move, because its back end is gone. */
    MOVED,
    /** Dropped: no back end is up. */
    NO_BACK_END,
    /** Dropped: fragments, as the later ones have no ports. */
    FRAGMENTS
}
