/**
 * A host at layer 2: UDP over ports of frames, with what a host owes its neighbours (ARP, neighbour discovery, echo).
 * Whatever answers datagrams of a kernel socket answers those of a network interface through it, unchanged.
 */
@NullMarked
package io.guidepost.packet.host;

import org.jspecify.annotations.NullMarked;
