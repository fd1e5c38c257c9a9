/**
 * Stateful network address and port translation for IPv4 (NAPT, RFC 3022), with the behaviour that RFC 4787 (UDP), RFC
 * 5382 (TCP) and RFC 5508 (ICMP) require. Mapping is endpoint-independent, or shares ports between destinations (RFC 7857).
 */
package io.guidepost.middlebox.nat;
