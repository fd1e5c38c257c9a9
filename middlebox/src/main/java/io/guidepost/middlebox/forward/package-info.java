/**
 * Forwarding between any number of ports: a bridge that learns where Ethernet addresses are, and an IPv4 router with a
 * table of prefixes.
 */
@NullMarked
package io.guidepost.middlebox.forward;

import org.jspecify.annotations.NullMarked;
