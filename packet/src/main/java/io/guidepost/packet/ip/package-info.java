/**
 * IPv4 and IPv6 on Ethernet, over ports of frames: addresses of an interface, the neighbour cache (ARP, neighbour discovery),
 * frames that wait for it, ICMP echo and errors. A host ({@link io.guidepost.packet.ip.HostPort}) gives UDP to what answers
 * datagrams of kernel sockets, unchanged; boxes that forward packets have a {@link io.guidepost.packet.ip.LinkQueue}.
 */
package io.guidepost.packet.ip;
