package io.guidepost.middlebox.firewall;

/** The verdict on a packet. */
public enum RuleAction {
    /** The packet is forwarded. */
    ALLOW,
    /** The packet is dropped silently. */
    DENY
}
