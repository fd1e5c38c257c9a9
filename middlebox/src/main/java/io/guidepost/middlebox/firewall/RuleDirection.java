package io.guidepost.middlebox.firewall;

/** The direction of a packet through the firewall. */
public enum RuleDirection {
    /** From the outside port to the inside port. */
    IN,
    /** From the inside port to the outside port. */
    OUT
}
