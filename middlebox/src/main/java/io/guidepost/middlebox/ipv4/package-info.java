/** What every middlebox does that has an IPv4 address of its own: neighbours, ARP, echo, and errors by ICMP. */
@NullMarked
package io.guidepost.middlebox.ipv4;

import org.jspecify.annotations.NullMarked;
