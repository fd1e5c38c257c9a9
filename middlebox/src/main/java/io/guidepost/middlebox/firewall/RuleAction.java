package io.guidepost.middlebox.firewall;

/** What becomes of a packet. */
public enum RuleAction {
    /** It goes on. */
    ALLOW,
    /** It is dropped, and nobody is told. */
    DENY
}
