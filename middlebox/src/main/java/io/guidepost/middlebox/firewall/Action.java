package io.guidepost.middlebox.firewall;

/** What becomes of a packet. */
public enum Action {
    /** It goes on. */
    ALLOW,
    /** It is dropped, and nobody is told. */
    DENY
}
