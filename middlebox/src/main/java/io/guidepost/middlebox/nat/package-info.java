/**
 * Network address and port translation for IPv4 (RFC 3022), with the behaviour that RFC 4787 (UDP), RFC 5382 (TCP) and
 * RFC 5508 (ICMP) ask for: a pair of address and port inside has one port outside, whoever it speaks to, and packets from
 * the inside to that port come back to it.
 */
@NullMarked
package io.guidepost.middlebox.nat;

import org.jspecify.annotations.NullMarked;
