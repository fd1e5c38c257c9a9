/**
 * What every middlebox does that has addresses of its own on a link: neighbours by ARP and neighbour discovery, echo, errors
 * by ICMP, of IPv4 and IPv6, without a VLAN tag or with one, which a packet keeps.
 */
@NullMarked
package io.guidepost.middlebox.link;

import org.jspecify.annotations.NullMarked;
