/** Forwarding between any number of ports: a learning bridge, and an IPv4 and IPv6 router with a table of prefixes. */
package io.guidepost.middlebox.forward;
