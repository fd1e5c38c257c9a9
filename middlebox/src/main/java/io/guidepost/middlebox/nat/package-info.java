/**
 * Stateful network address and port translation for IPv4 (NAPT, RFC 3022), with the behaviour that RFC 4787 (UDP), RFC
 * 5382 (TCP) and RFC 5508 (ICMP) require: endpoint-independent mapping, and hairpinning.
 */
package io.guidepost.middlebox.nat;
